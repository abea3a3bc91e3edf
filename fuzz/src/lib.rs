//! What the programs in `bin` share: a limit on memory, and which panics end a run.
//!
//! With `WAYVEIL_FUZZ_CORPUS` set to a folder, a program writes its seeds and its dictionary there,
//! prints its options for libFuzzer and ends.

use std::alloc::System;
use std::path::Path;

use cap::Cap;
use wayveil_fuzzing::Target;

/// The most bytes that a program may hold at once, used or not. A small input that asks for more
/// has found a size that nobody checked.
const MEMORY: usize = 1 << 30;

#[global_allocator]
static ALLOCATOR: Cap<System> = Cap::new(System, MEMORY);

/// Where a program writes its seeds instead of fuzzing.
const CORPUS: &str = "WAYVEIL_FUZZ_CORPUS";

/// Runs before the first input.
pub fn start(target: &Target) {
    if let Some(folder) = std::env::var_os(CORPUS) {
        match target.write_corpus(Path::new(&folder)) {
            Ok(()) => println!("-max_len={}", target.longest),
            Err(cause) => {
                eprintln!("{}: cannot write seeds: {cause}", target.name);
                std::process::exit(1);
            }
        }
        std::process::exit(0);
    }
    // libFuzzer's hook, which aborts, unless the panic is one that a reader catches.
    let abort = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if !wayveil_fuzzing::is_caught_by_reader(panic) {
            abort(panic);
        }
    }));
}

/// The whole of a program: the target to fuzz.
#[macro_export]
macro_rules! fuzz {
    ($target:path) => {
        libfuzzer_sys::fuzz_target!(
            init: $crate::start(&$target),
            |data: &[u8]| { ($target.run)(data); }
        );
    };
}
