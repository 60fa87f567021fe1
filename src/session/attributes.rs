//! The attributes of a `<pe-figure>`. Those that are not fields are validated here, with suggestions.

use crate::draw::theme::TYPE_SCALE_RANGE;
use crate::field::{
    Diagnostic, DiagnosticKind, Names, Persistence, ThemeName, Values, ViewName, nearest, parse,
};
use crate::figure::ControlPolicy;
use crate::figures;
use crate::math::Clamp;

/// Attributes of a figure that are not fields.
const OWN_ATTRIBUTES: [&str; 8] = [
    "view", "group", "controls", "lock", "lang", "theme", "enlarge", "loading",
];
/// Global HTML attributes (<https://html.spec.whatwg.org/multipage/dom.html#global-attributes>).
const GLOBAL: [&str; 34] = [
    "accesskey",
    "autocapitalize",
    "autocorrect",
    "autofocus",
    "class",
    "contenteditable",
    "dir",
    "draggable",
    "elementtiming",
    "enterkeyhint",
    "exportparts",
    "hidden",
    "id",
    "inert",
    "inputmode",
    "is",
    "itemid",
    "itemprop",
    "itemref",
    "itemscope",
    "itemtype",
    "nonce",
    "part",
    "popover",
    "role",
    "slot",
    "spellcheck",
    "style",
    "tabindex",
    "title",
    "translate",
    "virtualkeyboardpolicy",
    "writingsuggestions",
    "xmlns",
];
/// Properties that a framework writes as attributes before the element is defined.
const PROPERTIES: [&str; 3] = ["state", "playing", "drawn"];
/// Prefixes of attributes that scripts and frameworks add to any element.
const PREFIXES: [&str; 11] = [
    "aria_", "data_", "on", "v_", "x_", "ng_", "hx_", "astro_", "svelte_", "jsx_", "_",
];

/// The figure with this name, or with the most similar valid name.
pub fn view_named(name: &str) -> Option<ViewName> {
    let named = ViewName::named(name.trim()).filter(|view| figures::fields(*view).is_some());
    named.or_else(|| ViewName::nearest(name, |view| figures::fields(view).is_some()))
}

/// The attributes of an element, by their names in snake case, like those of settings.
#[derive(Clone, Debug, Default)]
pub struct Attributes(Vec<(String, String)>);

impl Attributes {
    pub fn new(pairs: Vec<(String, String)>) -> Attributes {
        Attributes(pairs)
    }

    pub fn pairs(&self) -> &[(String, String)] {
        &self.0
    }

    pub fn get(&self, name: &str) -> Option<&str> {
        let found = self.0.iter().find(|(known, _)| known == name);
        found.map(|(_, text)| text.as_str())
    }

    /// Changes an attribute; `None` removes it.
    pub fn set(&mut self, name: &str, text: Option<&str>) {
        self.0.retain(|(known, _)| known != name);
        self.0.extend(text.map(|text| (name.into(), text.into())));
    }

    /// Which controls are shown, and which fields are locked.
    pub fn policy(&self) -> ControlPolicy {
        ControlPolicy {
            shown: self.get("controls").map(Names::read),
            locked: Names::read(self.get("lock").unwrap_or_default()),
        }
    }

    /// Problems of the attributes that are not fields.
    pub fn problems(&self, values: &Values, policy: &ControlPolicy) -> Vec<Diagnostic> {
        let lists = [
            ("controls", policy.shown.as_ref()),
            ("lock", Some(&policy.locked)),
        ];
        let mut problems: Vec<_> = lists
            .into_iter()
            .filter_map(|(name, listed)| unknown_field_in(name, listed?, values))
            .collect();
        problems.extend(self.get("theme").and_then(theme));
        problems.extend(self.get("enlarge").and_then(enlarge));
        problems.extend(self.get("loading").and_then(loading));
        problems.extend(self.unknown(values));
        problems
    }

    /// Unknown attributes. Fields of other figures are accepted, since `view` may change.
    fn unknown(&self, values: &Values) -> Vec<Diagnostic> {
        let names = self.0.iter().map(|(name, _)| name);
        names
            .filter(|name| {
                !is_html_or_framework_attribute(name)
                    && !OWN_ATTRIBUTES.contains(&name.as_str())
                    && !values.has(name)
            })
            .filter(|name| !is_field(name))
            .map(|name| {
                let fields = values.public().map(|field| field.name);
                let suggestion = nearest(name, fields.chain(OWN_ATTRIBUTES));
                let kebab = |name: &str| name.replace('_', "-");
                Diagnostic::unknown(&kebab(name), suggestion)
                    .with_suggestion(suggestion.map(kebab).as_deref())
            })
            .collect()
    }
}

/// Reports the first name in a list that is not a field.
fn unknown_field_in(
    attribute: &'static str,
    listed: &Names,
    values: &Values,
) -> Option<Diagnostic> {
    let Names::Listed(listed) = listed else {
        return None;
    };
    let name = listed.iter().find(|name| !values.has(name))?;
    let problem = Diagnostic::new(attribute, DiagnosticKind::NotAnOption, name, String::new());
    let fields = values.public().map(|field| field.name);
    Some(problem.with_suggestion(nearest(name, fields)))
}

fn theme(text: &str) -> Option<Diagnostic> {
    if text.trim().is_empty() || ThemeName::named(text).is_some() {
        return None;
    }
    let used = ThemeName::nearest(text).map_or("", ThemeName::name);
    Some(Diagnostic::new(
        "theme",
        DiagnosticKind::NotAnOption,
        text,
        used.into(),
    ))
}

fn enlarge(text: &str) -> Option<Diagnostic> {
    let (low, high) = TYPE_SCALE_RANGE;
    let (fault, used) = match parse::number(text) {
        None => (DiagnosticKind::NotANumber, 1.0),
        Some(times) if times < low || times > high => {
            (DiagnosticKind::OutOfRange, times.clamped(low, high))
        }
        Some(_) => return None,
    };
    Some(Diagnostic::new("enlarge", fault, text, used.to_string()))
}

fn loading(text: &str) -> Option<Diagnostic> {
    let known = ["lazy", "eager"].contains(&text);
    let problem = || {
        let problem = Diagnostic::new("loading", DiagnosticKind::NotAnOption, text, "eager".into());
        problem.with_suggestion(nearest(text, ["lazy"]))
    };
    (!known && !text.is_empty()).then(problem)
}

fn is_field(name: &str) -> bool {
    let all = figures::all().filter_map(figures::fields).flatten();
    all.into_iter()
        .any(|field| field.name == name && field.persistence != Persistence::Transient)
}

/// Whether an attribute is valid on every element or belongs to a script or framework. Names have underscores instead
/// of hyphens.
fn is_html_or_framework_attribute(name: &str) -> bool {
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
    GLOBAL.contains(&name)
        || PROPERTIES.contains(&name)
        || PREFIXES.iter().any(|prefix| name.starts_with(prefix))
        || !name.chars().all(plain)
}
