//! What the server does with the objects of single kinds, besides what it does with all.

pub(in crate::verbs) mod definitions;
mod permissions;

use super::Call;
use crate::meta;
use crate::registry::Role;
use crate::status::Failure;
use crdgen_core::value::Value;
use crdgen_kubernetes::finish::{Around, finish};
use crdgen_kubernetes::services::{NotGiven, Used};

/// Changes and checks the new object, before it is stored.
pub(super) fn after(call: &mut Call<'_>, object: &mut Value, live: Option<&Value>) -> Result<(), Failure> {
    match call.kind.role {
        Role::Definition => return definitions::definition(call, object, live),
        Role::Permissions => permissions::role(call, object, live)?,
        Role::PermissionBinding => permissions::binding(call, object, live)?,
        Role::Binding
        | Role::Component
        | Role::Custom
        | Role::Namespace
        | Role::Pod
        | Role::Review
        | Role::Service
        | Role::Signing
        | Role::Stored => {}
    }
    let Some(row) = call.kind.row() else { return Ok(()) };
    let (used, random) = match call.kind.role {
        Role::Service => (used(call), call.state.random.next()),
        _ => Default::default(),
    };
    let now = call.state.clock.now();
    let user = &call.request.user;
    let around = Around { user: &user.name, groups: &user.groups, uid: "", now: &now, used: &used, random };
    finish(row, call.subresource, object, live, &around).map_err(|why| match why {
        NotGiven::Invalid(mistakes) => {
            Failure::invalid_fields(row.kind, row.group, meta::text(object, "name"), &mistakes)
        }
        NotGiven::Failed(message) => Failure::new(500, "", message),
        NotGiven::Internal(message) => Failure::internal(message),
    })
}

/// What all services but that of the request have.
fn used(call: &Call<'_>) -> Used {
    let mut used = Used::new(call.is_dry_run());
    let this = call.key();
    let services = call.state.store.objects(&call.kind.stored_in, "");
    if !call.is_dry_run() {
        services.filter(|(key, _)| **key != this).for_each(|(_, service)| used.add(service));
    }
    used
}
