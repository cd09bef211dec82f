//! Flow collections.

use super::{Around, Kind, Parser, Problem, State, TokenKind, error};

impl<'a> Parser<'a> {
    pub(super) fn flow_entry(&mut self, first: bool) -> Result<(), Problem> {
        if self.scanner.tolerant && self.flow_ends()? {
            return Ok(());
        }
        self.flow_comma(first, |t| matches!(t, TokenKind::FlowListEnd), "did not find expected ',' or ']'")?;
        let token = self.scanner.peek()?;
        let (start, end) = (token.start, token.end);
        match token.kind {
            TokenKind::FlowListEnd => {
                self.scanner.take();
                self.close();
                Ok(())
            }
            TokenKind::Key => {
                self.scanner.take();
                self.open(Kind::Map { flow: true }, start, end, None, State::FlowPairKey);
                Ok(())
            }
            _ => self.node(Around::Flow, State::FlowEntry { first: false }),
        }
    }

    /// Skips the comma between entries, unless the collection ends here.
    fn flow_comma(
        &mut self,
        first: bool,
        is_end: fn(&TokenKind<'a>) -> bool,
        missing: &str,
    ) -> Result<(), Problem> {
        let is_tolerant = self.scanner.tolerant;
        let token = self.scanner.peek()?;
        match token.kind {
            _ if first || is_end(&token.kind) => {}
            TokenKind::FlowEntry => {
                self.scanner.take();
            }
            _ if is_tolerant => {}
            _ => return error(token.start, missing),
        }
        Ok(())
    }

    pub(super) fn flow_pair_key(&mut self) -> Result<(), Problem> {
        let token = self.scanner.peek()?;
        let mark = token.end;
        match token.kind {
            // go-yaml drops this token.
            TokenKind::Value | TokenKind::FlowEntry | TokenKind::FlowListEnd => {
                self.scanner.take();
                self.empty(mark);
                self.states.push(State::FlowPairValue);
                Ok(())
            }
            _ => self.node(Around::Flow, State::FlowPairValue),
        }
    }

    pub(super) fn flow_pair_value(&mut self) -> Result<(), Problem> {
        let token = self.scanner.peek()?;
        let mut start = token.start;
        if let TokenKind::Value = token.kind {
            self.scanner.take();
            let token = self.scanner.peek()?;
            if !matches!(token.kind, TokenKind::FlowEntry | TokenKind::FlowListEnd) {
                return self.node(Around::Flow, State::FlowPairEnd);
            }
            start = token.start;
        }
        self.empty(start);
        self.states.push(State::FlowPairEnd);
        Ok(())
    }

    pub(super) fn flow_key(&mut self, first: bool) -> Result<(), Problem> {
        if self.scanner.tolerant && self.flow_ends()? {
            return Ok(());
        }
        self.flow_comma(first, |t| matches!(t, TokenKind::FlowMapEnd), "did not find expected ',' or '}'")?;
        match self.scanner.peek()?.kind {
            TokenKind::FlowMapEnd => {
                self.scanner.take();
                self.close();
                Ok(())
            }
            TokenKind::Key => {
                self.scanner.take();
                let token = self.scanner.peek()?;
                match token.kind {
                    TokenKind::Value | TokenKind::FlowEntry | TokenKind::FlowMapEnd => {
                        let start = token.start;
                        self.empty(start);
                        self.states.push(State::FlowValue);
                        Ok(())
                    }
                    _ => self.node(Around::Flow, State::FlowValue),
                }
            }
            _ => self.node(Around::Flow, State::FlowNoValue),
        }
    }

    pub(super) fn flow_value(&mut self) -> Result<(), Problem> {
        let token = self.scanner.peek()?;
        let mut start = token.start;
        if let TokenKind::Value = token.kind {
            self.scanner.take();
            let token = self.scanner.peek()?;
            if !matches!(token.kind, TokenKind::FlowEntry | TokenKind::FlowMapEnd) {
                return self.node(Around::Flow, State::FlowKey { first: false });
            }
            start = token.start;
        }
        self.empty(start);
        self.states.push(State::FlowKey { first: false });
        Ok(())
    }
}
