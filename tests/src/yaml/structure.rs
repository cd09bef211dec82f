//! Generates structures in random styles.

use crate::rng::Rng;

/// Returns a text with one or more random documents.
pub fn structure(rng: &mut Rng) -> Vec<u8> {
    let mut writer = Writer { out: String::new(), anchors: 0, rng };
    for i in 0..1 + usize::from(writer.rng.chance(15)) {
        if i > 0 || writer.rng.chance(10) {
            writer.out.push_str("---\n");
        }
        writer.block(0, 4);
        if !writer.out.ends_with('\n') {
            writer.out.push('\n');
        }
    }
    let mut text = writer.out;
    if rng.chance(5) {
        text = text.replace('\n', "\r\n");
    }
    text.into_bytes()
}

struct Writer<'r> {
    out: String,
    anchors: usize,
    rng: &'r mut Rng,
}

const PLAIN: &[&str] = &[
    "a",
    "b",
    "c",
    "kind",
    "yes",
    "no",
    "on",
    "off",
    "y",
    "n",
    "true",
    "null",
    "~",
    "0",
    "1",
    "-1",
    "0777",
    "0x1F",
    "1_000",
    "1.5",
    "1e3",
    ".5",
    "1.0",
    ".inf",
    "2001-01-01",
    "12:30:45",
    "a b",
    "a: b",
    "a#b",
    "a #b",
    "-",
    "- a",
    "?",
    ":",
    "::",
    "a:b",
    "<<",
    "=",
    "0o17",
    "0b11",
    "-0",
    "+1",
    "1.",
    "é",
    "日本",
    "a'b",
    "a\"b",
    "",
    "{}",
    "[]",
    "*a",
    "&a",
    "!a",
    "|",
    ">",
    "%",
    "@",
    "`",
    "#",
    "9223372036854775807",
    "9223372036854775808",
    "18446744073709551616",
    "1e400",
    "-.INF",
    ".NaN",
    "08",
    "1__0",
    "a,b",
    "[a",
    "b]",
];

