//! Which fields of a figure have controls, and where these are placed.

use super::control::{Control, ControlPlace};
use crate::field::{Field, Names, Persistence, Values};
use crate::text::markup::Node;
use crate::text::markup::html::*;
use crate::text::{Lang, labels};

/// The maximum number of controls that are always visible.
const MAX_MAIN: usize = 2;

/// Which controls a figure shows, and which of its fields are locked for the reader.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ControlPolicy {
    /// `None` for the controls that the figure declares.
    pub shown: Option<Names>,
    pub locked: Names,
}

impl ControlPolicy {
    fn shows(&self, field: &Field) -> bool {
        match &self.shown {
            None => field.control,
            Some(Names::All) => field.persistence == Persistence::Link,
            Some(names) => field.persistence != Persistence::Transient && names.contain(field.name),
        }
    }

    /// Whether a field is locked: session fields only if they are named, transient fields never.
    pub fn locks(&self, field: &Field) -> bool {
        let passes = match field.persistence {
            Persistence::Link => false,
            Persistence::Session => self.locked == Names::All,
            Persistence::Transient => true,
        };
        !passes && self.locked.contain(field.name)
    }

    /// Reverts locked fields to `before` after a change by hand. If other values do not allow that, reverts
    /// the whole change.
    pub fn revert_locked(&self, values: &mut Values, before: &Values) {
        values.revert(before, |field| self.locks(field));
    }
}

/// The names of the controls that a figure declares, without those that are hidden.
pub fn visible_control_names<'a>(
    hidden: &'a Names,
    fields: &'static [Field],
) -> impl Iterator<Item = &'static str> + 'a {
    let declared = fields.iter().filter(|field| field.control);
    declared
        .map(|field| field.name)
        .filter(|name| !hidden.contain(name))
}

/// The controls of a figure and `rest`, its other elements under "More"; `None` if there are neither. The first two main
/// controls are always visible and the others under "More"; if the page names the controls, all of these are visible.
pub fn controls(
    values: &Values,
    lang: Lang,
    offer: &ControlPolicy,
    rest: Option<Node>,
) -> Option<Node> {
    let (mut main, mut more) = (Vec::new(), Vec::new());
    let named = matches!(offer.shown, Some(Names::Listed(_)));
    for field in values.fields().iter().filter(|field| offer.shows(field)) {
        let control = Control {
            field,
            values,
            lang,
            locked: offer.locks(field),
            fixed: false,
            place: ControlPlace::Figure,
        };
        let control = control.node();
        if named || field.main && main.len() < MAX_MAIN {
            main.push(control);
        } else {
            more.push(control);
        }
    }
    let fields = |controls: Vec<Node>| (!controls.is_empty()).then(|| div("fields", controls));
    let folds = fields(more).into_iter().chain(rest).collect::<Vec<_>>();
    let more = (!folds.is_empty()).then(|| folded(labels::MORE.get(lang), Node::new("div", folds)));
    let parts: Vec<_> = fields(main).into_iter().chain(more).collect();
    (!parts.is_empty()).then(|| div("settings", parts))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::field::{Key, fields};

    fields! {
        PE: bool = Key::toggle("pe", "positions", "位置编码", true);
        CAUSAL: bool = Key::toggle("causal", "causal", "因果", false);
        MEAN: bool = Key::toggle("mean", "mean", "平均", false).without_control();
        HELD: bool = Key::toggle("held", "held", "按住", false).session();
    }

    fn named(choose: impl Fn(&Field) -> bool) -> Vec<&'static str> {
        let chosen = FIELDS.iter().filter(|field| choose(field));
        chosen.map(|field| field.name).collect()
    }

    #[test]
    fn a_figure_shows_its_own_controls_or_those_that_it_is_given() {
        let offer = |shown| ControlPolicy {
            shown,
            locked: Names::default(),
        };
        let shown = |names: Option<Names>| named(|field| offer(names.clone()).shows(field));
        assert_eq!(shown(None), ["pe", "causal"]);
        assert_eq!(shown(Some(Names::All)), ["pe", "causal", "mean"]);
        assert_eq!(shown(Some(Names::read("mean"))), ["mean"]);
        let left: Vec<_> = visible_control_names(&Names::read("pe"), FIELDS).collect();
        assert_eq!(left, ["causal"]);
        assert_eq!(visible_control_names(&Names::All, FIELDS).count(), 0);
    }

    #[test]
    fn everything_locked_leaves_what_passes() {
        let locked = |text| ControlPolicy {
            shown: None,
            locked: Names::read(text),
        };
        assert_eq!(
            named(|field| locked("*").locks(field)),
            ["pe", "causal", "mean"]
        );
        assert_eq!(named(|field| locked("held").locks(field)), ["held"]);

        let before = Values::new(FIELDS);
        let mut after = Values::with(FIELDS, "pe=off causal=on held=on");
        locked("*").revert_locked(&mut after, &before);
        assert_eq!(after, Values::with(FIELDS, "held=on"));
    }
}
