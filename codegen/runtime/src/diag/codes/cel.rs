//! Codes of validation rules (`CEL…`).

codes! {
    BAD_RULE = "CEL001", "a rule does not compile",
        "The server compiles every rule against the types in the schema. A rule cannot use anything that the \
         schema does not declare, such as fields kept by x-kubernetes-preserve-unknown-fields, or metadata other \
         than name and generateName. Names that are not identifiers are escaped: `a-b` becomes `a__dash__b`. A \
         rule must return a bool.";
    BAD_MESSAGE_EXPRESSION = "CEL002", "a messageExpression does not compile",
        "A messageExpression can use what the rule can use, and must return a string. For a fixed text, use \
         `message`.";
    TOO_EXPENSIVE = "CEL003", "a rule or messageExpression may cost too much",
        "Before the server accepts a rule, it estimates the cost in the worst case: from maxItems, maxProperties \
         and maxLength of everything that the rule reads, times the number of values for which it runs. Without a \
         bound, the server assumes the largest value that a request can contain. Add bounds, or simplify the \
         rule.";
    TOTAL_TOO_EXPENSIVE = "CEL004", "the rules of a schema may cost too much together",
        "The server adds up the estimated costs of all rules of a version. The errors show the most expensive \
         rules. Bounds on the lists and maps that contain them help most.";
    BAD_OLD_SELF = "CEL005", "oldSelf where there is no old value, or optionalOldSelf in a rule without oldSelf",
        "Inside atomic maps, and inside lists that are not list maps, the server cannot match old and new values, \
         so a rule there cannot use oldSelf. optionalOldSelf is only for rules that use oldSelf.";
    NO_TYPES = "CEL006", "rules on values without a type",
        "Rules cannot read a value that has no type, or that keeps unknown fields without being an object.";
    RULE_FAILED = "CEL011", "an object breaks a validation rule",
        "The rule is false for the object. If a rule without oldSelf already failed before an update, and its \
         value did not change, the server accepts the update with a warning.";
    RULE_ERROR = "CEL012", "a validation rule fails with an error",
        "The evaluation failed: the rule read a missing field without has(), an index out of bounds, or a number \
         that is too large. The server rejects the object.";
    OUT_OF_BUDGET = "CEL013", "the validation rules cost too much for an object",
        "A rule may cost 1,000,000 each time it runs, and all rules of an object together 10,000,000. Bounds on lists, maps and \
         strings keep rules cheap.";
    NOT_CHECKED = "CEL014", "validation rules were not checked",
        "The server only runs rules on objects whose types, required fields and sizes are correct.";
    TOO_MUCH = "CEL015", "crdgen stopped a rule that takes too much time or memory",
        "Some operations cost little and still take any amount of time or memory, because the server does not count \
         the size of what they compare or create: `==`, `in` and format() on lists that contain the same list many \
         times, and replace(). The server has no limit for them: it runs such a rule until the request times out or \
         the server has no memory left. crdgen stops after 20,000,000 steps or 256 MiB for one rule, or 100,000,000 \
         steps for all rules of an object, and runs no further rules. Simplify the rule.";
}