impl Writer<'_> {
    fn indent(&mut self, n: usize) {
        self.out.extend(std::iter::repeat_n(' ', n));
    }

    fn comment(&mut self) {
        match self.rng.below(12) {
            0 => self.out.push_str(" # c"),
            1 => self.out.push(' '),
            2 => self.out.push_str("\n\n# c"),
            _ => {}
        }
        self.out.push('\n');
    }

    fn properties(&mut self) {
        match self.rng.below(24) {
            0 => {
                self.out.push_str(&format!("&a{} ", self.anchors));
                self.anchors += 1;
            }
            1 => {
                let tag = *self.rng.pick(&[
                    "!!str ",
                    "!!int ",
                    "!!float ",
                    "!!bool ",
                    "!!map ",
                    "!!seq ",
                    "!x ",
                    "! ",
                    "!<x> ",
                    "!!binary ",
                ]);
                self.out.push_str(tag);
            }
            _ => {}
        }
    }

    /// Writes a block node at the start of a line, or after existing text.
    fn block(&mut self, indent: usize, depth: usize) {
        match self.rng.below(10) {
            0..=4 if depth > 0 => self.map(indent, depth),
            5..=6 if depth > 0 => self.list(indent, depth),
            7 => {
                self.indent(indent);
                self.flow(3);
                self.comment();
            }
            _ => {
                self.indent(indent);
                self.scalar(indent + 1);
                self.comment();
            }
        }
    }

    fn map(&mut self, indent: usize, depth: usize) {
        for _ in 0..1 + self.rng.below(4) {
            self.indent(indent);
            if self.rng.chance(6) {
                self.out.push_str("? ");
                self.key();
                self.out.push('\n');
                self.indent(indent);
                self.out.push(':');
            } else if self.anchors > 0 && self.rng.chance(10) {
                self.out.push_str("<<:");
            } else {
                self.key();
                self.out.push(':');
            }
            self.value(indent, depth, true);
        }
    }

    fn list(&mut self, indent: usize, depth: usize) {
        for _ in 0..1 + self.rng.below(4) {
            self.indent(indent);
            self.out.push('-');
            self.value(indent, depth, false);
        }
    }

    /// Writes what follows a colon or a dash.
    fn value(&mut self, indent: usize, depth: usize, in_map: bool) {
        if self.anchors > 0 && self.rng.chance(12) {
            let anchor = self.rng.below(self.anchors);
            self.out.push_str(&format!(" *a{anchor}"));
            return self.comment();
        }
        self.out.push(' ');
        self.properties();
        match self.rng.below(10) {
            0..=3 if depth > 0 => {
                self.comment();
                let loose = in_map && self.rng.chance(30);
                let step = 1 + self.rng.below(3);
                if loose { self.list(indent, depth - 1) } else { self.block(indent + step, depth - 1) }
            }
            4 if depth > 0 && !in_map => {
                // A map that starts after the dash.
                self.key();
                self.out.push(':');
                self.value(indent + 2, depth - 1, true);
            }
            5 => {
                self.flow(3);
                self.comment();
            }
            6 => self.block_scalar(indent),
            _ => {
                self.scalar(indent + 1);
                self.comment();
            }
        }
    }

    fn key(&mut self) {
        if self.rng.chance(50) {
            let key = *self
                .rng
                .pick(&["a", "b", "c", "d", "e", "f", "yes", "1", "\"1\"", "1.5", "true", "~", "0x1"]);
            self.out.push_str(key);
        } else {
            self.scalar(0);
        }
    }

    /// Writes a plain or quoted scalar, on several lines if the indentation is not 0.
    fn scalar(&mut self, indent: usize) {
        let text = *self.rng.pick(PLAIN);
        match self.rng.below(8) {
            0 => self.out.push_str(&format!("'{}'", text.replace('\'', "''"))),
            1 => self.out.push_str(&format!("{text:?}")),
            2 if indent > 0 => {
                let quote = *self.rng.pick(&["", "'", "\""]);
                self.out.push_str(&format!("{quote}one"));
                for _ in 0..1 + self.rng.below(3) {
                    let blank = *self.rng.pick(&["\n", "\n\n", " \n \n", "\\\n", "\n\t"]);
                    self.out.push_str(if quote == "\"" { blank } else { blank.trim_start_matches('\\') });
                    self.indent(indent);
                    let word = *self.rng.pick(&["two", "# three", "four: five", "- six", "x  y", "\\t"]);
                    self.out.push_str(word);
                }
                self.out.push_str(quote);
            }
            _ => self.out.push_str(text),
        }
    }

    fn block_scalar(&mut self, indent: usize) {
        let head = *self.rng.pick(&["|", ">", "|-", ">-", "|+", ">+", "|2", ">1-", "|-1", "|2+ # c"]);
        self.out.push_str(head);
        self.out.push('\n');
        let step = 1 + self.rng.below(3);
        for _ in 0..self.rng.below(5) {
            let deeper = if self.rng.chance(20) { self.rng.below(4) } else { 0 };
            self.indent(indent + step + deeper);
            let line = *self.rng.pick(&[
                "text",
                "",
                "# no comment",
                "\ttab",
                "a: b",
                "  more",
                "end  ",
                "é\u{2028}x",
                "- x",
            ]);
            self.out.push_str(line);
            self.out.push('\n');
        }
    }

    fn flow(&mut self, depth: usize) {
        match self.rng.below(3) {
            0 if depth > 0 => {
                self.out.push('[');
                for _ in 0..self.rng.below(4) {
                    self.flow_item(depth);
                    let comma = *self.rng.pick(&[", ", ",", " , ", ",\n ", ", # c\n "]);
                    self.out.push_str(comma);
                }
                self.flow_item(depth);
                self.out.push(']');
            }
            1 if depth > 0 => {
                self.out.push('{');
                for i in 0..self.rng.below(4) {
                    if i > 0 {
                        self.out.push_str(", ");
                    }
                    self.flow_pair(depth);
                }
                self.out.push('}');
            }
            _ => self.scalar(0),
        }
    }

    fn flow_item(&mut self, depth: usize) {
        match self.rng.below(8) {
            0 => self.flow_pair(depth),
            1 => {}
            _ => self.flow(depth - 1),
        }
    }

    fn flow_pair(&mut self, depth: usize) {
        if self.rng.chance(10) {
            self.out.push_str("? ");
        }
        self.key();
        let colon = *self.rng.pick(&[": ", ": ", ":", " : ", "", ":\n "]);
        self.out.push_str(colon);
        if self.rng.chance(85) {
            self.flow(depth - 1);
        }
    }
}
