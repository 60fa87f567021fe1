//! What a pointer does to a picture of which fields are locked: nothing.

use super::{Handle, PointerAction, Region, ViewName, on_page, svg};
use posenc::session::{Attributes, Event, Input, Interactive, NamedValues, Session, Surroundings};

/// A page with one figure.
struct Alone;

impl Surroundings for Alone {
    fn members(&self, _: &str) -> Vec<Attributes> {
        Vec::new()
    }

    fn bench(&self) -> NamedValues {
        NamedValues::default()
    }

    fn reduces_motion(&self) -> bool {
        false
    }
}

#[test]
fn nothing_moves_with_a_pointer_on_what_is_locked() {
    for (name, settings, lock) in [
        (ViewName::Rotation, "pair=0", "pos"),
        (ViewName::Rotation, "pair=0", "*"),
        (ViewName::Waves, "pair=4", "pos"),
        (ViewName::Tokens, "pos=3", "pos"),
        (ViewName::Compose, "j=3", "k"),
    ] {
        let pairs = [("view", name.name()), ("lock", lock)].into_iter();
        let pairs = pairs.chain(settings.split_once('='));
        let pairs = pairs.map(|(name, text)| (name.to_string(), text.to_string()));
        let attributes = Attributes::new(pairs.collect());
        let (mut session, _) = Session::new(Box::new(Alone), attributes, &[]).unwrap();
        on_page(name, session.values().clone(), 720.0, &mut |mut page| {
            let at = match page.handles()[0] {
                Handle {
                    region: Region::Rect(rect),
                    ..
                } => rect.centre(),
                Handle {
                    region: Region::Disc { centre, .. },
                    ..
                } => centre,
            };
            let mut pictures = Vec::new();
            for (action, by) in [
                (PointerAction::Press, 0.0),
                (PointerAction::Drag, 0.6),
                (PointerAction::Drag, 3.0),
                (PointerAction::Drag, 40.0),
            ] {
                let input = Input::Pointer {
                    id: 1,
                    at: at + (by, by),
                    action,
                    context: &page.context,
                };
                let picture = page.figure() as &dyn Interactive;
                session.handle(Event::Input(input), Some(picture));
                assert_eq!(*session.values(), page.values);
                page.recompute();
                pictures.push(svg(&page));
            }
            pictures.dedup();
            assert_eq!(pictures.len(), 1, "{} lock={lock}", name.name());
        });
    }
}
