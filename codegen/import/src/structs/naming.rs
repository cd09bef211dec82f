//! Chooses modules and names once all types are known. A type is in a module that all its uses can see: in the module
//! of its version, in `shared` of its group, or in the top `shared`. Its name is the shortest that describes it: the
//! name with which its documentation begins, the common ending of the last words of at least three paths, or the last
//! word of the shallowest path, with more words before it if that name is in use or too general. So a name only changes
//! if one of the first uses is added or removed, or if the type gets a use with a very different word.

use std::collections::BTreeSet;

use super::kopium;
use super::kubernetes;
use super::lower::{Facts, Lowering};
use super::model::*;
use super::names::{RESERVED, Taken, type_name};
use super::options::Options;
use crate::nearest::did_you_mean;

/// Words that are too general to be names.
const GENERAL: &[&str] = &[
    "Action",
    "Args",
    "Auth",
    "Body",
    "Config",
    "Configuration",
    "Condition",
    "Data",
    "Default",
    "Defaults",
    "Entry",
    "Field",
    "From",
    "Group",
    "Header",
    "Id",
    "Info",
    "Item",
    "Key",
    "Kind",
    "Label",
    "Level",
    "List",
    "Map",
    "Match",
    "Metadata",
    "Method",
    "Mode",
    "Name",
    "Object",
    "Option",
    "Parameter",
    "Params",
    "Path",
    "Phase",
    "Policy",
    "Port",
    "Properties",
    "Property",
    "Protocol",
    "Provider",
    "Ref",
    "Reference",
    "Resource",
    "Result",
    "Rule",
    "Schema",
    "Scope",
    "Selector",
    "Settings",
    "Source",
    "Spec",
    "State",
    "Status",
    "Strategy",
    "Target",
    "Template",
    "To",
    "Type",
    "Value",
    "Values",
    "Version",
];

/// Gives every type its module and name and fills the modules.
pub(super) fn finish(lowering: Lowering, modules: Vec<Module>, options: &Options) -> Plan {
    let Lowering { mut types, facts, fallbacks, paths, .. } = lowering;
    let places = Places::new(&modules, &facts);
    let mut taken: Vec<Taken> = vec![reserved(); places.modules.len()];
    let mut order: Vec<TypeId> = (0..types.len()).collect();
    order.sort_by(|&a, &b| {
        let key = |id: TypeId| {
            let Facts { fixed, named, site, .. } = &facts[id];
            (fixed.is_none(), named.is_none(), places.of[id], site)
        };
        key(a).cmp(&key(b))
    });
    for module in &modules {
        let at = places.version[&module.path];
        module.kinds.iter().for_each(|k| taken[at].take(k));
    }
    let (mut used, mut known) = (BTreeSet::new(), paths);
    for id in order {
        let seen = places.seen_from(id, &facts[id]);
        let name = match &facts[id].fixed {
            Some(name) => {
                known.insert(name.clone());
                name.clone()
            }
            None => {
                let free = |name: &str| seen.iter().all(|&at| !taken[at].has(name));
                let given = |key: &str| options.names.get(key).filter(|name| free(name));
                let own = facts[id].named.as_ref().and_then(|(_, path)| Some((path.clone(), given(path)?)));
                let (key, name) = match own {
                    Some((path, name)) => (path, name.clone()),
                    None => {
                        let name = choose(&types[id], &facts[id], free);
                        let renamed = given(&name).unwrap_or(&name).clone();
                        (name, renamed)
                    }
                };
                if options.names.get(&key) == Some(&name) {
                    used.insert(key.clone());
                }
                known.insert(key);
                name
            }
        };
        for &at in &seen {
            taken[at].take(&name);
        }
        types[id].name = name;
    }
    for (def, facts) in types.iter_mut().zip(&facts) {
        describe(def, facts);
    }
    let modules = places.fill(&types, &facts);
    let unused_names: Vec<String> =
        options.names.keys().filter(|key| !used.contains(*key)).cloned().collect();
    let marked = |key: &str| known.contains(&key.replace("[]", "").replace("{}", ""));
    let unknown = unused_names.iter().filter(|key| !marked(key));
    let unknown_names =
        unknown.map(|key| (key.clone(), did_you_mean(key, known.iter().map(String::as_str)))).collect();
    Plan { types, modules, fallbacks, unused_names, unknown_names }
}

fn reserved() -> Taken {
    let mut taken = Taken::default();
    RESERVED.iter().for_each(|n| taken.take(n));
    taken
}

