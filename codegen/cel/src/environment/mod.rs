//! Environments of programs that embed CEL: variables, types with fields, and functions of their own, above libraries.

mod objects;
#[cfg(feature = "serde")]
mod values;

use crate::check::{Candidate, Env, check, complete};
use crate::cost::{self, Sizes, Step};
#[cfg(feature = "eval")]
use crate::eval::Program;
use crate::library::{Decl, Functions, KUBERNETES, Libraries, Library, MOST_ARGS, Overload, Type};
use crate::types::{Ty, Types};
use crate::{Ast, Checked, Issue, Kube, Source, parse};
use objects::Objects;
use std::fmt;
use std::sync::Arc;

/// What makes an [`Environment`]. Without other libraries, it has those of the newest Kubernetes.
#[derive(Debug)]
pub struct Builder {
    kube: Kube,
    libraries: Vec<&'static Library>,
    functions: Vec<Decl>,
    variables: Vec<(String, Type)>,
    objects: Objects,
}

impl Default for Builder {
    fn default() -> Self {
        Builder {
            kube: Kube::CURRENT,
            libraries: KUBERNETES.to_vec(),
            functions: Vec::new(),
            variables: Vec::new(),
            objects: Objects::default(),
        }
    }
}

impl Env<'_> {
    /// Starts to make an environment.
    pub fn builder() -> Builder {
        Builder::default()
    }
}

impl Builder {
    /// Chooses the version of the functions, macros, syntax and costs.
    pub fn version(&mut self, kube: Kube) -> &mut Self {
        self.kube = kube;
        self
    }

    /// Chooses libraries instead of all of Kubernetes'.
    pub fn libraries(&mut self, libraries: impl IntoIterator<Item = &'static Library>) -> &mut Self {
        self.libraries = libraries.into_iter().collect();
        self
    }

    /// Declares a variable.
    pub fn variable(&mut self, name: impl Into<String>, ty: Type) -> &mut Self {
        self.variables.push((name.into(), ty));
        self
    }

    /// Declares a type with fields, which [`Builder::field`] adds. So a field may also have this type.
    pub fn object(&mut self, name: &str) -> Type {
        self.objects.add(name)
    }

    /// Declares a field of a type that [`Builder::object`] returned. Any other type has no fields to which one can be added.
    pub fn field(&mut self, of: &Type, name: impl Into<String>, ty: Type) -> &mut Self {
        self.objects.add_field(of, name.into(), ty);
        self
    }

    /// Adds an overload of a function, after those of the libraries.
    pub fn function(&mut self, overload: Decl) -> &mut Self {
        self.functions.push(overload);
        self
    }

    /// Makes the environment.
    ///
    /// # Errors
    /// Fails if two variables have the same name, two overloads the same id, or an overload more than 8 arguments.
    pub fn build(&mut self) -> Result<Environment, Conflict> {
        let Builder { kube, libraries, functions: own, variables, objects } = std::mem::take(self);
        let mut functions: Functions = libraries.into_iter().collect();
        for decl in own {
            if functions
                .all()
                .iter()
                .flat_map(|function| &function.overloads)
                .any(|known| known.id == decl.id)
            {
                return Err(Conflict(format!("two overloads have the id '{}'", decl.id)));
            }
            if decl.args.len() > MOST_ARGS {
                return Err(Conflict(format!(
                    "the overload '{}' has more than {MOST_ARGS} arguments",
                    decl.id
                )));
            }
            functions.add(Overload::Own(Arc::new(decl)));
        }
        let mut types = Types::default();
        let mut interned: Vec<(String, Ty)> = Vec::new();
        for (name, ty) in &variables {
            if interned.iter().any(|(known, _)| known == name) {
                return Err(Conflict(format!("two variables have the name '{name}'")));
            }
            interned.push((name.clone(), ty.intern(&mut types, [Ty::DYN; 2])));
        }
        let declared = variables.into_iter().map(|(_, ty)| ty).collect();
        Ok(Environment { kube, functions, variables: interned, declared, objects, types })
    }
}

/// Why an environment cannot be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conflict(String);

