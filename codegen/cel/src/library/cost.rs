//! How overloads are called, and what calls cost.

/// How an overload is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// `f(a, b)`
    Global,
    /// `a.f(b)`
    Member,
}

/// The cost of a call, as a function of the sizes of its target and arguments.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Cost {
    /// One, for all arguments.
    Unit,
    /// One; the result is the argument.
    Same,
    /// Always this cost.
    Fixed(u64),
    /// The size of an argument times a factor. The target is the first argument.
    Size {
        /// The index of the argument.
        arg: usize,
        /// The cost of an element or a character.
        factor: f64,
    },
    /// Parsing a field or label selector.
    Selector,
    /// One per element, plus scanning it if it is text. If the target itself is text, a scan of it.
    TraverseTarget,
    /// The same if the type of the target is unknown to the type checker, which may be a list.
    TraverseDyn,
    /// A scan of the argument, which is as long as the result.
    ScanArg,
    /// A scan of the target, which is as long as the result.
    ScanTarget,
    /// `replace`
    Replace,
    /// `split`
    Split,
    /// `join`
    Join,
    /// `find`: size of the text times size of the pattern. The result is at most the whole text.
    Find,
    /// One; the result is a part of the target, a URL, and at most this many times as long.
    PartOfUrl(u64),
    /// A scan of the first argument.
    ParseArg,
    /// Two scans of the first argument.
    ParseArgTwice,
    /// Comparing addresses.
    ContainsIp,
    /// Parsing an address and comparing.
    ContainsIpString,
    /// Masking and comparing addresses.
    ContainsCidr,
    /// Parsing a range, masking and comparing.
    ContainsCidrString,
    /// Matching a format's pattern.
    Validate,
    /// A scan of the format text; the result is unbounded.
    Format,
    /// UTF-8 is up to four times longer.
    StringToBytes,
    /// UTF-8 is up to four times longer.
    BytesToString,
    /// Escapes make text up to twice as long.
    Quote,
    /// A scan of the prefix or suffix.
    ScanAffix,
    /// One per element.
    InList,
    /// Size of the text times size of the pattern.
    Matches,
    /// Size of the text times size of the searched text.
    Contains,
    /// The left operand, and at most the right one too.
    Logic,
    /// The condition and one of the branches.
    Conditional,
    /// A scan of both operands, which form the result.
    Concat,
    /// One; the result has the elements of both.
    ConcatList,
    /// Like `Compare`, but one for some types of the libraries.
    Equals,
    /// A scan of the shorter one.
    Compare,
    /// One; the result is an element of a list.
    Items,
    /// One; the result is a value of a map.
    Values,
    /// Building the list of the remaining elements.
    Slice,
    /// Building the list, once per level.
    Flatten,
    /// Building the list of numbers.
    Range,
    /// Building the list.
    Reverse,
    /// Comparing all elements with each other.
    Distinct,
    /// Comparing all elements with each other.
    Sort,
    /// Comparing all elements with each other, which scans them.
    SortText,
    /// Comparing all keys with each other.
    SortBy,
    /// Comparing all keys with each other, which scans them.
    SortByText,
    /// Comparing all elements of one list with all of the other.
    Sets,
    /// Comparing all elements of both lists, in both directions.
    SetsTwice,
}