/// The documentation of a type is what the descriptions at all uses have in common. An enum has a default if all uses
/// have the same one.
fn describe(def: &mut TypeDef, facts: &Facts) {
    if facts.fixed.is_none() {
        def.docs = facts.own.get().or(facts.of_fields.get()).unwrap_or_default().to_owned();
    }
    if let (Body::Enum(body), [crate::value::Value::Str(value)]) = (&mut def.body, &facts.defaults[..]) {
        body.default = body.variants.iter().position(|(_, v)| v == value);
    }
}

/// Chooses a free name.
fn choose(def: &TypeDef, facts: &Facts, free: impl Fn(&str) -> bool) -> String {
    if let Some(name) = &facts.wished {
        return kopium::free_name(name, free);
    }
    match &def.body {
        Body::IntOrString { quantity } => {
            let name = if *quantity { "Quantity" } else { "IntOrString" };
            if free(name) {
                return name.to_owned();
            }
        }
        Body::Struct(body) if body.is_empty() && free("Empty") => {
            return "Empty".to_owned();
        }
        Body::Struct(_) | Body::Union(_) | Body::Enum(_) => {}
    }
    let site = &facts.site;
    let title = site.title.trim();
    let titled = title.len() > 2
        && title.starts_with(|c: char| c.is_ascii_uppercase())
        && title.chars().all(|c| c.is_ascii_alphanumeric());
    if titled && free(title) && !GENERAL.contains(&title) {
        return title.to_owned();
    }
    if let Body::Struct(body @ Struct { choice: None, .. }) = &def.body {
        let properties: Vec<&str> = body.fields.iter().map(|f| f.property.as_str()).collect();
        if let Some(known) = kubernetes::name_of(&properties, &site.words)
            && free(known.name())
        {
            return known.name().to_owned();
        }
    }
    if let Some((_, name)) = &facts.declared
        && free(name)
    {
        return name.clone();
    }
    if facts.called.len() > 2
        && facts.ending.len() > 3
        && !GENERAL.contains(&&*facts.ending)
        && free(&facts.ending)
    {
        return facts.ending.clone();
    }
    let words: Vec<&str> = site.words.iter().map(String::as_str).filter(|w| !w.is_empty()).collect();
    let words = if words.is_empty() { vec!["Value"] } else { words };
    let mut name = String::new();
    for (i, word) in words.iter().enumerate().rev() {
        // `spec` and `status` add nothing to a name, and neither do repeated words.
        let last = i + 1 == words.len();
        if !last && (*word == "Spec" || *word == "Status" || name.starts_with(word)) && i > 0 {
            continue;
        }
        name.insert_str(0, word);
        let general = last && GENERAL.contains(word) && words.len() > 1;
        let full = type_name(&name);
        if !general && free(&full) {
            return full;
        }
    }
    let base = type_name(&words.concat());
    if free(&base) {
        return base;
    }
    let mut n = 2;
    loop {
        let numbered = format!("{base}{n}");
        if free(&numbered) {
            return numbered;
        }
        n += 1;
    }
}

/// All modules, with the `shared` ones first, and the module of each type.
struct Places {
    modules: Vec<Module>,
    /// The index of each version's module.
    version: std::collections::BTreeMap<Vec<String>, usize>,
    /// The index of each of the lowering's modules.
    at: Vec<usize>,
    /// The module of each type.
    of: Vec<usize>,
    /// The `shared` modules that each module can see: that of its group, and the top one.
    shared: Vec<Vec<usize>>,
}

impl Places {
    fn new(versions: &[Module], facts: &[Facts]) -> Places {
        let shared = |parent: &[String], group: &str| Module {
            path: parent.iter().cloned().chain(["shared".to_owned()]).collect(),
            docs: "Types that several modules use.".to_owned(),
            group: group.to_owned(),
            ..Module::default()
        };
        let mut modules = vec![shared(&[], "")];
        let mut groups: std::collections::BTreeMap<&[String], usize> = std::collections::BTreeMap::new();
        for version in versions {
            let parent = &version.path[..version.path.len() - 1];
            if !parent.is_empty() && !groups.contains_key(parent) {
                groups.insert(parent, modules.len());
                modules.push(shared(parent, &version.group));
            }
        }
        let first = modules.len();
        let at: Vec<usize> = (0..versions.len()).map(|i| first + i).collect();
        let mut above = vec![Vec::new(); first];
        for &group in groups.values() {
            above[group].push(0);
        }
        for version in versions {
            let parent = &version.path[..version.path.len() - 1];
            above.push(groups.get(parent).copied().into_iter().chain([0]).collect());
        }
        modules.extend(versions.iter().cloned());
        let version = at.iter().map(|&i| (modules[i].path.clone(), i)).collect();
        let of = facts
            .iter()
            .map(|f| match &f.modules[..] {
                [one] => at[*one],
                many => *above[at[many[0]]]
                    .iter()
                    .find(|s| many.iter().all(|m| above[at[*m]].contains(s)))
                    .unwrap_or(&0),
            })
            .collect();
        Places { modules, version, at, of, shared: above }
    }

