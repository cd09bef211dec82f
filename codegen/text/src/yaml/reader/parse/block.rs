//! Block collections.

use super::{Around, Parser, Problem, State, TokenKind};

impl<'a> Parser<'a> {
    pub(super) fn block_entry(&mut self) -> Result<(), Problem> {
        let token = self.scanner.peek()?;
        let (start, mark) = (token.start, token.end);
        match token.kind {
            TokenKind::BlockEntry => {
                self.scanner.take();
                match self.scanner.peek()?.kind {
                    TokenKind::BlockEntry | TokenKind::BlockEnd => {
                        self.empty(mark);
                        self.states.push(State::BlockEntry);
                        Ok(())
                    }
                    _ => self.node(Around::BlockList, State::BlockEntry),
                }
            }
            TokenKind::BlockEnd => {
                self.scanner.take();
                self.close();
                Ok(())
            }
            _ => self.stray(State::BlockEntry, start, "did not find expected '-' indicator"),
        }
    }

    pub(super) fn loose_entry(&mut self) -> Result<(), Problem> {
        let token = self.scanner.peek()?;
        let mark = token.end;
        if !matches!(token.kind, TokenKind::BlockEntry) {
            self.close();
            return Ok(());
        }
        self.scanner.take();
        match self.scanner.peek()?.kind {
            TokenKind::BlockEntry | TokenKind::Key | TokenKind::Value | TokenKind::BlockEnd => {
                self.empty(mark);
                self.states.push(State::LooseEntry);
                Ok(())
            }
            _ => self.node(Around::BlockList, State::LooseEntry),
        }
    }

    pub(super) fn block_key(&mut self) -> Result<(), Problem> {
        let token = self.scanner.peek()?;
        let (start, mark) = (token.start, token.end);
        match token.kind {
            TokenKind::Key => {
                self.scanner.take();
                match self.scanner.peek()?.kind {
                    TokenKind::Key | TokenKind::Value | TokenKind::BlockEnd => {
                        self.empty(mark);
                        self.states.push(State::BlockValue);
                        Ok(())
                    }
                    _ => self.node(Around::BlockMap, State::BlockValue),
                }
            }
            TokenKind::BlockEnd => {
                self.scanner.take();
                self.close();
                Ok(())
            }
            _ => self.stray(State::BlockKey, start, "did not find expected key"),
        }
    }

    pub(super) fn block_value(&mut self) -> Result<(), Problem> {
        let token = self.scanner.peek()?;
        let (start, mark) = (token.start, token.end);
        if !matches!(token.kind, TokenKind::Value) {
            self.empty(start);
            self.states.push(State::BlockKey);
            return Ok(());
        }
        self.scanner.take();
        match self.scanner.peek()?.kind {
            TokenKind::Key | TokenKind::Value | TokenKind::BlockEnd => {
                self.empty(mark);
                self.states.push(State::BlockKey);
                Ok(())
            }
            _ => self.node(Around::BlockMap, State::BlockKey),
        }
    }
}
