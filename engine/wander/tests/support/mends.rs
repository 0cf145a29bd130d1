//! Every mend that a finding carries does mend: with its changes made, the program has one fault less at least.

use std::path::Path;

use base::Severity;
use wander::{Diagnostic, Kind, Loader, mended};

use super::{Case, environment, programs};

/// Findings whose mend shows the next mistake instead, with the reason.
const EXCEPTIONS: &[(&str, &str)] = &[];

#[test]
fn every_mend_leaves_fewer_faults() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/cases/wander");
    let mut wrong = Vec::new();
    let mut mends = 0;
    for path in programs(&root.join("fail")) {
        let case = Case::read(&path);
        let before = findings(&case, &root, &case.source);
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let is_exception = EXCEPTIONS.iter().any(|(exception, _)| *exception == name);
        let with_mends: Vec<&Diagnostic> = before.iter().filter(|finding| finding.fix.is_some()).collect();
        mends += with_mends.len();
        let mut fewer = true;
        let mut report = String::new();
        // Each by itself, then all together.
        let mut attempts: Vec<Vec<&Diagnostic>> = with_mends.iter().map(|one| vec![*one]).collect();
        attempts.extend((with_mends.len() > 1).then_some(with_mends));
        for attempt in attempts {
            let text = mended(&case.source, attempt.iter().copied());
            let after = findings(&case, &root, &text);
            let severity = attempt.iter().map(|finding| finding.severity).max_by_key(weight).unwrap();
            if count(&after, severity) >= count(&before, severity) {
                fewer = false;
                let shown: Vec<String> =
                    after.iter().map(|finding| finding.render("mended", &text)).collect();
                report.push_str(&format!("{}\n{text}\n{}\n", attempt[0].message, shown.join("\n")));
            }
        }
        if fewer == is_exception {
            wrong.push(format!(
                "=== {name}{}\n{report}",
                if fewer { " is no exception any more" } else { "" }
            ));
        }
    }
    assert!(mends > 100, "only {mends} findings have a mend");
    assert!(wrong.is_empty(), "{} cases are wrong\n\n{}", wrong.len(), wrong.join("\n"));
}

fn weight(severity: &Severity) -> u8 {
    u8::from(*severity == Severity::Error)
}

/// Findings that are at least as bad.
fn count(findings: &[Diagnostic], severity: Severity) -> usize {
    findings.iter().filter(|finding| weight(&finding.severity) >= weight(&severity)).count()
}

/// What is found in a text that stands for a case's.
fn findings(case: &Case, root: &Path, text: &str) -> Vec<Diagnostic> {
    let read = |name: &str| {
        let text = std::fs::read_to_string(root.join(format!("{name}.wander"))).ok()?;
        Some((format!("{name}.wander"), text))
    };
    let environment = environment();
    let mut loader = Loader::new(&environment, &read);
    let kind = if case.wishes.kind == Kind::Module { Kind::Module } else { case.wishes.kind };
    loader.compile(kind, &case.path, text);
    loader.check_events();
    let own = loader.findings.into_iter().find(|file| file.path == case.path);
    own.map(|file| file.diagnostics).unwrap_or_default()
}
