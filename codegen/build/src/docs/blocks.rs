//! The structure of descriptions: paragraphs, lists, headings and code. Everything in them is text: pages write the
//! elements around it, and escape it.

/// A part of a description. Starts and ends are balanced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Block {
    Start(Element),
    End(Element),
    /// The text of a paragraph or item. It may have line breaks.
    Text(String),
    Heading(String),
    Code(String),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Element {
    Paragraph,
    List,
    Numbered,
    Item,
}

/// A line that is shorter than this was not wrapped by an editor.
const WRAPPED: usize = 48;

/// The maximum nesting of lists. Deeper items are in the deepest list.
const DEEPEST: usize = 6;

/// With this indentation, lines after an empty line are code.
const CODE_INDENT: usize = 4;

/// Splits a description into blocks. A text of one paragraph has no element around it.
pub(super) fn blocks(text: &str) -> Vec<Block> {
    let mut parser = Parser::default();
    let mut lines = text.trim_end().lines().peekable();
    while let Some(line) = lines.next() {
        let (indent, rest) = (indent(line), line.trim());
        if let Some(fence) = rest.get(..3).filter(|it| matches!(*it, "```" | "~~~")) {
            let code = lines.by_ref().take_while(|line| !line.trim_start().starts_with(fence));
            let code = code.collect();
            parser.code(code);
        } else if rest.is_empty() {
            parser.end_text();
        } else if let Some((element, item)) = item(rest) {
            parser.item(indent, element, item);
        } else if parser.lists.is_empty() && parser.text.is_none() && indent >= CODE_INDENT {
            let mut code = vec![line];
            while let Some(more) = lines.next_if(|line| self::indent(line) >= CODE_INDENT) {
                code.push(more);
            }
            parser.code(code);
        } else {
            parser.line(indent, rest);
        }
    }
    parser.end()
}

/// The width of the white space in front of a line.
fn indent(line: &str) -> usize {
    line.chars().take_while(|c| c.is_whitespace()).map(|c| if c == '\t' { 4 } else { 1 }).sum()
}

/// The text of a list item.
fn item(line: &str) -> Option<(Element, &str)> {
    let after = |rest: &str| rest.starts_with(char::is_whitespace) && !rest.trim().is_empty();
    if let Some(rest) = line.strip_prefix(['-', '*', '+', '•']) {
        return after(rest).then(|| (Element::List, rest.trim()));
    }
    let rest = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let digits = line.len() - rest.len();
    let rest = rest.strip_prefix(['.', ')'])?;
    ((1..=2).contains(&digits) && after(rest)).then(|| (Element::Numbered, rest.trim()))
}

/// The text of a heading.
fn heading(line: &str) -> Option<&str> {
    let text = line.trim_start_matches('#');
    let level = line.len() - text.len();
    ((1..=6).contains(&level) && text.starts_with(' ')).then(|| text.trim())
}

#[derive(Default)]
struct Parser {
    out: Vec<Block>,
    /// The open lists, with their indentation. Each has an open item.
    lists: Vec<(usize, Element)>,
    text: Option<Text>,
}

/// The text of the current paragraph or item.
struct Text {
    text: String,
    /// Whether its last line was wrapped by an editor.
    is_wrapped: bool,
    /// Whether it is the first text of an item.
    is_item: bool,
}

impl Parser {
    fn line(&mut self, indent: usize, line: &str) {
        // Lines of an item are indented, or follow a wrapped line.
        let is_outside =
            |text: Option<&Text>, list: usize| indent <= list && !text.is_some_and(|text| text.is_wrapped);
        while self.lists.last().is_some_and(|(list, _)| is_outside(self.text.as_ref(), *list)) {
            self.end_list();
        }
        if self.text.is_none()
            && let Some(heading) = heading(line)
        {
            self.out.push(Block::Heading(heading.to_owned()));
            return;
        }
        self.add(line);
    }

    fn add(&mut self, line: &str) {
        let text =
            self.text.get_or_insert_with(|| Text { text: String::new(), is_wrapped: false, is_item: false });
        if !text.text.is_empty() {
            text.text.push(if text.is_wrapped { ' ' } else { '\n' });
        }
        text.text.push_str(line);
        text.is_wrapped = line.chars().count() >= WRAPPED;
    }

    fn item(&mut self, indent: usize, element: Element, line: &str) {
        self.end_text();
        while self.lists.last().is_some_and(|(list, _)| *list >= indent + 2) {
            self.end_list();
        }
        let is_inside = |(list, _): &(usize, Element)| indent >= *list + 2;
        let is_nested = self.lists.last().is_none_or(is_inside) && self.lists.len() < DEEPEST;
        if !is_nested && self.lists.last().is_some_and(|(_, open)| *open != element) {
            self.end_list();
        }
        if is_nested || self.lists.is_empty() {
            self.lists.push((indent, element));
            self.out.push(Block::Start(element));
        } else if self.lists.last().is_some_and(|(_, open)| *open == element) {
            self.out.push(Block::End(Element::Item));
        } else {
            // The list around has other marks, so this is a list in its item.
            self.lists.push((indent, element));
            self.out.push(Block::Start(element));
        }
        self.out.push(Block::Start(Element::Item));
        self.text = Some(Text { text: String::new(), is_wrapped: false, is_item: true });
        self.add(line);
    }

