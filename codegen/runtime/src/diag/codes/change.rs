//! Codes of what an update changes (`CHG…`), for `crdgen check --against`.

codes! {
    STUCK = "CHG001", "a change after which objects may not be updatable",
        "The server accepts the CRD without looking at objects that exist. It does not report errors in parts of an object that an \
         update does not change (since Kubernetes 1.30), but every update changes the object as a whole, and so it checks the constraints and \
         rules of the whole object each time. An object that breaks one of them cannot be updated any more, by users or \
         controllers, until it is valid again.";
    BREAKING = "CHG002", "a change that rejects what was accepted",
        "The server accepts the CRD, but afterwards it may reject objects that it accepted before: manifests, the next \
         change of an object that exists, or the writes of a controller. Or it rejects requests, because a version is not served, or a subresource or selectable \
         field is gone. Keep accepting the old values, or make the change in a new version and convert objects.";
    ON_EDIT = "CHG003", "a change that rejects later edits",
        "Objects that exist stay valid, and so do new ones. The server rejects updates that change a value against the \
         new rule, such as a rule with `oldSelf` that makes a field immutable.";
    DATA_LOSS = "CHG004", "a change that drops data",
        "The server drops fields that the schema does not list. It still has the data of existing objects in its storage, but \
         clients cannot read it, and it is lost when an object is written again. With a removed CRD, the server deletes all objects.";
    MEANING = "CHG005", "a change of what objects mean",
        "The same YAML now means another object: an absent field has another default, server-side apply merges a list or map in another \
         way, or versions are converted in another way. Nothing fails, so such changes are easily overlooked.";
    CLIENT = "CHG006", "a change that clients may not expect",
        "The server accepts more than before. Programs with types for the old CRD may fail to read such objects: an enum has \
         a value that they do not know, a field is absent that they require, or a number is larger. Update the programs first.";
    USAGE = "CHG007", "a change that people and scripts may see",
        "No object is affected, but something that people or scripts use has changed: a column, a short name, a category, the \
         storage version, or warnings about a deprecated version.";
    MAY_BREAK = "CHG008", "a change that may reject what was accepted",
        "The new schema is stricter at this place, but crdgen found no object that the server accepted before and rejects now. \
         The finding says how many objects it tried. The search can miss an object if several values must be right at once, as \
         in rules. Check real objects with `crdgen validate`.";
    DEARER = "CHG009", "rules that may cost more",
        "The estimated cost of the rules of a value has grown by a part of the server's limit that `--cost-growth` sets, 10 percent by \
         default. Nothing is rejected yet. The server rejects a CRD if a rule may cost more than the limit, and an object if its rules \
         reach it. The estimate depends on the bounds of what the rules read: lists without maxItems, maps without maxProperties and \
         texts without maxLength count as very long.";
}
