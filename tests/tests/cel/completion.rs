//! Completion of what authors write: at each name of a rule of the shared corpus, the name is offered, although the text after it is
//! missing.

use crdgen_core::cel::ast::{Ast, Expr, ExprId};
use crdgen_core::cel::{Kube, parse_stored, span};
use crdgen_core::decode;
use crdgen_core::rules::run::{Addressed, Explain, Purpose, Question, addressed, ask, complete};
use crdgen_tests::{corpus, skip, turn};

/// Of how many shared CRDs one is tried.
const PARTS: usize = 8;

/// The names in an expression: where each ends in the text.
fn names(text: &str, ast: &Ast) -> Vec<(String, usize)> {
    let (mut out, mut open) = (Vec::new(), vec![ast.root()]);
    // The variables that macros declare, where they are declared.
    let mut declared: Vec<ExprId> = Vec::new();
    while let Some(id) = open.pop() {
        if let Some(call) = ast.macro_call(id).filter(|call| &*call.function != "has") {
            declared.extend(call.args.first());
        }
        if declared.contains(&id) {
            continue;
        }
        if let Expr::Ident(name) | Expr::Select { field: name, .. } = ast.expr(id) {
            let end = span::of_node(text, ast, id).end;
            // What a macro becomes is not written like this.
            if text.get(..end).is_some_and(|before| before.ends_with(&**name)) {
                out.push((name.to_string(), end));
            }
        }
        ast.children(id, &mut |child| open.push(child));
    }
    out
}

#[test]
fn names_in_rules_are_offered() {
    let mut seeds = corpus::own_crds();
    match corpus::shared_crds() {
        Some(shared) => seeds.extend(shared.into_iter().skip(turn() % PARTS).step_by(PARTS)),
        None => skip("completion of shared CRDs", "there is no shared corpus"),
    }
    let (mut offered, mut missing) = (0, Vec::new());
    for crd in seeds.into_iter().filter_map(|seed| decode::crd(seed.value).0) {
        let bodies = crd.spec.versions.iter().filter_map(|it| it.body.schema.as_ref());
        for schema in bodies.filter_map(|body| body.open_api_v3_schema.as_ref()) {
            for Addressed { path, rule, .. } in addressed(schema) {
                let Some(ast) = parse_stored(&rule.rule) else { continue };
                let optional_old_self = rule.optional_old_self == Some(true);
                let question = Question {
                    expression: &rule.rule,
                    schema: Some(schema),
                    path: &path,
                    object: None,
                    old: None,
                    kube: Kube::STORED,
                    purpose: Purpose::Rule { optional_old_self },
                    explain: Explain::Nothing,
                };
                // Of what is wrong anyway, nothing is known.
                if ask(&question).is_err() {
                    continue;
                }
                for (name, end) in names(&rule.rule, &ast) {
                    match complete(&question, end).iter().any(|it| it.name == name) {
                        true => offered += 1,
                        false => missing.push(format!("{}: {}", crd.metadata.name, &rule.rule[..end])),
                    }
                }
            }
        }
    }
    assert_eq!(missing, Vec::<String>::new(), "{offered} names are offered");
    assert!(offered > 20, "{offered}");
}
