//! Scans the next tokens, by their first character.

use super::{MAX_LEVELS, Problem, Scanner, SimpleKey, Token, TokenKind};

impl<'a> Scanner<'a> {
    pub(super) fn fetch_next(&mut self) -> Result<(), Problem> {
        self.skip_to_token();
        if self.tolerant {
            self.close_unfinished_flow();
        }
        self.unroll_indent(self.column() as isize);
        if self.at_end() {
            return self.fetch_stream_end();
        }
        let here = self.here();
        match self.fetch_token() {
            Err(_) if self.tolerant => {
                self.fetch_rest_of_line(here);
                Ok(())
            }
            fetched => fetched,
        }
    }

    fn fetch_token(&mut self) -> Result<(), Problem> {
        let c = self.byte(0);
        if self.at == self.line_start {
            if c == b'%' {
                return self.fetch_directive();
            }
            if self.is_document_indicator() {
                let kind = if c == b'-' { TokenKind::DocumentStart } else { TokenKind::DocumentEnd };
                return self.fetch_document_indicator(kind);
            }
        }
        let blank_follows = self.is_blank_or_end(1);
        match c {
            b'[' => self.fetch_flow_start(TokenKind::FlowListStart),
            b'{' => self.fetch_flow_start(TokenKind::FlowMapStart),
            b']' => self.fetch_flow_end(TokenKind::FlowListEnd),
            b'}' => self.fetch_flow_end(TokenKind::FlowMapEnd),
            b',' => self.fetch_flow_entry(),
            b'-' if blank_follows => self.fetch_block_entry(),
            b'?' if blank_follows || !self.in_block() => self.fetch_key(),
            b':' if blank_follows || !self.in_block() => self.fetch_value(),
            b'*' | b'&' => {
                self.save_simple_key()?;
                self.simple_key_allowed = false;
                self.scan_anchor(c == b'*')
            }
            b'!' => {
                self.save_simple_key()?;
                self.simple_key_allowed = false;
                self.scan_tag()
            }
            b'|' | b'>' if self.in_block() => {
                self.remove_simple_key()?;
                self.simple_key_allowed = true;
                self.scan_block_scalar(c == b'|')
            }
            b'\'' | b'"' => {
                self.save_simple_key()?;
                self.simple_key_allowed = false;
                self.scan_quoted(c)
            }
            // Before a blank, or in a flow collection, these are tokens of their own.
            b'?' | b':' => self.fetch_plain(),
            b'#' | b'|' | b'>' | b'%' | b'@' | b'`' | b'\t' => {
                self.error("found character that cannot start any token")
            }
            _ => self.fetch_plain(),
        }
    }

    fn fetch_plain(&mut self) -> Result<(), Problem> {
        self.save_simple_key()?;
        self.simple_key_allowed = false;
        self.scan_plain()
    }

    fn fetch_stream_end(&mut self) -> Result<(), Problem> {
        if let Some(broken) = &self.broken {
            return Err(broken.clone());
        }
        if self.column() != 0 {
            self.line += 1;
            self.line_start = self.at;
            self.continued = 0;
        }
        self.unroll_indent(-1);
        self.remove_simple_key()?;
        self.simple_key_allowed = false;
        self.push(TokenKind::StreamEnd, self.mark());
        Ok(())
    }

    fn fetch_directive(&mut self) -> Result<(), Problem> {
        self.unroll_indent(-1);
        self.remove_simple_key()?;
        self.simple_key_allowed = false;
        self.scan_directive()
    }

    fn fetch_document_indicator(&mut self, kind: TokenKind<'a>) -> Result<(), Problem> {
        self.unroll_indent(-1);
        self.remove_simple_key()?;
        self.simple_key_allowed = false;
        let start = self.mark();
        self.at += 3;
        self.push(kind, start);
        Ok(())
    }

    fn fetch_flow_start(&mut self, kind: TokenKind<'a>) -> Result<(), Problem> {
        self.save_simple_key()?;
        let token = self.taken + self.tokens.len();
        self.simple_keys.push(SimpleKey { token, mark: self.mark(), ..SimpleKey::default() });
        if self.simple_keys.len() > MAX_LEVELS + 1 {
            return self.error(&format!("exceeded max depth of {MAX_LEVELS}"));
        }
        self.simple_key_allowed = true;
        let start = self.mark();
        self.skip();
        self.push(kind, start);
        Ok(())
    }

    fn fetch_flow_end(&mut self, kind: TokenKind<'a>) -> Result<(), Problem> {
        self.remove_simple_key()?;
        if !self.in_block()
            && let Some(closed) = self.simple_keys.pop()
            && let Some(outer) = self.simple_keys.last_mut()
            && outer.token == closed.token
        {
            // An empty collection may be the start of a key, but go-yaml forgets to wait for its colon.
            outer.waited_for = false;
        }
        self.simple_key_allowed = false;
        let start = self.mark();
        self.skip();
        self.push(kind, start);
        Ok(())
    }

    fn fetch_flow_entry(&mut self) -> Result<(), Problem> {
        self.remove_simple_key()?;
        self.simple_key_allowed = true;
        let start = self.mark();
        self.skip();
        self.push(TokenKind::FlowEntry, start);
        Ok(())
    }

    fn fetch_block_entry(&mut self) -> Result<(), Problem> {
        // In a flow collection, the parser reports the error.
        if self.in_block() {
            if !self.simple_key_allowed {
                return self.error("block sequence entries are not allowed in this context");
            }
            self.roll_indent(self.column(), None, TokenKind::BlockListStart, self.mark())?;
        }
        self.remove_simple_key()?;
        self.simple_key_allowed = true;
        let start = self.mark();
        self.skip();
        self.push(TokenKind::BlockEntry, start);
        Ok(())
    }

    fn fetch_key(&mut self) -> Result<(), Problem> {
        if self.in_block() {
            if !self.simple_key_allowed {
                return self.error("mapping keys are not allowed in this context");
            }
            self.roll_indent(self.column(), None, TokenKind::BlockMapStart, self.mark())?;
        }
        self.remove_simple_key()?;
        self.simple_key_allowed = self.in_block();
        let start = self.mark();
        self.skip();
        self.push(TokenKind::Key, start);
        Ok(())
    }

    fn fetch_value(&mut self) -> Result<(), Problem> {
        let last = self.simple_keys.len() - 1;
        if self.is_valid(last)? {
            let key = self.simple_keys[last];
            self.insert(Some(key.token), Token { kind: TokenKind::Key, start: key.mark, end: key.mark });
            self.roll_indent(key.column, Some(key.token), TokenKind::BlockMapStart, key.mark)?;
            self.simple_keys[last].possible = false;
            self.simple_keys[last].waited_for = false;
            self.simple_key_allowed = false;
        } else {
            if self.in_block() {
                if !self.simple_key_allowed {
                    return self.error("mapping values are not allowed in this context");
                }
                self.roll_indent(self.column(), None, TokenKind::BlockMapStart, self.mark())?;
            }
            self.simple_key_allowed = self.in_block();
        }
        let start = self.mark();
        self.skip();
        self.push(TokenKind::Value, start);
        Ok(())
    }
}