impl fmt::Display for Conflict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Conflict {}

/// The variables, types and functions of expressions. [`Env::builder`] makes it.
#[derive(Debug)]
pub struct Environment {
    kube: Kube,
    functions: Functions,
    variables: Vec<(String, Ty)>,
    /// The types of the variables.
    #[cfg_attr(
        not(feature = "serde"),
        expect(dead_code, reason = "only values from serde are converted by type")
    )]
    declared: Vec<Type>,
    objects: Objects,
    types: Types,
}

impl Environment {
    /// Returns the functions, and the version of the macros and costs.
    pub fn libraries(&self) -> Libraries<'_> {
        Libraries { kube: self.kube, functions: &self.functions }
    }

    /// Returns the names of the variables, in the order in which [`Program::eval`] gets their values.
    pub fn variables(&self) -> impl Iterator<Item = &str> {
        self.variables.iter().map(|(name, _)| &**name)
    }

    /// Parses an expression, without a look at types.
    ///
    /// # Errors
    /// Fails if it has syntax errors.
    pub fn parse(&self, text: &str) -> Result<Ast, Invalid> {
        parse(text, self.kube).map_err(|issues| Invalid::new(text, issues))
    }

    /// Parses and checks an expression.
    ///
    /// # Errors
    /// Fails if it has syntax errors, or errors of types.
    pub fn compile(&self, text: &str) -> Result<Expression<'_>, Invalid> {
        let ast = self.parse(text)?;
        let mut types = self.types.clone();
        let checked = self.with_env(|env| check(ast, env, &mut types));
        let checked = checked.map_err(|issues| Invalid::new(text, issues))?;
        Ok(Expression { environment: self, checked, types })
    }

    /// Returns what may be written at a byte offset of an expression, which need not be complete.
    pub fn complete(&self, text: &str, offset: usize) -> Vec<Candidate> {
        self.with_env(|env| complete(env, &mut self.types.clone(), text, offset))
    }

    fn with_env<T>(&self, run: impl FnOnce(&Env<'_>) -> T) -> T {
        let variables: Vec<(&str, Ty)> = self.variables.iter().map(|(name, ty)| (&**name, *ty)).collect();
        run(&Env { libraries: self.libraries(), variables: &variables, declarations: &self.objects })
    }
}

/// Why an expression is not valid, in the words and the layout of cel-go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invalid {
    text: String,
    /// The errors.
    pub issues: Vec<Issue>,
}

impl Invalid {
    fn new(text: &str, issues: Vec<Issue>) -> Invalid {
        Invalid { text: text.to_owned(), issues }
    }
}

impl fmt::Display for Invalid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&Source::new(&self.text).display(&self.issues))
    }
}

impl std::error::Error for Invalid {}

/// A valid expression.
#[derive(Debug)]
pub struct Expression<'e> {
    #[cfg_attr(not(feature = "eval"), expect(dead_code, reason = "only programs need it"))]
    environment: &'e Environment,
    /// The expression with its types.
    pub checked: Checked,
    /// The types of the expression.
    pub types: Types,
}

impl Expression<'_> {
    /// Returns the type of its values, as messages print it.
    pub fn output(&self) -> String {
        self.types.display(self.checked.output())
    }

    /// Estimates the cost of an evaluation. `sizes` knows the largest values, such as [`AnySize`].
    pub fn cost(&self, sizes: &dyn Sizes) -> cost::Range {
        cost::estimate(&self.checked, &self.types, sizes).total
    }

    /// Makes the program that evaluates it.
    ///
    /// # Errors
    /// Fails if a constant cannot be converted, as in `int('x')`.
    #[cfg(feature = "eval")]
    pub fn program(&self) -> Result<Program, crate::value::Error> {
        let variables: Vec<&str> = self.environment.variables().collect();
        Program::new(&self.checked, &variables, self.environment.libraries())
    }
}

/// Values of any size.
#[derive(Clone, Copy, Debug)]
pub struct AnySize;

impl Sizes for AnySize {
    fn max_size(&self, _: &[Step]) -> Option<u64> {
        None
    }
}
