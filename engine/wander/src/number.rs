//! Numbers as text: the shortest digits that read back the same, on every platform.

/// The text of a number: no `.0`, exponents from 1e21 and below 1e-6.
pub fn text(number: f64) -> String {
    if number == 0.0 {
        return "0".to_owned();
    }
    if number.is_nan() {
        return "nan".to_owned();
    }
    if number.is_infinite() {
        return if number > 0.0 { "inf" } else { "-inf" }.to_owned();
    }
    let size = number.abs();
    if (1e-6..1e21).contains(&size) {
        // Rust's own formatting is shortest round-trip and never uses exponents here.
        return format!("{number}");
    }
    let text = format!("{number:e}");
    match text.split_once('e') {
        Some((digits, exponent)) if !exponent.starts_with('-') => format!("{digits}e+{exponent}"),
        _ => text,
    }
}

/// The text of a 32-bit number, in its own shortest digits.
pub fn text32(number: f32) -> String {
    format!("{number}").parse::<f64>().map_or_else(|_| number.to_string(), text)
}

/// The number that a text is, all of it.
pub fn parse(text: &str) -> Option<f64> {
    let text = text.trim();
    let plain = text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'.' | b'+' | b'-' | b'e' | b'E'));
    if !plain {
        return None;
    }
    text.parse().ok().filter(|number: &f64| number.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_as_people_write_them() {
        for (number, expected) in [
            (3.0, "3"),
            (0.5, "0.5"),
            (-0.0, "0"),
            (1e21, "1e+21"),
            (1e-7, "1e-7"),
            (0.1 + 0.2, "0.30000000000000004"),
            (1e20, "100000000000000000000"),
        ] {
            assert_eq!(text(number), expected);
        }
        assert_eq!(text32(0.1), "0.1");
        assert_eq!((parse(" 12.5 "), parse("nan"), parse("0x10"), parse("")), (Some(12.5), None, None, None));
    }
}
