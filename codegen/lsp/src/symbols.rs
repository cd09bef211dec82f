//! Document symbols: the outline of a document.

use std::cell::Cell;

use crdgen_core::yaml::{Draft, Form, Part};
use gen_lsp_types as lsp;

use crate::document::Document;
use crate::state::State;

/// How deep the outline is. Messages of more levels could not be read on the other side.
const MAX_DEPTH: usize = 60;

/// How many symbols an outline has. Editors show them all, and keep them.
const MOST: usize = 20_000;

/// The outline of a document: its objects, and their fields.
pub(crate) fn of(state: &State, document: &Document) -> Vec<lsp::DocumentSymbol> {
    let outline = Outline { state, document, left: Cell::new(MOST) };
    let drafts = Draft::read_all(document.text.as_str());
    drafts
        .iter()
        .map_while(|draft| outline.has_room().then(|| outline.object(draft.root()?)))
        .flatten()
        .collect()
}

struct Outline<'s> {
    state: &'s State,
    document: &'s Document,
    /// How many more symbols it may have.
    left: Cell<usize>,
}

impl Outline<'_> {
    /// Takes a place for one more symbol, if there is room for it.
    fn has_room(&self) -> bool {
        let rest = self.left.get().checked_sub(1);
        self.left.set(rest.unwrap_or(0));
        rest.is_some()
    }

    fn object(&self, root: Part<'_>) -> Option<lsp::DocumentSymbol> {
        let text = |keys: &[&str]| root.text_at(keys).filter(|text| !text.is_empty());
        let kind = text(&["kind"]).unwrap_or("document");
        let name = text(&["metadata", "name"]).or_else(|| text(&["metadata", "generateName"]));
        let name = name.map_or_else(|| kind.to_owned(), |name| format!("{kind} {name}"));
        let detail = text(&["apiVersion"]).map(str::to_owned);
        Some(self.symbol((name, detail), lsp::SymbolKind::Class, [root, root], 0))
    }

    /// The symbol of a value. `own` is the key and the value, or the value twice.
    #[allow(deprecated)]
    fn symbol(
        &self,
        (name, detail): (String, Option<String>),
        kind: lsp::SymbolKind,
        own: [Part<'_>; 2],
        depth: usize,
    ) -> lsp::DocumentSymbol {
        let [key, value] = own;
        let whole = key.range().start..value.extent().end.max(key.range().end);
        let children = if depth < MAX_DEPTH { self.children(value, depth + 1) } else { Vec::new() };
        lsp::DocumentSymbol {
            // Clients reject symbols without names.
            name: if name.is_empty() { "\"\"".to_owned() } else { name },
            detail,
            kind,
            tags: None,
            deprecated: None,
            range: self.state.range(self.document, &whole),
            selection_range: self.state.range(self.document, &key.range()),
            children: (!children.is_empty()).then_some(children),
        }
    }

    fn children(&self, value: Part<'_>, depth: usize) -> Vec<lsp::DocumentSymbol> {
        if value.is_alias() {
            return Vec::new();
        }
        let members = value.members().take_while(|_| self.has_room()).map(|(key, value)| {
            let head = (key.name().into_owned(), detail(value));
            self.symbol(head, kind_of(value), [key, value], depth)
        });
        let items = value.items().take_while(|_| self.has_room()).enumerate().map(|(i, item)| {
            let name = ["name", "key", "type"].iter().find_map(|name| item.text_at(&[name]));
            let head = (name.map_or_else(|| i.to_string(), str::to_owned), detail(item));
            self.symbol(head, kind_of(item), [item, item], depth)
        });
        members.chain(items).collect()
    }
}

/// The text of a scalar, if it is short.
fn detail(value: Part<'_>) -> Option<String> {
    match value.form() {
        Form::Scalar(text) => Some(text.lines().next()?.chars().take(80).collect()),
        Form::List | Form::Map => None,
    }
}

fn kind_of(value: Part<'_>) -> lsp::SymbolKind {
    match value.form() {
        Form::Scalar(_) => lsp::SymbolKind::Field,
        Form::List => lsp::SymbolKind::Array,
        Form::Map => lsp::SymbolKind::Object,
    }
}
