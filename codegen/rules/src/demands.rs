//! Finds out whether rules require a field: whether one of them is false, and nothing else, if the field is absent.
//!
//! Whether a field is absent only makes a difference to rules that read it, check for it, or do this with a value around
//! it. So each rule is evaluated once for each place that it mentions, and not once for each field.

use std::collections::HashMap;

use super::reads::{self, Outcomes, Step};
use crate::cel::Checked;
use crate::cel::types::Types;

/// Rules that would take more work than this are left out: the number of places that a rule mentions, times its size.
const MOST_WORK: usize = 4_000_000;

/// The rules for one value.
pub struct Demands<'r> {
    rules: Vec<(&'r Checked, &'r Types)>,
    /// The rules that mention a place.
    mentions: HashMap<Vec<Step>, Vec<usize>>,
    /// The number of rules that are false, and nothing else, if the value at a place exists.
    counts: HashMap<Vec<Step>, usize>,
    /// Whether a rule requires the field at a place.
    required: HashMap<Vec<Step>, bool>,
}

impl<'r> Demands<'r> {
    /// Finds the places that each rule mentions.
    pub fn new(rules: impl Iterator<Item = (&'r Checked, &'r Types)>) -> Demands<'r> {
        let mut demands = Demands {
            rules: Vec::new(),
            mentions: HashMap::new(),
            counts: HashMap::new(),
            required: HashMap::new(),
        };
        for (checked, types) in rules {
            let places = reads::mentions(checked, types);
            if places.len().saturating_mul(checked.ast.len()) > MOST_WORK {
                continue;
            }
            let rule = demands.rules.len();
            demands.rules.push((checked, types));
            for place in places {
                demands.mentions.entry(place).or_default().push(rule);
            }
        }
        let all = 0..demands.rules.len();
        let count = all.filter(|rule| demands.if_present(*rule, &[]).only_false()).count();
        demands.counts.insert(Vec::new(), count);
        demands
    }

    /// Whether a rule is false, and nothing else, if the field at this place is absent and the value around it exists.
    pub fn require(&mut self, place: &[Step]) -> bool {
        if let Some(required) = self.required.get(place) {
            return *required;
        }
        let Some((_, around)) = place.split_last() else { return false };
        let count = self.count(around);
        let mentioning = self.mentioning(place);
        let fails = |rule: &usize| self.without(*rule, place).only_false();
        let fails_anyway = |rule: &&usize| self.if_present(**rule, around).only_false();
        let required = mentioning.iter().any(fails) || count > mentioning.iter().filter(fails_anyway).count();
        self.required.insert(place.to_vec(), required);
        required
    }

    /// The number of rules that are false, and nothing else, if the value at this place exists.
    fn count(&mut self, place: &[Step]) -> usize {
        if let Some(count) = self.counts.get(place) {
            return *count;
        }
        let around = place.split_last().map_or(place, |(_, around)| around);
        let others = self.count(around);
        // All rules that do not mention the place have the same results as around it.
        let mut count = others;
        for rule in self.mentioning(place) {
            count -= usize::from(self.if_present(*rule, around).only_false());
            count += usize::from(self.if_present(*rule, place).only_false());
        }
        self.counts.insert(place.to_vec(), count);
        count
    }

    fn mentioning(&self, place: &[Step]) -> &[usize] {
        self.mentions.get(place).map_or(&[], Vec::as_slice)
    }

    fn without(&self, rule: usize, place: &[Step]) -> Outcomes {
        let (checked, types) = self.rules[rule];
        reads::without(checked, types, place)
    }

    /// The possible results of a rule if the value at a place exists, but something inside it that no rule reads is
    /// absent.
    fn if_present(&self, rule: usize, place: &[Step]) -> Outcomes {
        let inside: Vec<Step> = place.iter().cloned().chain([Step::Unread]).collect();
        self.without(rule, &inside)
    }
}
