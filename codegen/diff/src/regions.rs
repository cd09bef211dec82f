//! Counts the places that overlap another one, whatever their number.

use std::collections::HashMap;

use crdgen_core::path::Step;

use crate::place::Place;

/// Places in objects, as a tree of their steps.
#[derive(Default)]
pub(crate) struct Regions {
    /// How many places are here, and how many are here or below.
    here: usize,
    all: usize,
    below: HashMap<Step, Regions>,
    /// Below any key or index.
    below_any: Option<Box<Regions>>,
}

impl Regions {
    pub(crate) fn add(&mut self, place: &Place<'_>) {
        let mut at = self;
        at.all += 1;
        for (step, is_any) in place.each_step() {
            at = match is_any {
                true => at.below_any.get_or_insert_default(),
                false => at.below.entry(step.clone()).or_default(),
            };
            at.all += 1;
        }
        at.here += 1;
    }

    /// The number of places of which one is inside of the other. Each step has whether any other one is meant, too.
    pub(crate) fn overlapping<'a>(&self, mut steps: impl Iterator<Item = (&'a Step, bool)> + Clone) -> usize {
        let Some((step, is_any)) = steps.next() else { return self.all };
        let below: Vec<&Regions> = match is_any {
            true => self.below.values().collect(),
            false => self.below.get(step).into_iter().collect(),
        };
        let below = below.into_iter().chain(self.below_any.as_deref());
        self.here + below.map(|it| it.overlapping(steps.clone())).sum::<usize>()
    }
}
