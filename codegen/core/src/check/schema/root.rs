//! The keywords that the root of a schema may have.

use super::{SchemaOptions, shown};
use crate::diag::codes::schema as codes;
use crate::diag::{Diag, Diags};
use crate::ir::{Keyword, Schema, Type};
use crate::path::Path;

/// The fields that the server allows at the root of a schema with the status subresource.
const ALLOWED: &str = "[Description Type Format Title Maximum ExclusiveMaximum Minimum ExclusiveMinimum MaxLength \
     MinLength Pattern MaxItems MinItems UniqueItems MultipleOf Required Items Properties ExternalDocs Example \
     XPreserveUnknownFields XValidations]";

pub(super) fn check(schema: &Schema, options: &SchemaOptions, path: &Path<'_>, out: &mut Diags) {
    if options.status {
        // The server checks the fields in the order of its type, and stops at the first error.
        let wrong_type = schema.ty.as_ref().filter(|ty| **ty != Type::Object);
        match wrong_type {
            Some(ty) if !has_forbidden_before_type(schema) => out.push(
                Diag::invalid(
                    &codes::STATUS_ROOT,
                    &path.child("type"),
                    ty.as_str(),
                    "only \"object\" is allowed as the type at the root of the schema if the status subresource is \
                     enabled",
                )
                .help("write `type: object`"),
            ),
            Some(_) | None => {
                if has_forbidden_before_type(schema) || has_forbidden_after_type(schema) {
                    out.push(
                        Diag::invalid(
                            &codes::STATUS_ROOT,
                            path,
                            shown(schema, options, path),
                            format!(
                                "only {ALLOWED} fields are allowed at the root of the schema if the status \
                                 subresource is enabled"
                            ),
                        )
                        .help("move the other keywords into `properties.spec`, or write them as rules"),
                    );
                }
            }
        }
    }
    if schema.nullable {
        out.push(
            Diag::forbidden(
                &codes::ROOT_TYPE,
                &path.child("nullable"),
                "nullable cannot be true at the root",
            )
            .help("remove `nullable`"),
        );
    }
}

/// Where in this order the server reports a keyword that it rejects at the root.
#[derive(PartialEq)]
enum Rejected {
    /// Before it checks the type.
    BeforeType,
    /// After it has checked the type.
    AfterType,
    /// It does not reject the keyword.
    Not,
}

fn rejected(keyword: Keyword) -> Rejected {
    match keyword {
        Keyword::Id | Keyword::SchemaUrl | Keyword::Ref => Rejected::BeforeType,
        Keyword::Nullable
        | Keyword::Default
        | Keyword::AdditionalProperties
        | Keyword::EmbeddedResource
        | Keyword::IntOrString
        | Keyword::ListType
        | Keyword::ListMapKeys
        | Keyword::MapType
        | Keyword::MinProperties
        | Keyword::MaxProperties
        | Keyword::Enum
        | Keyword::AllOf
        | Keyword::AnyOf
        | Keyword::OneOf
        | Keyword::Not
        | Keyword::PatternProperties
        | Keyword::Dependencies
        | Keyword::AdditionalItems
        | Keyword::Definitions => Rejected::AfterType,
        Keyword::Title
        | Keyword::Description
        | Keyword::Type
        | Keyword::Example
        | Keyword::ExternalDocs
        | Keyword::Properties
        | Keyword::Items
        | Keyword::PreserveUnknownFields
        | Keyword::Format
        | Keyword::Minimum
        | Keyword::ExclusiveMinimum
        | Keyword::Maximum
        | Keyword::ExclusiveMaximum
        | Keyword::MultipleOf
        | Keyword::MinLength
        | Keyword::MaxLength
        | Keyword::Pattern
        | Keyword::MinItems
        | Keyword::MaxItems
        | Keyword::UniqueItems
        | Keyword::Required
        | Keyword::Validations
        | Keyword::Unions => Rejected::Not,
    }
}

fn has_forbidden_before_type(schema: &Schema) -> bool {
    let rejected = |keyword: &&Keyword| rejected(**keyword) == Rejected::BeforeType;
    Keyword::ALL.iter().filter(rejected).any(|keyword| schema.get(*keyword).is_some())
}

/// An empty value that is set counts too.
fn has_forbidden_after_type(schema: &Schema) -> bool {
    let rejected = |keyword: &&Keyword| rejected(**keyword) == Rejected::AfterType;
    Keyword::ALL
        .iter()
        .filter(rejected)
        .any(|keyword| schema.get(*keyword).is_some() || schema.empty.has(*keyword))
}
