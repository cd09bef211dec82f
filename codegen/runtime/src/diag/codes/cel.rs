//! Codes of validation rules (`CEL…`).

codes! {
    BAD_RULE = "CEL001", "a rule does not compile",
        "The server compiles every rule against the types that the schema declares. What is not declared \
         (fields kept by x-kubernetes-preserve-unknown-fields, metadata but for name and generateName) \
         cannot be named; names that are no identifiers are escaped: `a-b` is `a__dash__b`. A rule has to \
         be a bool.";
    BAD_MESSAGE_EXPRESSION = "CEL002", "a messageExpression does not compile",
        "It sees what the rule sees and has to be a string. For a fixed text use `message`.";
    TOO_EXPENSIVE = "CEL003", "a rule or messageExpression may cost too much",
        "Before a rule is accepted, the server estimates what it costs in the worst case, from maxItems, \
         maxProperties and maxLength of everything it looks at, times the number of values it runs for. \
         What has no bound counts as large as a request can be. Add bounds, or make the rule simpler.";
    TOTAL_TOO_EXPENSIVE = "CEL004", "the rules of a schema may cost too much together",
        "The estimated costs of all rules of a version are added up. The errors name the most expensive \
         ones; bounds on the lists and maps above them help most.";
    BAD_OLD_SELF = "CEL005", "oldSelf is used where there is none, or optionalOldSelf where it is not used",
        "Below lists that are no maps by key, and below atomic maps, old and new values cannot be matched, \
         so a rule there cannot look at the old one. optionalOldSelf is for rules that do.";
    NO_TYPES = "CEL006", "rules stand where values have no type",
        "What has no type, or keeps unknown fields without being an object, is not exposed to rules.";
    RULE_FAILED = "CEL011", "an object breaks a validation rule",
        "The rule is false for the object. On an update, a rule that does not look at oldSelf is let through \
         with a warning where nothing has changed.";
    RULE_ERROR = "CEL012", "a validation rule has no value for an object",
        "Something in the rule went wrong: a missing field that was not tested with has(), an index out of \
         bounds, a number too large. The server refuses the object.";
    OUT_OF_BUDGET = "CEL013", "the validation rules cost too much on an object",
        "A call may cost 1,000,000 and all rules on an object 10,000,000. Bounds on lists, maps and strings keep \
         rules cheap.";
    NOT_CHECKED = "CEL014", "validation rules were not looked at",
        "Rules run on objects that have the types, the required fields and the sizes of their schema.";
}
