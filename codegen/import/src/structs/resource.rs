//! What kube-rs needs of a kind whose type is the whole object: the trait `Resource`, and a constructor. For other kinds
//! the derives write both.

use super::attributes::WIDTH;
use super::code::Code;
use super::model::*;
use super::names;
use super::render::{Context, Needs, ident};

impl Context<'_> {
    /// Writes what the derives do not write for a whole object.
    pub(super) fn resource(
        &self,
        def: &TypeDef,
        body: &Struct,
        root: &Root,
        code: &mut Code,
        needs: &mut Needs,
    ) {
        let Some(metadata) = body.fields.iter().find(|f| f.usage.ty == Ty::ObjectMeta) else { return };
        let name = ident(&def.name);
        code.blank();
        let mut members = code.members();
        self.constructor(body, root, &mut members, needs);
        code.braces(&format!("impl {name}"), members);
        // The derive of `crdgen::kube` writes this.
        if self.options.schema {
            return;
        }
        let scope = if root.has("namespaced") { "Namespace" } else { "Cluster" };
        let mut members = code.members();
        members.lines("type DynamicType = ();");
        members.lines(&format!("type Scope = kube::core::{scope}ResourceScope;"));
        for key in ["group", "version", "kind", "plural"] {
            members.blank();
            let mut line = members.members();
            line.call("std::borrow::Cow::Borrowed", &format!("{:?}", root.text(key)), "");
            members.braces(&format!("fn {key}(_: &()) -> std::borrow::Cow<'_, str>"), line);
        }
        let ty = self.ty(&metadata.usage, needs);
        for (function, reference) in [("meta", "&"), ("meta_mut", "&mut ")] {
            members.blank();
            let mut line = members.members();
            line.lines(&format!("{reference}self.{}", ident(&metadata.ident)));
            members.braces(&format!("fn {function}({reference}self) -> {reference}{ty}"), line);
        }
        code.blank();
        code.braces(&format!("impl kube::Resource for {name}"), members);
    }

    /// Writes `new`, which takes the fields that every object has, and sets `apiVersion` and `kind`. The server rejects
    /// objects without these two.
    fn constructor(&self, body: &Struct, root: &Root, code: &mut Code, needs: &mut Needs) {
        let mut parameters = vec!["name: &str".to_owned()];
        let mut values = code.members().members();
        for field in &body.fields {
            let name = ident(&field.ident);
            let may_be_absent = field.may_be_absent(self.options);
            if field.usage.ty == Ty::ObjectMeta {
                values
                    .lines(&METADATA.replace("FIELD", &name).replace("TYPE", &self.ty(&field.usage, needs)));
                continue;
            }
            let known = match field.property.as_str() {
                "apiVersion" => Some(format!("{}/{}", root.text("group"), root.text("version"))),
                "kind" => Some(root.text("kind").to_owned()),
                _ => None,
            };
            match known.filter(|_| field.usage.ty == Ty::String) {
                Some(text) => {
                    let text = format!("{text:?}{TO_OWNED}");
                    if field.has_null(self.options) {
                        values.call(&format!("{name}: Some"), &format!("Some({text})"), ",");
                    } else if may_be_absent || field.usage.nullable {
                        values.call(&format!("{name}: Some"), &text, ",");
                    } else {
                        values.lines(&format!("{name}: {text},"));
                    }
                }
                None if may_be_absent => values.lines(&format!("{name}: None,")),
                None => {
                    // The name of the object is a parameter too.
                    let parameter = if name == "name" { "name_field" } else { &name };
                    parameters.push(format!("{parameter}: {}", self.inner(&field.usage, needs)));
                    let value = if parameter == name { "" } else { ": name_field" };
                    values.lines(&format!("{name}{value},"));
                }
            }
        }
        if let Some(id) = body.choice {
            let name = names::choice(body);
            let name = ident(&name);
            parameters.push(format!("{name}: {}", ident(&self.plan.types[id].name)));
            values.lines(&format!("{name},"));
        }
        if let Some(name) = names::rest(body) {
            values.lines(&format!("{}: Default::default(),", ident(&name)));
        }
        if self.options.docs {
            code.lines("/// Creates an object with this name.");
        }
        let mut line = code.members();
        line.braces("Self", values);
        code.function("pub fn new", &parameters, "Self", line);
    }
}

const TO_OWNED: &str = ".to_owned()";

const METADATA: &str = "\
FIELD: TYPE {
    name: Some(name.to_owned()),
    ..Default::default()
},
";

impl Code {
    /// `head(parameters) -> ty { body }`
    fn function(&mut self, head: &str, parameters: &[String], ty: &str, body: Code) {
        let one_line = format!("{head}({}) -> {ty}", parameters.join(", "));
        if self.has_room_for(one_line.len() + " {".len()) {
            return self.braces(&one_line, body);
        }
        self.lines(&format!("{head}("));
        let mut lines = self.members();
        parameters.iter().for_each(|parameter| lines.lines(&format!("{parameter},")));
        self.append(lines);
        self.braces(&format!(") -> {ty}"), body);
    }

    /// `head(argument)tail`
    fn call(&mut self, head: &str, argument: &str, tail: &str) {
        let one_line = format!("{head}({argument}){tail}");
        // rustfmt keeps one column free after a field.
        if self.has_room_for(one_line.len() + tail.len()) {
            return self.lines(&one_line);
        }
        self.lines(&format!("{head}("));
        let mut line = self.members();
        match argument.strip_suffix(TO_OWNED) {
            Some(text) if !line.has_room_for(argument.len() + ",".len()) => {
                line.lines(text);
                let mut call = line.members();
                call.lines(&format!("{TO_OWNED},"));
                line.append(call);
            }
            Some(_) | None => line.lines(&format!("{argument},")),
        }
        self.append(line);
        self.lines(&format!("){tail}"));
    }

    /// Whether a new line has room for this number of characters.
    fn has_room_for(&self, more: usize) -> bool {
        self.indentation() + more <= WIDTH
    }
}
