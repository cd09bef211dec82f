//! CEL as the API server has it: parser, type checker, cost, evaluation. Knows nothing of schemas.
//!
//! Text goes through `lexer` and `parser` into a tree of tokens, through `build` (which expands the
//! macros) into the [`ast`], and through `check` into a [`Checked`] expression: the same nodes with a
//! type and the chosen overloads beside each. `cost` estimates it, `eval` runs it. What functions
//! there are stands in one table, [`stdlib`].

pub mod ast;
pub mod stdlib;
pub mod types;

pub use ast::{Ast, Checked, Expr, ExprId, Literal};
pub use stdlib::{Kube, Overload};
