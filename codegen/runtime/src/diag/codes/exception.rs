//! Codes about exceptions (`EXC…`), which allow what another diagnostic reports.

codes! {
    MALFORMED = "EXC001", "an exception that crdgen cannot read",
        "An exception is a comment `# crdgen:allow CODE REASON`, and may end with `until` and a day: `# crdgen:allow OBJ031 legacy until \
         2027`. The reason is required, so that the next reader knows whether the exception is still needed. The comment covers the value after \
         it, and everything inside of that value. At the start of a document, it covers the whole document. At the end of a line, it \
         covers the value that begins in this line.";
    UNUSED = "EXC002", "an exception that allows nothing",
        "The exception, a comment `# crdgen:allow …` or an attribute `#[schema(allow(…))]`, covers no diagnostic with this code, so the mistake \
         was fixed or has moved. Remove the exception, so that it cannot hide a new mistake.";
    ENDED = "EXC003", "an exception that has ended",
        "The day after `until` has come, so the exception allows nothing any more. Fix what it allowed, or write a later day.";
}
