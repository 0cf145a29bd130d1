//! The log: the last lines of scripts, tools and the engine, readable with a cursor and without silent loss.

use std::collections::VecDeque;

use base::Tick;
use serde::Serialize;

/// Lines kept; older ones are dropped and counted.
const MOST_LINES: usize = 10_000;

/// How much a line matters; syslog's names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Level {
    /// For whoever looks for a fault.
    Debug,
    /// Worth knowing.
    Info,
    /// Probably wrong.
    Warning,
    /// Wrong.
    Error,
}

impl Level {
    /// The name in results and notices.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Debug => "debug",
            Self::Info => "info",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }

    /// The level of this name.
    pub fn find(name: &str) -> Option<Self> {
        [Self::Debug, Self::Info, Self::Warning, Self::Error].into_iter().find(|level| level.name() == name)
    }
}

/// One line.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LogEntry {
    /// Ascending from 1, never reused: the cursor.
    pub seq: u64,
    /// When, in ticks.
    pub tick: u64,
    /// How much it matters.
    pub level: Level,
    /// Who says it: a script's path, `engine`, `tools`.
    pub source: String,
    /// What.
    pub text: String,
    /// How many times in a row it was said.
    pub count: u32,
}

/// The lines.
#[derive(Debug, Default)]
pub struct Log {
    lines: VecDeque<LogEntry>,
    last: u64,
    fresh: Vec<LogEntry>,
}

impl Log {
    /// Adds a line. The same line said again by the same source in a row is counted, not repeated.
    pub fn add(&mut self, tick: Tick, level: Level, source: &str, text: &str) {
        // Text of scripts reaches terminals: no control character but the line break goes through.
        let clean: String = text
            .chars()
            .map(|c| if c.is_control() && c != '\n' && c != '\t' { '\u{fffd}' } else { c })
            .collect();
        if let Some(last) = self.lines.back_mut()
            && last.level == level
            && last.source == source
            && last.text == clean
        {
            last.count += 1;
            last.tick = tick.0;
            return;
        }
        self.last += 1;
        let entry = LogEntry {
            seq: self.last,
            tick: tick.0,
            level,
            source: source.to_owned(),
            text: clean,
            count: 1,
        };
        self.fresh.push(entry.clone());
        self.lines.push_back(entry);
        if self.lines.len() > MOST_LINES {
            self.lines.pop_front();
        }
    }

    /// The number of the newest line, 0 where there is none.
    pub fn last(&self) -> u64 {
        self.last
    }

    /// Lines after `since`, oldest first, and how many of them are no longer kept.
    pub fn after(&self, since: u64) -> (impl Iterator<Item = &LogEntry>, u64) {
        let first = self.lines.front().map_or(self.last + 1, |entry| entry.seq);
        let lost = first.saturating_sub(since + 1);
        let skip = (since + 1).saturating_sub(first) as usize;
        (self.lines.iter().skip(skip), lost)
    }

    /// Lines added since this was last asked, for notices and terminals.
    pub fn take_fresh(&mut self) -> Vec<LogEntry> {
        std::mem::take(&mut self.fresh)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_misses_no_line_and_is_told_what_is_gone() {
        let mut log = Log::default();
        for number in 0..MOST_LINES as u64 + 5 {
            log.add(Tick(number), Level::Info, "a", &number.to_string());
        }
        let (lines, lost) = log.after(0);
        assert_eq!((lines.count(), lost), (MOST_LINES, 5));
        let (mut lines, lost) = log.after(log.last() - 1);
        assert_eq!((lines.next().map(|line| line.tick), lost), (Some(MOST_LINES as u64 + 4), 0));
    }

    #[test]
    fn a_line_said_again_is_counted_and_control_characters_do_not_pass() {
        let mut log = Log::default();
        log.add(Tick(1), Level::Error, "s", "\u{1b}[2Jboom");
        log.add(Tick(2), Level::Error, "s", "\u{1b}[2Jboom");
        let (lines, _) = log.after(0);
        let lines: Vec<_> = lines.collect();
        assert_eq!((lines.len(), lines[0].count, lines[0].text.as_str()), (1, 2, "\u{fffd}[2Jboom"));
    }
}
