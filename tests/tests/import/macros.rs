//! `import!` generates the same code as the command.

use super::{import, normal, text};
use crdgen::CustomResource;

#[allow(unreachable_pub)]
mod made {
    crdgen::import!("goldens/import/widgets.yaml");
}

#[test]
fn the_macro_gives_the_definitions_again() {
    let (_, mut crds) = import("widgets.yaml", &text("widgets.yaml"));
    crds.sort_by(|a, b| a.metadata.name.cmp(&b.metadata.name));
    let all = [
        made::v1::Note::crd(),
        made::v1::OptionKind::crd(),
        made::v1::Widget::crd(),
        made::v1beta1::Widget::crd(),
    ];
    let back = crdgen::merge(all).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(back.iter().map(normal).collect::<Vec<_>>(), crds.iter().map(normal).collect::<Vec<_>>());
}

#[test]
fn the_macro_writes_the_types_that_the_command_writes() {
    super::keeps::<made::v1::WidgetSpec>(r#"{"zeta": "a", "mode": "Auto", "tags": [], "weight": 1.0}"#);
}
