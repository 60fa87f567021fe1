//! Figures that share their values.

use super::*;

#[test]
fn a_group_begins_with_the_first_attribute_that_sets_a_value() {
    let page = Page::with(&[
        "view=similarity group=first",
        "view=rotation group=first k=5",
        "view=rotation group=first k=9 pair=7",
        "view=rotation group=other k=1",
    ]);
    let second = Shown::on(&page, "view=rotation group=first k=9 pair=7");
    assert_eq!(
        (second.text("k"), second.text("pair")),
        ("5".into(), "7".into())
    );
    assert_eq!(second.begun.changed, Some(Change::Move));
    let first = Shown::on(&page, "view=similarity group=first");
    assert_eq!(first.text("k"), "5");
    // Of what no attribute sets, the first figure that has it gives the default.
    assert_eq!(
        (first.text("d_model"), second.text("d_model")),
        ("512".into(), "512".into())
    );
    let other = Shown::on(&page, "view=rotation group=other k=1");
    assert_eq!(other.text("k"), "1");
}

#[test]
fn members_take_what_they_have_fields_for() {
    let page = Page::with(&["view=rotation group=taking", "view=similarity group=taking"]);
    let mut one = Shown::on(&page, "view=rotation group=taking");
    let mut two = Shown::on(&page, "view=similarity group=taking");
    for (event, change) in [
        (Event::Set(&[("k", "8"), ("pair", "3")]), Change::Move),
        (Event::Set(&[("max_len", "20")]), Change::Move),
    ] {
        assert_eq!(one.handle(event).changed, Some(change));
        let update = one.session.take_shared_update().unwrap();
        let group = update.group.unwrap();
        assert!(two.session.in_group(group.name()));
        let effects = two.handle(Event::Sync {
            values: &group.values(),
            change: update.change,
        });
        // It tells its listeners, but not the group, which knows.
        assert_eq!(effects.changed, Some(change));
        assert!(effects.redraw);
        assert_eq!(two.shared(), None);
    }
    assert_eq!(
        (two.text("k"), two.text("max_len")),
        ("8".into(), "20".into())
    );
    let values = two.session.take_shared_update();
    assert!(values.is_none());

    // One that comes late takes what the group shows now, whatever it says.
    let late = Shown::on(&page, "view=rotation group=taking k=2");
    assert_eq!(
        (late.text("k"), late.text("pair")),
        ("8".into(), "3".into())
    );
    let mut later = Shown::on(&page, "view=rotation k=2");
    let effects = later.attribute("group", Some("taking"));
    assert_eq!(
        (effects.changed, later.text("k")),
        (Some(Change::Move), "8".into())
    );
    assert_eq!(later.shared(), None);
    // One that changes its view takes the values of the new fields from the group.
    two.handle(Event::Set(&[("view", "rotation")]));
    assert_eq!(two.text("pair"), "3");
    two.attribute("group", None);
    two.handle(Event::Set(&[("k", "1")]));
    assert!(two.session.take_shared_update().unwrap().group.is_none());
}

#[test]
fn a_held_key_is_followed_by_the_group() {
    let page = Page::with(&["view=similarity group=held"]);
    let mut shown = Shown::on(&page, "view=similarity group=held");
    shown.key("ArrowRight", true);
    assert_eq!(shown.shared(), Some(Change::Follow));
}

#[test]
fn a_group_is_reset_to_the_attributes_of_its_members() {
    let page = Page::with(&["view=rotation group=back k=5", "view=rotation group=back"]);
    let mut first = Shown::on(&page, "view=rotation group=back k=5");
    let mut second = Shown::on(&page, "view=rotation group=back");
    assert!(second.session.is_initial());
    for (event, k, pos) in [
        (Event::Set(&[("k", "9"), ("pos", "3")]), "9", "3"),
        (Event::Reset, "5", "10"),
    ] {
        second.handle(event);
        let update = second.session.take_shared_update().unwrap();
        first.handle(Event::Sync {
            values: &update.group.unwrap().values(),
            change: update.change,
        });
        for shown in [&first, &second] {
            assert_eq!((shown.text("k"), shown.text("pos")), (k.into(), pos.into()));
            assert_eq!(shown.session.is_initial(), k == "5");
        }
    }
}

#[test]
fn the_group_of_the_bench_has_the_values_of_the_bench() {
    let page = Page {
        bench: vec![("k", "12".into()), ("theme", "dark".into())],
        ..Page::with(&["view=rotation group=bench k=5"])
    };
    let mut shown = Shown::on(&page, "view=rotation group=bench k=5");
    assert_eq!(shown.text("k"), "12");
    assert!(shown.session.follows_bench());
    // A reset goes back to what its own attributes say, and tells the bench.
    shown.handle(Event::Reset);
    assert_eq!(shown.text("k"), "5");
    assert!(!shown.session.follows_bench(), "the bench follows");
    assert_eq!(shown.shared(), Some(Change::Move));
    assert!(shown.session.follows_bench());
}

#[test]
fn limits_of_a_group_are_taken_before_what_they_limit() {
    // The group has pos before max_len.
    let members = [
        "view=rotation group=limited pos=5",
        "view=rotation group=limited max_len=60",
    ];
    let page = Page::with(&members);
    let [mut one, mut two] = members.map(|member| Shown::on(&page, member));
    one.handle(Event::Set(&[("max_len", "500"), ("pos", "400")]));
    let update = one.session.take_shared_update().unwrap();
    two.handle(Event::Sync {
        values: &update.group.unwrap().values(),
        change: update.change,
    });
    assert_eq!(
        (two.text("max_len"), two.text("pos")),
        ("500".into(), "400".into())
    );
}
