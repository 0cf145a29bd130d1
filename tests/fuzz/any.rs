//! A target under libFuzzer: the one that has the name of this program.

#![no_main]

use libfuzzer_sys::fuzz_target;
use wander_fuzz::targets::TARGETS;

fuzz_target!(|bytes: &[u8]| {
    let Some(target) = TARGETS.iter().find(|target| target.name == env!("CARGO_BIN_NAME")) else {
        panic!("there is no target {}", env!("CARGO_BIN_NAME"));
    };
    if let Err(what) = (target.test)(bytes) {
        panic!("{}\n--- {what}", (target.show)(bytes));
    }
});
