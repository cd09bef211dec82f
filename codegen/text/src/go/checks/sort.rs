//! Sorts in the same order as Go's `sort.Slice`. That is not stable: the order of equal elements depends on the steps
//! of its pattern-defeating quicksort. So this module repeats exactly these steps.

/// Sorts items in the same order as Go. `less` is whether its first argument belongs before the second.
pub fn sort<T>(items: &mut [T], less: impl Fn(&T, &T) -> bool) {
    let limit = usize::BITS - items.len().leading_zeros();
    let end = items.len();
    Sorter { items, less }.range(0, end, limit);
}

/// At most this many elements are sorted by insertion.
const FEW: usize = 12;
/// With this many elements or more, the pivot is a median of medians, and elements at wrong places are shifted.
const MANY: usize = 50;
/// The maximum number of exchanges while a pivot is chosen. If all happen, the elements are in descending order.
const ALL_EXCHANGES: usize = 12;

struct Sorter<'a, T, F> {
    items: &'a mut [T],
    less: F,
}

impl<T, F: Fn(&T, &T) -> bool> Sorter<'_, T, F> {
    fn less(&self, i: usize, j: usize) -> bool {
        (self.less)(&self.items[i], &self.items[j])
    }

    fn swap(&mut self, i: usize, j: usize) {
        self.items.swap(i, j);
    }

    /// Sorts from `a` to before `b`. After `limit` bad pivots, uses heap sort.
    fn range(&mut self, mut a: usize, mut b: usize, mut limit: u32) {
        let (mut balanced, mut partitioned) = (true, true);
        loop {
            let length = b - a;
            if length <= FEW {
                return self.insert(a, b);
            }
            if limit == 0 {
                return self.heap(a, b);
            }
            if !balanced {
                self.scatter(a, b);
                limit -= 1;
            }
            let (mut pivot, exchanges) = self.pivot(a, b);
            let falling = exchanges == ALL_EXCHANGES;
            if falling {
                self.items[a..b].reverse();
                pivot = (b - 1) - (pivot - a);
            }
            if balanced && partitioned && (falling || exchanges == 0) && self.shift(a, b) {
                return;
            }
            // Elements before the range are less than or equal to all elements in it. If the last of them equals the
            // pivot, the pivot is the smallest element of the range.
            if a > 0 && !self.less(a - 1, pivot) {
                a = self.equals_first(a, b, pivot);
                continue;
            }
            let middle;
            (middle, partitioned) = self.partition(a, b, pivot);
            let (left, right) = (middle - a, b - middle);
            balanced = left.min(right) >= length / 8;
            if left < right {
                self.range(a, middle, limit);
                a = middle + 1;
            } else {
                self.range(middle + 1, b, limit);
                b = middle;
            }
        }
    }

    fn insert(&mut self, a: usize, b: usize) {
        for i in a + 1..b {
            for j in (a + 1..=i).rev() {
                if !self.less(j, j - 1) {
                    break;
                }
                self.swap(j, j - 1);
            }
        }
    }

    fn heap(&mut self, a: usize, b: usize) {
        let end = b - a;
        for root in (0..=(end - 1) / 2).rev() {
            self.sift(root, end, a);
        }
        for last in (0..end).rev() {
            self.swap(a, a + last);
            self.sift(0, last, a);
        }
    }

    fn sift(&mut self, mut root: usize, end: usize, first: usize) {
        loop {
            let mut child = 2 * root + 1;
            if child >= end {
                return;
            }
            if child + 1 < end && self.less(first + child, first + child + 1) {
                child += 1;
            }
            if !self.less(first + root, first + child) {
                return;
            }
            self.swap(first + root, first + child);
            root = child;
        }
    }

    /// Moves three elements in the middle to other places, with numbers that only look random.
    fn scatter(&mut self, a: usize, b: usize) {
        let length = b - a;
        let mut random = length as u64;
        let mask = (1u64 << (u64::BITS - random.leading_zeros())) - 1;
        let middle = a + length / 4 * 2;
        for place in middle - 1..=middle + 1 {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            let other = (random & mask) as usize;
            self.swap(place, a + if other >= length { other - length } else { other });
        }
    }

    /// Chooses the pivot. Also returns how many exchanges would have sorted the candidates.
    fn pivot(&self, a: usize, b: usize) -> (usize, usize) {
        let length = b - a;
        let mut exchanges = 0;
        let quarters = [1, 2, 3].map(|n| a + length / 4 * n);
        let [i, j, k] = match length >= MANY {
            true => quarters.map(|at| self.median([at - 1, at, at + 1], &mut exchanges)),
            false => quarters,
        };
        (self.median([i, j, k], &mut exchanges), exchanges)
    }

    fn median(&self, [mut a, mut b, mut c]: [usize; 3], exchanges: &mut usize) -> usize {
        let mut order = |x: &mut usize, y: &mut usize| {
            if self.less(*y, *x) {
                std::mem::swap(x, y);
                *exchanges += 1;
            }
        };
        order(&mut a, &mut b);
        order(&mut b, &mut c);
        order(&mut a, &mut b);
        b
    }

    /// Puts up to five elements in their places. Returns whether the range is sorted then.
    fn shift(&mut self, a: usize, b: usize) -> bool {
        let mut i = a + 1;
        for _ in 0..5 {
            while i < b && !self.less(i, i - 1) {
                i += 1;
            }
            if i == b {
                return true;
            }
            if b - a < MANY {
                return false;
            }
            self.swap(i, i - 1);
            if i - a >= 2 {
                // Like Go, this goes down to the first element of all, and not to the first of the range.
                for j in (1..i).rev() {
                    if !self.less(j, j - 1) {
                        break;
                    }
                    self.swap(j, j - 1);
                }
            }
            for j in i + 1..b {
                if !self.less(j, j - 1) {
                    break;
                }
                self.swap(j, j - 1);
            }
        }
        false
    }

    /// Moves the elements that equal the pivot to the front. Returns the index where the greater ones begin.
    fn equals_first(&mut self, a: usize, b: usize, pivot: usize) -> usize {
        self.swap(a, pivot);
        let (mut i, mut j) = (a + 1, b - 1);
        loop {
            while i <= j && !self.less(a, i) {
                i += 1;
            }
            while i <= j && self.less(a, j) {
                j -= 1;
            }
            if i > j {
                return i;
            }
            self.swap(i, j);
            i += 1;
            j -= 1;
        }
    }

    /// Moves the elements that are less than the pivot before it. Returns the pivot's new index, and whether no element
    /// had to move.
    fn partition(&mut self, a: usize, b: usize, pivot: usize) -> (usize, bool) {
        self.swap(a, pivot);
        let (mut i, mut j) = (a + 1, b - 1);
        let mut still = true;
        loop {
            while i <= j && self.less(i, a) {
                i += 1;
            }
            while i <= j && !self.less(j, a) {
                j -= 1;
            }
            if i > j {
                self.swap(j, a);
                return (j, still);
            }
            still = false;
            self.swap(i, j);
            i += 1;
            j -= 1;
        }
    }
}
