//! A program that is told to stop leaves no temporaries behind. In a file of its own, because the
//! list of temporaries belongs to the whole process.

use std::fs;
use std::io::Write;

use wayveil_io::output::{remove_unfinished, write_file, write_folder};

#[test]
fn unfinished_targets_can_be_removed_from_outside() {
    let parent = tempfile::tempdir().unwrap();
    let entries = || fs::read_dir(parent.path()).unwrap().count();
    let outcome = write_file(&parent.path().join("a"), false, |stream| {
        stream.write_all(b"half").unwrap();
        assert_eq!(entries(), 1);
        remove_unfinished();
        assert_eq!(entries(), 0);
        Ok(())
    });
    assert!(
        outcome.is_err(),
        "a removed temporary cannot become the target"
    );
    let outcome = write_folder(
        &parent.path().join("r"),
        false,
        |_| true,
        |folder| {
            fs::write(folder.join("f"), "half").unwrap();
            remove_unfinished();
            Ok(())
        },
    );
    assert!(outcome.is_err());
    assert_eq!(entries(), 0);
}
