//! How the parser goes on after tokens that cannot be where they are.

use super::{Around, Kind, Mark, Parser, Problem, State, TokenKind, error};

impl<'a> Parser<'a> {
    /// Parses a document that may have mistakes.
    pub(super) fn tolerant_document(&mut self) {
        // The tolerant scanner reports no errors, and the parser no others than too many values.
        let _ = self.tolerant_parts();
        while !self.open.is_empty() {
            self.close();
        }
    }

    fn tolerant_parts(&mut self) -> Result<(), Problem> {
        self.directives()?;
        if matches!(self.scanner.peek()?.kind, TokenKind::DocumentStart) {
            self.scanner.take();
        }
        loop {
            match (&self.scanner.peek()?.kind, self.tree.nodes.first().map(|root| &root.kind)) {
                (TokenKind::StreamEnd | TokenKind::DocumentStart | TokenKind::DocumentEnd, _) => {
                    return Ok(());
                }
                // The first lines may be indented more than the others.
                (TokenKind::BlockMapStart, Some(Kind::Map { flow: false })) => {
                    self.scanner.take();
                    self.reopen(0, State::BlockKey);
                }
                (TokenKind::BlockListStart, Some(Kind::List { flow: false })) => {
                    self.scanner.take();
                    self.reopen(0, State::BlockEntry);
                }
                (_, Some(Kind::Map { .. } | Kind::List { .. })) => {
                    self.scanner.take();
                }
                (_, _) => {
                    self.tree.nodes.clear();
                    self.anchors.clear();
                    self.node(Around::Document, State::Done)?;
                }
            }
            self.run()?;
        }
    }

    /// Goes on after a token that cannot be in a block collection.
    pub(super) fn stray(&mut self, state: State, start: Mark, text: &str) -> Result<(), Problem> {
        if !self.scanner.tolerant {
            return error(start, text);
        }
        let last_line = self.tree.nodes.last().map_or(0, |node| node.line);
        let is_map = matches!(state, State::BlockKey);
        let closed_map = self.closed_here(|kind| matches!(kind, Kind::Map { flow: false }));
        let closed_list = self.closed_here(|kind| matches!(kind, Kind::List { flow: false }));
        let map_around = if is_map { self.open.last().copied() } else { self.map_around() };
        match (&self.scanner.peek()?.kind, closed_map.or(map_around)) {
            (TokenKind::StreamEnd | TokenKind::DocumentStart | TokenKind::DocumentEnd, _) => self.close(),
            // Lines with an indentation between two others go on with the collection above. After a scalar, they go on with the map
            // around it.
            (TokenKind::BlockMapStart, Some(map)) if is_map || closed_map.is_some() => {
                self.scanner.take();
                self.states.push(state);
                self.reopen(map, State::BlockKey);
            }
            (TokenKind::BlockListStart, _) if closed_list.is_some() => {
                self.scanner.take();
                self.states.push(state);
                self.reopen(self.closed, State::BlockEntry);
            }
            // Entries of a list without a key for it.
            (TokenKind::BlockListStart | TokenKind::BlockEntry, _) if is_map => {
                self.empty(start);
                return self.node(Around::BlockMap, State::BlockKey);
            }
            (TokenKind::BlockMapStart | TokenKind::BlockListStart, _) => {
                return self.node(Around::BlockList, State::BlockEntry);
            }
            (TokenKind::Scalar(..), _) if is_map && start.line + 1 > last_line => {
                return self.node(Around::BlockMap, State::BlockValue);
            }
            (TokenKind::Value, _) if is_map => {
                self.empty(start);
                self.states.push(State::BlockValue);
            }
            // A key in the column of a list is one of the map around the list.
            (TokenKind::Key, _) if map_around.is_some() && !is_map => {
                self.close();
                self.reopen(map_around.unwrap_or_default(), State::BlockKey);
            }
            _ => {
                self.scanner.take();
                self.states.push(state);
            }
        }
        Ok(())
    }

    /// Adds to a collection once more.
    fn reopen(&mut self, id: usize, inside: State) {
        self.open.push(id);
        self.states.push(inside);
    }

    /// The last collection, if it ends here.
    fn closed_here(&self, is_it: fn(&Kind<'a>) -> bool) -> Option<usize> {
        let node = self.tree.nodes.get(self.closed)?;
        (is_it(&node.kind) && node.next as usize == self.tree.nodes.len()).then_some(self.closed)
    }

    /// The map that has the innermost open collection as its value.
    fn map_around(&self) -> Option<usize> {
        let id = *self.open.iter().rev().nth(1)?;
        matches!(self.tree.nodes.get(id)?.kind, Kind::Map { flow: false }).then_some(id)
    }

    /// Closes a flow collection at any bracket, and where the text ends.
    pub(super) fn flow_ends(&mut self) -> Result<bool, Problem> {
        match self.scanner.peek()?.kind {
            TokenKind::FlowListEnd | TokenKind::FlowMapEnd => {
                self.scanner.take();
            }
            TokenKind::StreamEnd | TokenKind::DocumentStart | TokenKind::DocumentEnd => {}
            _ => return Ok(false),
        }
        self.close();
        Ok(true)
    }

    /// Adds an empty scalar where a node is missing. The token stays if the collection around can go on with it.
    pub(super) fn missing_node(&mut self, around: Around) -> Result<(), Problem> {
        let token = self.scanner.peek()?;
        let start = token.start;
        match token.kind {
            TokenKind::StreamEnd
            | TokenKind::DocumentStart
            | TokenKind::DocumentEnd
            | TokenKind::FlowEntry
            | TokenKind::FlowListEnd
            | TokenKind::FlowMapEnd
                if around != Around::Document =>
            {
                self.empty(start);
            }
            TokenKind::BlockEnd | TokenKind::BlockEntry | TokenKind::Key | TokenKind::Value
                if matches!(around, Around::BlockList | Around::BlockMap) =>
            {
                self.empty(start);
            }
            _ => self.skip_as_empty(),
        }
        Ok(())
    }

    /// Makes an empty scalar of a token.
    pub(super) fn skip_as_empty(&mut self) {
        if let Some(token) = self.scanner.take() {
            self.empty(token.start);
        }
    }
}
