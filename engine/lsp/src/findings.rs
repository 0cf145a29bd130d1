//! What is wrong with scripts, as the compiler says, in the shape that editors take.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use base::Severity;
use lsp_types::{
    CodeDescription, DiagnosticRelatedInformation, DiagnosticSeverity, DiagnosticTag, NumberOrString, Uri,
};
use wander::index::Index;
use wander::{Diagnostic, Loader};

use crate::uri;
use crate::workspace::{Folder, Script};

/// The name under which editors show who found something.
const SOURCE: &str = "wander";

/// Findings of one file that are told at most, so that a text full of errors does not hold up the editor at each key. A
/// person mends the first.
pub(crate) const MOST_TOLD: usize = 2_000;

/// Where the page of an error is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Pages {
    /// A folder of `E201.md` and so on, and the codes that have a page in it.
    Folder(PathBuf, BTreeSet<String>),
    /// What stands before and behind the code in the page's address.
    Address(String, String),
    /// Nowhere that is known.
    Nowhere,
}

impl Pages {
    /// Pages at an address in which `{code}` stands for the code; without it, the code and `.md` follow.
    pub(crate) fn at(address: &str) -> Self {
        match address.split_once("{code}") {
            Some((before, behind)) => Self::Address(before.to_owned(), behind.to_owned()),
            None => Self::Address(format!("{}/", address.trim_end_matches('/')), ".md".to_owned()),
        }
    }

    /// Pages in the engine's own folder, where one of these places lies in it: a program that was built there, an editor
    /// that works there.
    pub(crate) fn near(places: &[PathBuf]) -> Self {
        let places = places.iter().filter_map(|place| place.canonicalize().ok());
        let mut folders = places.flat_map(|place| {
            let folders: Vec<PathBuf> =
                place.ancestors().map(|folder| folder.join("docs/reference/errors")).collect();
            folders
        });
        let Some(folder) = folders.find(|folder| folder.join("E201.md").is_file()) else {
            return Self::Nowhere;
        };
        // Once, and not for each finding.
        let files = std::fs::read_dir(&folder).into_iter().flatten().flatten();
        let names = files.filter_map(|file| file.file_name().into_string().ok());
        let codes = names.filter_map(|name| name.strip_suffix(".md").map(str::to_owned)).collect();
        Self::Folder(folder, codes)
    }

    fn page(&self, code: &str) -> Option<Uri> {
        match self {
            Self::Folder(folder, codes) if codes.contains(code) => {
                uri::from_path(&folder.join(format!("{code}.md")))
            }
            Self::Address(before, behind) => format!("{before}{code}{behind}").parse().ok(),
            Self::Folder(..) | Self::Nowhere => None,
        }
    }
}

/// What the compiler finds in a script and in the modules that it uses, by path.
pub(crate) fn check(folder: &Folder<'_>, script: &Script) -> BTreeMap<String, Vec<Diagnostic>> {
    let read = |name: &str| folder.find(name).map(|(path, text)| (path, text.as_str().to_owned()));
    let mut loader = Loader::new(folder.environment(), &read);
    loader.compile(folder.kind(script), &script.path, script.source());
    let mut found: BTreeMap<String, Vec<Diagnostic>> = BTreeMap::new();
    for file in loader.findings {
        // A module that uses itself through others is met twice, the second time without its own text.
        found.entry(file.path).or_insert(file.diagnostics);
    }
    found
}

/// A finding as editors take it.
pub(crate) fn to_editor(
    folder: &Folder<'_>,
    script: &Script,
    pages: &Pages,
    found: &Diagnostic,
) -> lsp_types::Diagnostic {
    let mut message = found.message.clone();
    if let Some(hint) = &found.hint {
        message.push('\n');
        message.push_str(hint);
    }
    let severity = match found.severity {
        Severity::Error => DiagnosticSeverity::ERROR,
        Severity::Warning => DiagnosticSeverity::WARNING,
    };
    let related = related(folder, script, found);
    lsp_types::Diagnostic {
        range: script.text.range(found.span, folder.workspace.encoding),
        severity: Some(severity),
        code: Some(NumberOrString::String(found.code.to_owned())),
        code_description: pages.page(found.code).map(|href| CodeDescription { href }),
        source: Some(SOURCE.to_owned()),
        message,
        related_information: (!related.is_empty()).then_some(related),
        // Nothing uses it, or nothing reaches it.
        tags: matches!(found.code, "W203" | "W204").then(|| vec![DiagnosticTag::UNNECESSARY]),
        data: None,
    }
}

/// Other places that a finding speaks of: where the suggested name is declared, where a name was declared first, what
/// is wrong with a module.
fn related(folder: &Folder<'_>, script: &Script, found: &Diagnostic) -> Vec<DiagnosticRelatedInformation> {
    let index = &script.index;
    let declared = |number: usize, message: &str| {
        let span = index.definitions.get(number)?.span;
        let location = folder.location(script, span)?;
        Some(DiagnosticRelatedInformation { location, message: message.to_owned() })
    };
    match found.code {
        "E201" => {
            let name = found.fix.as_ref().map(|fix| fix.text.as_str());
            let number = name.and_then(|name| index.find(name, found.span.start));
            number.and_then(|number| declared(number, "this name is declared here")).into_iter().collect()
        }
        "E202" => first_declared(index, found)
            .and_then(|number| declared(number, "it is declared here first"))
            .into_iter()
            .collect(),
        "E217" => module_error(folder, script, found).into_iter().collect(),
        _ => Vec::new(),
    }
}

fn first_declared(index: &Index, found: &Diagnostic) -> Option<usize> {
    let again = index.definitions.iter().find(|known| known.span == found.span)?;
    index.definitions.iter().position(|known| {
        known.name == again.name
            && known.is_top == again.is_top
            && known.kind.is_handler() == again.kind.is_handler()
            && known.owner == again.owner
            && known.span.start < again.span.start
    })
}

/// The first error of the module that does not compile.
fn module_error(
    folder: &Folder<'_>,
    script: &Script,
    found: &Diagnostic,
) -> Option<DiagnosticRelatedInformation> {
    let used = script.index.definitions.iter().find(|known| known.whole == found.span)?;
    let (name, _) = used.path.as_ref()?;
    let module = folder.script(&folder.find_path(name)?)?;
    let errors = check(folder, script).remove(&module.path)?;
    let first = errors.iter().find(|error| error.is_error())?;
    let location = folder.location(&module, first.span)?;
    Some(DiagnosticRelatedInformation { location, message: format!("{} {}", first.code, first.message) })
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn pages_are_found_from_within_the_engines_folder() {
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        let pages = Pages::near(&[PathBuf::from("/nowhere"), here.join("src/lib.rs")]);
        let page = uri::to_path(&pages.page("E201").unwrap()).unwrap();
        assert!(page.ends_with("docs/reference/errors/E201.md") && page.is_file());
        // Not every code has a page.
        assert_eq!(pages.page("E999"), None);
        assert_eq!(Pages::near(&[PathBuf::from("/nowhere")]), Pages::Nowhere);
    }

    #[test]
    fn pages_can_be_at_an_address() {
        let page = |address: &str| Pages::at(address).page("E201").unwrap().as_str().to_owned();
        assert_eq!(page("https://example.org/errors/"), "https://example.org/errors/E201.md");
        assert_eq!(page("https://example.org/{code}.html"), "https://example.org/E201.html");
        assert_eq!(Pages::at("no address {code}").page("E201"), None);
    }
}
