//! Reports errors with the messages of the parser generator.

use super::{Kind, Mistake, Read, Reader, Stop};
use crate::MAX_ISSUES;
use crate::issue::{Issue, IssueKind};

impl Reader<'_> {
    pub(super) fn syntax_error(&mut self, at: u32, message: &str) -> Read<()> {
        if self.reported >= MAX_ISSUES {
            let message = format!("Syntax error: More than {MAX_ISSUES} syntax errors");
            self.issues.push(Issue::new(at, IssueKind::Limit, message));
            return Err(Stop::GiveUp);
        }
        self.reported += 1;
        self.issues.push(Issue::new(at, IssueKind::Token, format!("Syntax error: {message}")));
        Ok(())
    }

    pub(super) fn report(&mut self, mistake: &Mistake) -> Read<()> {
        if self.recovering {
            return Ok(());
        }
        self.recovering = true;
        match *mistake {
            Mistake::Mismatch => {
                let message =
                    format!("mismatched input {} expecting {}", self.show(self.pos), self.show_expected());
                self.syntax_error(self.token(self.pos).at, &message)
            }
            Mistake::NoViable { start, offending } => {
                let (from, to) = (self.token(start), self.token(offending));
                let input = match from.kind {
                    Kind::Eof => "<EOF>".to_owned(),
                    _ => self.between(from.start as usize, to.end as usize),
                };
                // After a dot, such a word is a name.
                let word = input.strip_prefix('.').filter(|w| matches!(*w, "true" | "false" | "null"));
                let message = match word {
                    Some(word) => format!("mismatched input '{word}' expecting IDENTIFIER"),
                    None => format!("no viable alternative at input '{}'", escape(&input)),
                };
                self.syntax_error(to.at, &message)
            }
        }
    }

    /// The text of a range, without characters that are not tokens.
    fn between(&self, start: usize, end: usize) -> String {
        let mut out = String::new();
        let mut from = start;
        for skipped in self.lexed.skipped.iter().filter(|s| s.start >= start && s.end <= end) {
            out.push_str(&self.text[from..skipped.start]);
            from = skipped.end;
        }
        out.push_str(&self.text[from..end]);
        out
    }

    pub(super) fn report_unwanted(&mut self) -> Read<()> {
        if self.recovering {
            return Ok(());
        }
        self.recovering = true;
        let message = format!("extraneous input {} expecting {}", self.show(self.pos), self.show_expected());
        self.syntax_error(self.token(self.pos).at, &message)
    }

    pub(super) fn report_missing(&mut self) -> Read<()> {
        if self.recovering {
            return Ok(());
        }
        self.recovering = true;
        let message = format!("missing {} at {}", self.show_expected(), self.show(self.pos));
        self.syntax_error(self.token(self.pos).at, &message)
    }

    fn show(&self, pos: usize) -> String {
        let token = self.token(pos);
        if token.kind == Kind::Eof {
            return "'<EOF>'".to_owned();
        }
        format!("'{}'", escape(&self.text[token.start as usize..token.end as usize]))
    }

    fn show_expected(&self) -> String {
        let set = self.expected();
        let names: Vec<&str> = KINDS.into_iter().filter(|k| set.has(*k)).map(Kind::name).collect();
        if let [one] = names[..] { one.to_owned() } else { format!("{{{}}}", names.join(", ")) }
    }
}

fn escape(text: &str) -> String {
    text.replace('\t', "\\t").replace('\n', "\\n").replace('\r', "\\r")
}

/// All kinds of tokens, in the order in which messages list them.
pub(super) const KINDS: [Kind; 36] = [
    Kind::Eof,
    Kind::Equals,
    Kind::NotEquals,
    Kind::In,
    Kind::Less,
    Kind::LessEquals,
    Kind::GreaterEquals,
    Kind::Greater,
    Kind::And,
    Kind::Or,
    Kind::LBracket,
    Kind::RBracket,
    Kind::LBrace,
    Kind::RBrace,
    Kind::LParen,
    Kind::RParen,
    Kind::Dot,
    Kind::Comma,
    Kind::Minus,
    Kind::Exclam,
    Kind::Question,
    Kind::Colon,
    Kind::Plus,
    Kind::Star,
    Kind::Slash,
    Kind::Percent,
    Kind::True,
    Kind::False,
    Kind::Null,
    Kind::Float,
    Kind::Int,
    Kind::Uint,
    Kind::String,
    Kind::Bytes,
    Kind::Ident,
    Kind::EscIdent,
];
