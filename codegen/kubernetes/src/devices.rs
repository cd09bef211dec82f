//! The expressions that select devices, compiled as the server does when it gets them.

use crate::expressions::{Stage, Wrong, uncompiled};
use crdgen_core::cel::ast::BEFORE;
use crdgen_core::cel::cost::{Sizes, Step, estimate};
use crdgen_core::cel::types::{Ty, Types};
use crdgen_core::cel::{Declarations, Env, check, parse};
use crdgen_core::server::Server;

/// The number of the type of devices.
const DEVICE: u32 = 0;
const NAME: &str = "kubernetes.DRADevice";
const FIELDS: [&str; 4] = ["driver", "attributes", "capacity", "allowMultipleAllocations"];

/// How many attributes and how many amounts a device has, and how many characters names and attributes have.
const MOST: u64 = 32;
const OF_DOMAINS: u64 = 63;
const OF_NAMES: u64 = 32;
const OF_ATTRIBUTES: u64 = 64;

/// The type of the only variable.
struct Device;

impl Declarations for Device {
    fn field(&self, types: &mut Types, _: u32, _: &str, field: &str) -> Option<Ty> {
        let value = match field {
            "driver" => return Some(Ty::STRING),
            "allowMultipleAllocations" => return Some(Ty::BOOL),
            "attributes" => Ty::ANY,
            "capacity" => Ty::QUANTITY,
            _ => return None,
        };
        let of_domain = types.map(Ty::STRING, value);
        Some(types.map(Ty::STRING, of_domain))
    }

    fn fields(&self, _: u32) -> Vec<String> {
        FIELDS.map(str::to_owned).to_vec()
    }

    fn is_untyped(&self, _: u32, _: &str) -> bool {
        false
    }
}

impl Sizes for Device {
    fn max_size(&self, path: &[Step]) -> Option<u64> {
        let [_, path @ ..] = path else { return None };
        let [Step::Field(field), path @ ..] = path else { return path.is_empty().then_some(0) };
        match (&**field, path) {
            ("driver", []) => Some(OF_DOMAINS),
            ("allowMultipleAllocations", []) => Some(1),
            ("attributes" | "capacity", [] | [Step::Values]) => Some(MOST),
            ("attributes" | "capacity", [Step::Keys]) => Some(OF_DOMAINS),
            ("attributes" | "capacity", [Step::Values, Step::Keys]) => Some(OF_NAMES),
            ("attributes", [Step::Values, Step::Values | Step::Field(_)]) => Some(OF_ATTRIBUTES),
            ("capacity", [Step::Values, Step::Values]) => Some(0),
            _ => None,
        }
    }
}

/// Returns the most that a new expression can cost.
///
/// # Errors
/// Fails with the server's words if the expression is wrong.
pub(crate) fn cost(text: &str, server: Server) -> Result<u64, Wrong> {
    let kube = server.new_expressions().with_bindings();
    let mut types = Types::default();
    let variables = [("device", types.object(DEVICE, NAME))];
    let env = Env { libraries: kube.into(), variables: &variables, declarations: &Device };
    let checked = parse(text, kube).and_then(|ast| check(ast, &env, &mut types));
    let checked = checked.map_err(|mut issues| {
        // The server's parser knows no place in an empty text.
        let places = issues.iter_mut().filter(|_| text.is_empty());
        places.for_each(|issue| issue.at = Some(BEFORE));
        uncompiled(text, &issues)
    })?;
    if ![Ty::BOOL, Ty::ANY].contains(&checked.output()) {
        let why =
            format!("must evaluate to bool or the unknown type, not {}", types.display(checked.output()));
        return Err(Wrong { stage: Stage::Result, why, inside: None, help: None });
    }
    Ok(estimate(&checked, &types, &Device).total.max)
}
