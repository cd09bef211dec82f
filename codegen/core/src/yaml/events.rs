//! From text to nodes.

use super::problem::Problem;
use super::tree::{Kind, Node, Style, Tag, Tree};
use libyaml_safer::{EventData, MappingStyle, Parser, ScalarStyle, SequenceStyle};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// The nodes of the first document of a text.
pub(super) fn parse(text: &str) -> Result<Tree<'static>, Problem> {
    let text = format!("{text}\n");
    let mut input = text.as_bytes();
    let mut parser = Parser::new();
    parser.set_input_string(&mut input);
    let mut tree = Tree::default();
    let mut open = Vec::new();
    let mut anchors = BTreeMap::new();
    loop {
        let event = parser.parse().map_err(|e| {
            let line = e.problem_mark().map_or(0, |m| m.line + 1);
            Problem::at(0, format!("yaml: line {line}: {}", e.problem()))
        })?;
        let (kind, anchor) = match event.data {
            EventData::StreamStart { .. } | EventData::DocumentStart { .. } => continue,
            EventData::StreamEnd | EventData::DocumentEnd { .. } => return Ok(tree),
            EventData::Alias { anchor } => {
                let Some(target) = anchors.get(&anchor) else {
                    return Err(Problem::at(0, format!("yaml: unknown anchor '{anchor}' referenced")));
                };
                tree.aliases = true;
                (Kind::Alias { target: *target }, None)
            }
            EventData::Scalar { anchor, tag, value, style, .. } => {
                let style = match style {
                    ScalarStyle::SingleQuoted => Style::Single,
                    ScalarStyle::DoubleQuoted => Style::Double,
                    ScalarStyle::Literal => Style::Literal,
                    ScalarStyle::Folded => Style::Folded,
                    _ => Style::Plain,
                };
                let tag = Tag::of(tag.as_deref().unwrap_or_default());
                (Kind::Scalar { text: Cow::Owned(value), style, tag }, anchor)
            }
            EventData::SequenceStart { anchor, style, .. } => {
                (Kind::List { flow: style == SequenceStyle::Flow }, anchor)
            }
            EventData::MappingStart { anchor, style, .. } => {
                (Kind::Map { flow: style == MappingStyle::Flow }, anchor)
            }
            EventData::SequenceEnd | EventData::MappingEnd => {
                let next = tree.nodes.len() as u32;
                if let Some(id) = open.pop() {
                    let node: &mut Node<'_> = &mut tree.nodes[id];
                    node.next = next;
                }
                continue;
            }
        };
        let id = tree.nodes.len();
        if let Some(anchor) = anchor {
            anchors.insert(anchor, id as u32);
        }
        if let Kind::List { .. } | Kind::Map { .. } = kind {
            open.push(id);
        }
        let line = event.start_mark.line as u32 + 1;
        tree.nodes.push(Node { kind, next: id as u32 + 1, start: 0, end: 0, line });
    }
}
