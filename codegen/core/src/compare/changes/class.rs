//! What a change means.

use crate::diag::codes::change as codes;
use crate::diag::{Code, Level};

/// What a change means, from what is worst for users to what does not concern them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
    /// The server rejects the update of the CRD itself.
    Refused,
    /// The server may reject every update of an object that exists, because it checks this part whatever changes.
    Stuck,
    /// The server may reject what it accepted before: an object, or a request.
    Breaking,
    /// The server may reject updates that change a value, but accepts objects as they are.
    OnEdit,
    /// The server may reject what it accepted before, but a search found no such object.
    MayBreak,
    /// The server drops data that it kept.
    DataLoss,
    /// The same YAML means another object, or objects are merged or stored in another way.
    Meaning,
    /// Rules may cost more, so that there is less left until the server rejects the CRD or an object.
    Dearer,
    /// Programs that were written for the old CRD may not be able to read an object.
    Client,
    /// People and scripts use or see it: a column, a short name, the storage version.
    Usage,
    /// The server accepts more.
    Looser,
    /// Something was added that nothing depends on yet.
    Compatible,
    /// Only people see it: a description or the message of a rule.
    Cosmetic,
}

impl Class {
    /// All classes, in order.
    pub const ALL: [Class; 13] = [
        Class::Refused,
        Class::Stuck,
        Class::Breaking,
        Class::OnEdit,
        Class::MayBreak,
        Class::DataLoss,
        Class::Meaning,
        Class::Dearer,
        Class::Client,
        Class::Usage,
        Class::Looser,
        Class::Compatible,
        Class::Cosmetic,
    ];

    /// Returns the name of the class.
    pub fn name(self) -> &'static str {
        match self {
            Class::Refused => "refused",
            Class::Stuck => "stuck",
            Class::Breaking => "breaking",
            Class::OnEdit => "on-edit",
            Class::MayBreak => "may-break",
            Class::DataLoss => "data-loss",
            Class::Meaning => "meaning",
            Class::Dearer => "dearer",
            Class::Client => "client",
            Class::Usage => "usage",
            Class::Looser => "looser",
            Class::Compatible => "compatible",
            Class::Cosmetic => "cosmetic",
        }
    }

    /// Returns the code and the level of its diagnostics. `None` if the change is not reported. If the server rejects the
    /// update, the codes are those of its errors.
    pub fn reported(self) -> Option<(&'static Code, Level)> {
        Some(match self {
            Class::Stuck => (&codes::STUCK, Level::Warning),
            Class::Breaking => (&codes::BREAKING, Level::Warning),
            Class::OnEdit => (&codes::ON_EDIT, Level::Warning),
            Class::MayBreak => (&codes::MAY_BREAK, Level::Warning),
            Class::DataLoss => (&codes::DATA_LOSS, Level::Warning),
            Class::Meaning => (&codes::MEANING, Level::Warning),
            Class::Dearer => (&codes::DEARER, Level::Note),
            Class::Client => (&codes::CLIENT, Level::Note),
            Class::Usage => (&codes::USAGE, Level::Note),
            Class::Refused | Class::Looser | Class::Compatible | Class::Cosmetic => return None,
        })
    }

    /// Whether it breaks objects that exist, or requests that worked.
    pub fn breaks(self) -> bool {
        self <= Class::DataLoss
    }

    /// Returns the class of a diagnostic with this code.
    pub fn of(code: &Code) -> Option<Class> {
        Class::ALL.into_iter().find(|class| class.reported().is_some_and(|(own, _)| own.id == code.id))
    }
}
