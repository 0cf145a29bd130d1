//! Did-you-mean: the nearest valid names to a word that is none.

/// At most this many names are suggested: more is noise.
const MOST: usize = 2;

/// Longer words are no misspelled names, and comparing them takes time that strangers could waste.
const LONGEST: usize = 64;

/// The valid names nearest to `word`, best first, at most two. Near means a Damerau–Levenshtein distance of at most
/// a third of the word's length (one at least), ignoring case; equal distances keep the order of `names`.
pub fn nearest<'a>(word: &str, names: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    if word.len() > LONGEST {
        return Vec::new();
    }
    let lower = word.to_lowercase();
    let length = word.chars().count();
    let limit = (length / 3).max(1);
    let mut found: Vec<(usize, &str)> = names
        .into_iter()
        // Words whose lengths differ by more are further apart: most need no comparison.
        .filter(|name| name.chars().count().abs_diff(length) <= limit)
        .filter_map(|name| {
            let distance = strsim::damerau_levenshtein(&lower, &name.to_lowercase());
            (distance <= limit && name != word && parts_are_near(&lower, &name.to_lowercase()))
                .then_some((distance, name))
        })
        .collect();
    found.sort_by_key(|(distance, _)| *distance);
    found.into_iter().take(MOST).map(|(_, name)| name.to_owned()).collect()
}

/// Of names made of as many words, each word must be near its counterpart: `entity_create` is no misspelled
/// `entity_update`, however long the part they share.
fn parts_are_near(word: &str, name: &str) -> bool {
    let (word_parts, name_parts): (Vec<_>, Vec<_>) = (word.split('_').collect(), name.split('_').collect());
    word_parts.len() != name_parts.len()
        || word_parts
            .iter()
            .zip(&name_parts)
            .all(|(word, name)| strsim::damerau_levenshtein(word, name) <= (word.chars().count() / 3).max(1))
}

/// "did you mean `a` or `b`?", or nothing where there is nothing near.
pub fn did_you_mean(near: &[String]) -> Option<String> {
    match near {
        [] => None,
        [one] => Some(format!("did you mean `{one}`?")),
        [one, two, ..] => Some(format!("did you mean `{one}` or `{two}`?")),
    }
}

/// "a, b, c" for messages that list what exists; past `most` names it says how many more there are.
pub fn list<'a>(names: impl IntoIterator<Item = &'a str>, most: usize) -> String {
    let names: Vec<&str> = names.into_iter().collect();
    let shown = names.iter().take(most).copied().collect::<Vec<_>>().join(", ");
    match names.len().checked_sub(most) {
        Some(rest) if rest > 0 => format!("{shown} and {rest} more"),
        _ => shown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_names_come_first_and_far_ones_not_at_all() {
        let names = ["radius", "range", "center", "color"];
        assert_eq!(nearest("raduis", names), ["radius"]);
        assert_eq!(nearest("centre", names), ["center"]);
        assert_eq!(nearest("zebra", names), Vec::<String>::new());
        assert_eq!(nearest("Radius", names), ["radius"]);
    }

    #[test]
    fn a_long_common_prefix_alone_is_not_near() {
        assert_eq!(nearest("entity_create", ["entity_update"]), Vec::<String>::new());
    }

    #[test]
    fn a_word_too_long_to_be_a_name_has_no_nearest() {
        let (long, misspelled) = ("r".repeat(65), "r".repeat(64));
        assert_eq!(nearest(&long, [misspelled.as_str()]), Vec::<String>::new());
        assert_eq!(nearest(&misspelled, [long.as_str()]), [long.as_str()]);
    }

    #[test]
    fn lists_say_how_much_they_leave_out() {
        assert_eq!(list(["a", "b", "c"], 2), "a, b and 1 more");
        assert_eq!(list(["a", "b"], 2), "a, b");
    }
}
