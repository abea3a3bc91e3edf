//! What an interruption does where ending at once would be wrong.

use std::sync::OnceLock;

static INSTEAD: OnceLock<Box<dyn Fn() + Send + Sync>> = OnceLock::new();

/// From now on an interruption does this and does not end the program. The first who asks has it.
#[cfg(feature = "collector")]
pub(crate) fn instead(act: impl Fn() + Send + Sync + 'static) {
    let _ = INSTEAD.set(Box::new(act));
}

/// Does what is to be done instead of ending the program, if there is anything.
pub(crate) fn is_handled() -> bool {
    let Some(act) = INSTEAD.get() else {
        return false;
    };
    act();
    true
}
