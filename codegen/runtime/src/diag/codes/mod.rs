//! All diagnostic codes, in a table for each area. The numbers of removed codes are not used again.

/// Declares a table of codes: a constant per code and the list of all of them.
macro_rules! codes {
    ($($(#[$doc:meta])* $name:ident = $id:literal, $title:literal, $explain:literal;)*) => {
        $(
            #[doc = concat!("`", $id, "`: ", $title)]
            pub static $name: $crate::diag::Code =
                $crate::diag::Code { id: $id, title: $title, explain: $explain };
        )*
        /// All codes of this area.
        pub static ALL: &[&$crate::diag::Code] = &[$(&$name),*];
    };
}

pub mod api;
pub mod cel;
pub mod change;
pub mod crd;
pub mod exception;
pub mod import;
pub mod lint;
pub mod object;
pub mod rust;
pub mod schema;
pub mod suite;
pub mod types;
pub mod yaml;

/// The tables, in the order in which `crdgen explain` lists them.
pub static TABLES: &[&[&super::Code]] = &[
    yaml::ALL,
    crd::ALL,
    schema::ALL,
    cel::ALL,
    object::ALL,
    lint::ALL,
    api::ALL,
    change::ALL,
    rust::ALL,
    import::ALL,
    types::ALL,
    suite::ALL,
    exception::ALL,
];

/// Finds a code by its id, such as `CRD012`, in upper or lower case.
pub fn find(id: &str) -> Option<&'static super::Code> {
    TABLES.iter().flat_map(|t| t.iter()).find(|c| c.id.eq_ignore_ascii_case(id)).copied()
}

/// The codes of warnings about types and CRDs, which their authors can allow, and those of changes.
pub fn allowable() -> impl Iterator<Item = &'static super::Code> {
    let others: [&'static super::Code; 10] = [
        &schema::UNRECOGNIZED_FORMAT,
        &schema::SET_OF_COMPOUNDS,
        &rust::UNKNOWN_KEY,
        &rust::MISFIT,
        &rust::VALUE,
        &rust::FLATTENED_MAP,
        &rust::MAP_KEY,
        &rust::ODD_FORM,
        &rust::BYPASSED,
        &rust::MIXED,
    ];
    lint::ALL.iter().chain(api::ALL).chain(change::ALL).copied().chain(others)
}

/// Whether a code is that of an error about types or CRDs.
pub fn is_error(id: &str) -> bool {
    let tables = [crd::ALL, schema::ALL, cel::ALL, rust::ALL];
    tables.into_iter().flatten().any(|code| code.id.eq_ignore_ascii_case(id))
}
