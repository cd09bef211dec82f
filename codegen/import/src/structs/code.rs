//! Writes code as rustfmt formats it. `import` writes only a few forms of items, so it needs no formatter, which would
//! take more time than everything else. A test compares the result with rustfmt.

use super::attributes::{Attribute, WIDTH, newline};

/// The indentation per level.
const STEP: usize = 4;

/// Code under construction.
#[derive(Clone, Debug, Default)]
pub(super) struct Code {
    text: String,
    /// The indentation of the next line, in levels.
    depth: usize,
}

impl Code {
    /// Empty code inside `depth` modules.
    pub(super) fn inside(depth: usize) -> Code {
        Code { text: String::new(), depth }
    }

    pub(super) fn into_text(self) -> String {
        self.text
    }

    pub(super) fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// Empty code for the members of an item in this code.
    pub(super) fn members(&self) -> Code {
        Code { text: String::new(), depth: self.depth + 1 }
    }

    /// Adds an empty line.
    pub(super) fn blank(&mut self) {
        self.text.push('\n');
    }

    /// Adds an empty line, unless this is the beginning.
    pub(super) fn blank_between(&mut self) {
        if !self.is_empty() {
            self.blank();
        }
    }

    /// Adds code of the same depth.
    pub(super) fn append(&mut self, code: Code) {
        self.text.push_str(&code.text);
    }

    /// Adds lines as they are.
    pub(super) fn lines(&mut self, text: &str) {
        for line in text.lines() {
            if !line.is_empty() {
                self.indent();
                self.text.push_str(line);
            }
            self.text.push('\n');
        }
    }

    /// Adds an attribute or doc comment.
    pub(super) fn attribute(&mut self, attribute: &Attribute) {
        self.indent();
        attribute.write(self.depth * STEP, &mut self.text);
        self.text.push('\n');
    }

    pub(super) fn attributes(&mut self, attributes: &[Attribute]) {
        attributes.iter().for_each(|attribute| self.attribute(attribute));
    }

    /// `head { members }`
    pub(super) fn braces(&mut self, head: &str, members: Code) {
        self.indent();
        self.text.push_str(head);
        if head.len() + " {".len() <= WIDTH {
            self.text.push(' ');
        } else {
            newline(self.depth * STEP, &mut self.text);
        }
        if members.is_empty() {
            self.text.push_str("{}\n");
            return;
        }
        self.text.push_str("{\n");
        self.text.push_str(&members.text);
        self.lines("}");
    }

    /// `pub name: ty,`
    pub(super) fn field(&mut self, name: &str, ty: &str) {
        self.indent();
        self.text.push_str("pub ");
        self.text.push_str(name);
        self.text.push(':');
        let below = (self.depth + 1) * STEP;
        if !self.has_room(ty.len() + 2) && below + ty.len() < WIDTH {
            newline(below, &mut self.text);
        } else {
            self.text.push(' ');
        }
        self.ty(ty, self.depth, 1);
        self.text.push_str(",\n");
    }

    /// `name(ty),`
    pub(super) fn variant(&mut self, name: &str, ty: &str) {
        self.indent();
        self.text.push_str(name);
        if self.has_room(ty.len() + 3) {
            self.text.push('(');
            self.text.push_str(ty);
            self.text.push_str("),\n");
            return;
        }
        self.text.push('(');
        newline((self.depth + 1) * STEP, &mut self.text);
        self.ty(ty, self.depth + 1, 1);
        self.text.push(',');
        newline(self.depth * STEP, &mut self.text);
        self.text.push_str("),\n");
    }

    /// `head::{names};`
    pub(super) fn uses(&mut self, head: &str, names: &[&str]) {
        self.indent();
        self.text.push_str(head);
        self.text.push_str("::");
        if let [name] = names {
            self.text.push_str(name);
            self.text.push_str(";\n");
            return;
        }
        let flat = names.join(", ");
        if self.has_room(flat.len() + 3) {
            self.text.push('{');
            self.text.push_str(&flat);
            self.text.push_str("};\n");
            return;
        }
        self.text.push('{');
        newline((self.depth + 1) * STEP, &mut self.text);
        for (i, name) in names.iter().enumerate() {
            if i > 0 {
                // rustfmt keeps one column free.
                if self.has_room(1 + name.len() + 2) {
                    self.text.push(' ');
                } else {
                    newline((self.depth + 1) * STEP, &mut self.text);
                }
            }
            self.text.push_str(name);
            self.text.push(',');
        }
        newline(self.depth * STEP, &mut self.text);
        self.text.push_str("};\n");
    }

    /// Writes a type at the end of a line that has `after` more characters. If it is too long, it is broken at its
    /// brackets.
    fn ty(&mut self, ty: &str, depth: usize, after: usize) {
        let inside = ty.split_once('<').and_then(|(name, rest)| Some((name, rest.strip_suffix('>')?)));
        let (Some((name, arguments)), false) = (inside, self.has_room(ty.len() + after)) else {
            self.text.push_str(ty);
            return;
        };
        self.text.push_str(name);
        self.text.push('<');
        // Only maps have two arguments, and their keys have no arguments.
        let (key, value) = match arguments.split_once(", ") {
            Some((key, value)) if !key.contains('<') => (Some(key), value),
            Some(_) | None => (None, arguments),
        };
        if let Some(key) = key {
            newline((depth + 1) * STEP, &mut self.text);
            self.text.push_str(key);
            self.text.push(',');
        }
        newline((depth + 1) * STEP, &mut self.text);
        self.ty(value, depth + 1, 1);
        self.text.push(',');
        newline(depth * STEP, &mut self.text);
        self.text.push('>');
    }

    /// Whether the line has room for this number of characters.
    fn has_room(&self, more: usize) -> bool {
        let line = &self.text[self.text.rfind('\n').map_or(0, |at| at + 1)..];
        line.len() + more <= WIDTH
    }

    /// The characters before the first one of a new line.
    pub(super) fn indentation(&self) -> usize {
        self.depth * STEP
    }

    fn indent(&mut self) {
        self.text.extend(std::iter::repeat_n(' ', self.indentation()));
    }
}
