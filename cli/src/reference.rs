//! `docs/reference/cli.md` is printed from the options themselves; `UPDATE_EXPECT=1` writes it anew.

use clap::CommandFactory;

/// The page: every verb's help as people see it.
fn page() -> String {
    let mut command = crate::Options::command().term_width(100);
    command.build();
    let mut page = String::from(
        "# `skywalker`, the command line\n\nPrinted from the code: `UPDATE_EXPECT=1 cargo test -p skywalker` writes it anew.\n",
    );
    let mut add = |title: &str, help: String| {
        let help: Vec<&str> = help.lines().map(str::trim_end).collect();
        page.push_str(&format!("\n## `{title}`\n\n```text\n{}\n```\n", help.join("\n").trim_end()));
    };
    add("skywalker", command.render_long_help().to_string());
    for verb in command.get_subcommands_mut().filter(|verb| verb.get_name() != "help") {
        add(&format!("skywalker {}", verb.get_name()), verb.render_long_help().to_string());
    }
    page
}

#[test]
fn the_reference_page_says_what_the_help_says() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/reference/cli.md");
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(path, page()).unwrap();
    }
    let written = std::fs::read_to_string(path).unwrap_or_default();
    assert_eq!(written, page(), "UPDATE_EXPECT=1 writes the page anew");
}