    /// The modules in which the name of a type must be free.
    fn seen_from(&self, id: TypeId, facts: &Facts) -> Vec<usize> {
        let mut seen = vec![self.of[id]];
        for &module in &facts.modules {
            let at = self.at[module];
            seen.push(at);
            seen.extend(self.shared[at].iter().filter(|s| **s != 0));
        }
        seen.sort_unstable();
        seen.dedup();
        seen
    }

    /// Adds the types to their modules, in the order in which readers meet them, and collects the imports.
    fn fill(self, types: &[TypeDef], facts: &[Facts]) -> Vec<Module> {
        let Places { mut modules, version: _, at, of, shared } = self;
        let mut local: Vec<Vec<TypeId>> = vec![Vec::new(); modules.len()];
        for (id, &place) in of.iter().enumerate() {
            local[place].push(id);
        }
        for (place, module) in modules.iter_mut().enumerate() {
            let mut ids = std::mem::take(&mut local[place]);
            ids.sort_by(|&a, &b| types[a].name.cmp(&types[b].name));
            let done = std::collections::HashSet::new();
            let mut reading = Reading { place, of: &of, types, done, order: Vec::with_capacity(ids.len()) };
            let roots = ids.iter().copied().filter(|&id| types[id].root.is_some());
            for root in roots.chain(ids.iter().copied()) {
                reading.add(root);
                if let Some(status) = types[root].root.as_ref().and_then(|r| r.status) {
                    reading.add(status);
                }
            }
            module.types = reading.order;
        }
        let mut wanted: Vec<std::collections::BTreeMap<usize, Vec<TypeId>>> =
            vec![Default::default(); modules.len()];
        for (id, facts) in facts.iter().enumerate() {
            for &module in &facts.modules {
                if at[module] != of[id] {
                    wanted[at[module]].entry(of[id]).or_default().push(id);
                }
            }
        }
        for (place, module) in modules.iter().enumerate().filter(|(p, _)| shared[*p] == [0]) {
            if at.contains(&place) {
                continue;
            }
            for &id in &module.types {
                each_use(&types[id], &mut |used| {
                    if of[used] != place {
                        wanted[place].entry(of[used]).or_default().push(used);
                    }
                });
            }
        }
        for (place, wanted) in wanted.into_iter().enumerate() {
            for (from, mut ids) in wanted {
                ids.sort_by(|&a, &b| types[a].name.cmp(&types[b].name));
                ids.dedup();
                let up = modules[place].path.len() - (modules[from].path.len() - 1);
                modules[place].imports.push((up, ids));
            }
        }
        modules.retain(|m| !m.types.is_empty());
        modules
    }
}

/// The types of a module, in the order in which readers meet them.
struct Reading<'t> {
    place: usize,
    /// The module of each type.
    of: &'t [usize],
    types: &'t [TypeDef],
    done: std::collections::HashSet<TypeId>,
    order: Vec<TypeId>,
}

impl Reading<'_> {
    /// Adds a type and then the types that it uses, each once.
    fn add(&mut self, id: TypeId) {
        if self.of[id] != self.place || !self.done.insert(id) {
            return;
        }
        self.order.push(id);
        let mut next = Vec::new();
        each_use(&self.types[id], &mut |used| next.push(used));
        for used in next {
            self.add(used);
        }
    }
}

/// Calls `call` for every named type that a type uses.
pub(super) fn each_use(def: &TypeDef, call: &mut impl FnMut(TypeId)) {
    fn of_use(usage: &Use, call: &mut impl FnMut(TypeId)) {
        if let Ty::Named(id) = usage.ty {
            call(id);
        }
        if let Some(inner) = usage.ty.inner() {
            of_use(inner, call);
        }
    }
    match &def.body {
        Body::Struct(body) => {
            body.fields.iter().for_each(|f| of_use(&f.usage, call));
            body.choice.into_iter().for_each(call);
        }
        Body::Union(body) => body.variants.iter().for_each(|f| of_use(&f.usage, call)),
        Body::Enum(_) | Body::IntOrString { .. } => {}
    }
}
