//! The reference of the library: all that the environment offers is in it, its examples run, its pages are printed.

use std::path::{Path, PathBuf};

use sim::script_reference as reference;
use wander::reference::{Entry, Form, Page, Reference, printed};

use crate::{pages, world};

/// Pages whose examples need the engine: the others are run by the language's own tests.
fn own_pages() -> impl Iterator<Item = &'static Page> {
    let others = wander::reference::language().pages.len();
    reference().pages.iter().skip(others)
}

#[test]
fn all_that_the_environment_offers_is_in_the_reference_and_agrees() {
    let environment = sim::script_environment();
    let known = reference();
    for function in &environment.functions {
        let entry = known.function(function.area, function.name);
        let entry = entry.unwrap_or_else(|| panic!("{}.{} has no entry", function.area, function.name));
        assert_eq!(entry.form == Form::Value, function.property, "{}", entry.signature);
        assert_eq!(entry.arity(), function.arity, "{}", entry.signature);
    }
    for method in &environment.methods {
        let entry = known.member("entity", method.name);
        let entry = entry.unwrap_or_else(|| panic!("the method {} has no entry", method.name));
        assert_eq!((entry.form, entry.arity()), (Form::Method, method.arity), "{}", entry.signature);
    }
    for property in &environment.properties {
        let entry = known.member("entity", property.name);
        let entry = entry.unwrap_or_else(|| panic!("the property {} has no entry", property.name));
        assert_eq!(entry.form, Form::Property, "{}", entry.signature);
        assert_eq!(entry.about.contains("Only to be read"), !property.writable, "{}", entry.signature);
    }
    for handler in &environment.handlers {
        let entry = known.handler(handler.name);
        let entry = entry.unwrap_or_else(|| panic!("the handler {} has no entry", handler.name));
        let names: Vec<&str> = entry.parameters.iter().map(|parameter| parameter.name).collect();
        assert_eq!(names, handler.params, "{}", entry.signature);
    }
    for Entry { form, owner, name, signature, .. } in own_pages().flat_map(|page| &page.entries) {
        let is_known = match form {
            Form::Function | Form::Value => environment.function(owner, name).is_some(),
            Form::Method => *owner == "entity" && environment.method(name).is_some(),
            Form::Property => *owner == "entity" && environment.property(name).is_some(),
            Form::Handler => environment.handlers.iter().any(|handler| handler.name == *name),
        };
        assert!(is_known, "{signature} is in the reference, and there is no such thing");
    }
}

#[test]
fn nothing_is_in_the_reference_twice() {
    let mut seen = std::collections::BTreeSet::new();
    for Entry { form, owner, name, signature, .. } in reference().entries() {
        assert!(seen.insert((form, owner, name)), "{signature} twice");
    }
}

#[test]
fn every_example_does_what_it_says() {
    let mut wrong = String::new();
    for page in own_pages() {
        let mut mended = Vec::new();
        for entry in &page.entries {
            let found = world::run(&entry.example, "");
            let said: Vec<&str> = printed(&entry.example).collect();
            let is_styled = wander::format(&entry.example).as_ref() == Ok(&entry.example);
            if found.printed == said && found.findings.is_empty() && is_styled {
                continue;
            }
            wrong.push_str(&format!("{}\n{}{found:#?}\n\n", entry.signature, entry.example));
            if let Some(new) = pages::with_printed(&entry.example, &found.printed) {
                mended.push((entry.example.clone(), new));
            }
        }
        if std::env::var_os("UPDATE_EXPECT").is_some() && !mended.is_empty() {
            let path = format!("{}/src/scripts/reference/{}.txt", env!("CARGO_MANIFEST_DIR"), page.name);
            let text = std::fs::read_to_string(&path).unwrap();
            std::fs::write(path, pages::rewrite(&text, &mended)).unwrap();
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn the_pages_are_those_of_the_code() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference/library");
    let mut wanted: Vec<(PathBuf, String)> = vec![(folder.join("README.md"), index(reference()))];
    for page in &reference().pages {
        wanted.push((folder.join(format!("{}.md", page.name)), page.markdown()));
    }
    let is_update = std::env::var_os("UPDATE_EXPECT").is_some();
    if is_update {
        std::fs::create_dir_all(&folder).unwrap();
    }
    for (path, text) in &wanted {
        if is_update {
            std::fs::write(path, text).unwrap();
        }
        let found = std::fs::read_to_string(path).unwrap_or_default();
        assert!(found == *text, "{} is out of date: run the tests with UPDATE_EXPECT=1", path.display());
    }
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        assert!(wanted.iter().any(|(own, _)| *own == path), "{} is no page of the code", path.display());
    }
}

/// The page that lists the others, and on each what is there.
fn index(reference: &Reference) -> String {
    let mut text = String::from(
        "# The library\n\nPrinted from the code. In signatures `any` is every value, `place` a vector, an entity or a \
         list of two or three numbers; `a: number = 1` may be left out and is 1 then, `a?: number` may be left out; `…` \
         are more of the kind. Behind `-->` stands what an example prints. [The guide](../../WANDER.md) explains the \
         language.\n\n| page | what is there |\n|---|---|\n",
    );
    for page in &reference.pages {
        let names: Vec<String> = page.entries.iter().map(|entry| format!("`{}`", entry.name)).collect();
        text.push_str(&format!("| [{}]({}.md) | {} |\n", page.title, page.name, names.join(" ")));
    }
    text
}