    fn code(&mut self, lines: Vec<&str>) {
        self.end_text();
        let least = lines.iter().filter(|line| !line.trim().is_empty()).map(|line| white_space(line)).min();
        let lines = lines.iter().map(|line| line.get(least.unwrap_or(0)..).unwrap_or_default().trim_end());
        self.out.push(Block::Code(lines.collect::<Vec<_>>().join("\n")));
    }

    fn end_text(&mut self) {
        match self.text.take() {
            Some(Text { text, is_item: true, .. }) => self.out.push(Block::Text(text)),
            Some(Text { text, .. }) => self.out.extend([
                Block::Start(Element::Paragraph),
                Block::Text(text),
                Block::End(Element::Paragraph),
            ]),
            None => {}
        }
    }

    fn end_list(&mut self) {
        self.end_text();
        if let Some((_, list)) = self.lists.pop() {
            self.out.extend([Block::End(Element::Item), Block::End(list)]);
        }
    }

    fn end(mut self) -> Vec<Block> {
        self.end_text();
        while !self.lists.is_empty() {
            self.end_list();
        }
        if self.out.len() == 3 && self.out[0] == Block::Start(Element::Paragraph) {
            self.out = self.out.drain(1..2).collect();
        }
        self.out
    }
}

/// The length of the white space in front of a line.
fn white_space(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

#[cfg(test)]
mod tests {
    use super::{Block, Element, blocks};

    /// Writes blocks in a short form.
    fn shown(text: &str) -> String {
        let element = |element| match element {
            Element::Paragraph => "p",
            Element::List => "ul",
            Element::Numbered => "ol",
            Element::Item => "li",
        };
        let block = |block: Block| match block {
            Block::Start(it) => format!("<{}>", element(it)),
            Block::End(it) => format!("</{}>", element(it)),
            Block::Text(text) => text.replace('\n', "|"),
            Block::Heading(text) => format!("<h>{text}</h>"),
            Block::Code(text) => format!("<pre>{}</pre>", text.replace('\n', "|")),
        };
        blocks(text).into_iter().map(block).collect()
    }

    #[test]
    fn descriptions_have_structure() {
        let long = "a line that is as long as the editor of its author allows";
        for (text, wanted) in [
            ("one", "one".to_owned()),
            ("short\nlines", "short|lines".to_owned()),
            (&format!("{long}\nand goes on"), format!("{long} and goes on")),
            ("one\n\ntwo", "<p>one</p><p>two</p>".to_owned()),
            (
                "one:\n- a\n  more\n- b\n\nend",
                "<p>one:</p><ul><li>a|more</li><li>b</li></ul><p>end</p>".to_owned(),
            ),
            ("* a\n\n  still a\n* b", "<ul><li>a<p>still a</p></li><li>b</li></ul>".to_owned()),
            (
                " - a\n   1. b\n   2) c\n - d",
                "<ul><li>a<ol><li>b</li><li>c</li></ol></li><li>d</li></ul>".to_owned(),
            ),
            ("- a\n1. b", "<ul><li>a</li></ul><ol><li>b</li></ol>".to_owned()),
            (
                &format!("- {long}\nand goes on\nend"),
                format!("<ul><li>{long} and goes on</li></ul><p>end</p>"),
            ),
            ("use:\n\n\tfoo:\n\t  bar\n\nend", "<p>use:</p><pre>foo:|  bar</pre><p>end</p>".to_owned()),
            ("```yaml\na: 1\n```\nend", "<pre>a: 1</pre><p>end</p>".to_owned()),
            ("## Title\ntext", "<h>Title</h><p>text</p>".to_owned()),
            ("-1 is\n-- not\n2026. a list\n#1", "-1 is|-- not|2026. a list|#1".to_owned()),
        ] {
            assert_eq!(shown(text), wanted, "{text:?}");
        }
    }

    #[test]
    fn starts_and_ends_are_balanced() {
        let pieces =
            ["- a\n", "  * b\n", "      1. c\n", "\n", "text\n", "```\n", "    code\n", "# h\n", "2) d\n"];
        // All texts of four pieces.
        for number in 0..pieces.len().pow(4) {
            let mut rest = number;
            let text: String = (0..4)
                .map(|_| {
                    let at = rest % pieces.len();
                    rest /= pieces.len();
                    pieces[at]
                })
                .collect();
            let mut open = Vec::new();
            for block in blocks(&text) {
                match block {
                    Block::Start(element) => open.push(element),
                    Block::End(element) => assert_eq!(open.pop(), Some(element), "{text:?}"),
                    Block::Text(_) | Block::Heading(_) | Block::Code(_) => {}
                }
            }
            assert_eq!(open, [], "{text:?}");
        }
    }
}
