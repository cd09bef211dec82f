//! Continues parsing after an error: skips tokens or inserts missing ones.

use super::grammar::{State, Tokens};
use super::report::KINDS;
use super::{Kind, Leaf, Mistake, RECOVERIES, Read, Reader, SKIPPED, Stop, Token};
use crate::issue::{Issue, IssueKind};

impl Reader<'_> {
    /// At an optional part or the beginning of a loop: skips a single token that is not allowed here.
    pub(super) fn sync_block(&mut self, state: State) -> Read<()> {
        self.state = state;
        if self.in_sync() || self.delete_one()? {
            return Ok(());
        }
        Err(Stop::Mistake(Mistake::Mismatch))
    }

    /// At the end of a loop's body: skips all tokens that can neither repeat nor follow it.
    pub(super) fn sync_loop(&mut self, state: State) -> Read<()> {
        self.state = state;
        if self.in_sync() {
            return Ok(());
        }
        self.report_unwanted()?;
        let wanted = self.expected().and(self.recovery_set());
        while self.kind(0) != Kind::Eof && !wanted.has(self.kind(0)) {
            self.consume();
        }
        Ok(())
    }

    fn in_sync(&self) -> bool {
        let next = self.grammar.next(self.state);
        self.recovering || next.may_end() || next.has(self.kind(0))
    }

    /// Skips a token if the next one is expected here.
    pub(super) fn delete_one(&mut self) -> Read<bool> {
        if !self.expected().has(self.kind(1)) {
            return Ok(false);
        }
        self.report_unwanted()?;
        self.consume();
        self.matched();
        Ok(true)
    }

    pub(super) fn missing(&self) -> Leaf {
        let here = self.token(self.pos);
        let near = if here.kind == Kind::Eof && self.pos > 0 { self.token(self.pos - 1) } else { here };
        let kind = KINDS.into_iter().find(|k| self.expected().has(*k)).unwrap_or(Kind::Eof);
        Leaf { token: Token { kind, ..near }, missing: true }
    }

    pub(super) fn attempt(&mut self) -> Read<()> {
        if self.recoveries == RECOVERIES {
            let at = self.token(self.pos).at;
            self.syntax_error(at, &format!("error recovery attempt limit exceeded: {RECOVERIES}"))?;
            return Err(Stop::GiveUp);
        }
        self.recoveries += 1;
        Ok(())
    }

    /// Skips tokens until one of the open rules can continue.
    pub(super) fn recover(&mut self) -> Read<()> {
        self.attempt()?;
        let mut skipped = 0;
        if self.last_error == Some(self.pos) && self.error_states.contains(&self.state) {
            self.consume();
            skipped += 1;
        }
        self.last_error = Some(self.pos);
        self.error_states.push(self.state);
        let set = self.recovery_set();
        while self.kind(0) != Kind::Eof && !set.has(self.kind(0)) {
            if skipped >= SKIPPED {
                let message = format!("error recovery token lookahead limit exceeded: {SKIPPED}");
                self.issues.push(Issue::nowhere(IssueKind::Limit, message));
                return Err(Stop::GiveUp);
            }
            skipped += 1;
            self.consume();
        }
        Ok(())
    }

    /// The tokens that may follow any of the open rules.
    fn recovery_set(&self) -> Tokens {
        let open = self.frames.iter().filter_map(|f| f.invoked);
        open.fold(Tokens::NONE, |set, state| set.and(self.grammar.follow(state))).without_end()
    }

    /// The tokens that may come next, including those after the rule if it may end.
    pub(super) fn expected(&self) -> Tokens {
        self.in_context(self.grammar.next(self.state))
    }

    pub(super) fn in_context(&self, next: Tokens) -> Tokens {
        let mut all = next.without_end();
        let mut following = next;
        for frame in self.frames.iter().rev() {
            let Some(state) = frame.invoked.filter(|_| following.may_end()) else { break };
            following = self.grammar.follow(state);
            all = all.and(following.without_end());
        }
        if following.may_end() { all.and(Tokens::of(&[Kind::Eof])) } else { all }
    }
}
