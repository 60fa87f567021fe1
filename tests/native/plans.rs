//! The lesson plans: times add up, and both languages have the same links. The browser tests check that every link opens the
//! state that it names (`tests/web/plans.test.mjs`), and `figures::prose` checks the numbers.

use std::fs;

fn between<'a>(text: &'a str, start: &str, end: &str) -> Option<&'a str> {
    let (_, rest) = text.split_once(start)?;
    Some(rest.split_once(end)?.0)
}

/// The page with the copied steps inserted, as `scripts/kit/site.mjs` builds it.
fn with_copies(page: &str) -> String {
    let mut parts = page.split("<!-- copy: ");
    let mut whole = parts.next().unwrap_or_default().to_string();
    for part in parts {
        let (id, rest) = part.split_once(" -->").expect("the comment ends");
        let step = between(page, &format!("<li class=\"step\" id=\"{id}\""), "\n</li>");
        let (_, words) = step
            .and_then(|step| step.split_once("</p>\n"))
            .expect("the step is there");
        whole += words;
        whole += rest;
    }
    whole
}

/// Returns the faults of a plan with these two lengths in minutes; in the first timing the break is at 45 minutes.
fn problems(plan: &str, lengths: [u32; 2]) -> Vec<String> {
    let mut problems = Vec::new();
    let mut at = [0, 0];
    for step in plan.split("<li class=\"step\"").skip(1) {
        let title = between(step, "<span lang=\"en\">", "</h3>").unwrap_or_default();
        let minutes = between(step, "data-minutes=\"", "\"").and_then(|text| {
            let (first, second) = text.split_once(' ')?;
            Some([first.parse::<u32>().ok()?, second.parse::<u32>().ok()?])
        });
        let Some(minutes) = minutes else {
            problems.push(format!("{title}: how long?"));
            continue;
        };
        if minutes[0] == 0 && at[0] != 45 {
            problems.push(format!("{title}: after {} minutes", at[0]));
        }
        at = [0, 1].map(|timing| at[timing] + minutes[timing]);
        let [en, zh] = ["en", "zh"].map(|lang| {
            let words =
                between(step, &format!("<dl lang=\"{lang}\">"), "</dl>").unwrap_or_default();
            let links: Vec<_> = words
                .split("href=\"")
                .skip(1)
                .map(|rest| rest.split('"').next())
                .collect();
            (links, words.matches("<dt>").count())
        });
        if en != zh || en.1 == 0 {
            problems.push(format!("{title}: the languages differ"));
        }
    }
    if at != lengths {
        problems.push(format!("{at:?} minutes, not {lengths:?}"));
    }
    problems
}

#[test]
fn the_times_of_the_plans_add_up_and_their_languages_agree() {
    let page = with_copies(&fs::read_to_string("static/pages/plans.html").unwrap());
    for (id, lengths) in [("plan-45", [45, 50]), ("plan-2x45", [90, 90])] {
        let plan = between(
            &page,
            &format!("<article class=\"plan\" id=\"{id}\""),
            "</article>",
        );
        assert_eq!(problems(plan.unwrap(), lengths), Vec::<String>::new());
    }
}

#[test]
fn a_plan_that_does_not_add_up_is_told() {
    let step = |minutes, zh| {
        format!(
            "<li class=\"step\" data-minutes=\"{minutes}\"><dl lang=\"en\"><dt>Show</dt><a href=\"x\"></a></dl><dl lang=\"zh\"><dt>x</dt><a href=\"{zh}\"></a></dl></li>"
        )
    };
    let good = step("45 40", "x") + &step("0 5", "x") + &step("7 8", "x");
    assert_eq!(problems(&good, [52, 53]), Vec::<String>::new());
    assert_eq!(problems(&good, [52, 54]).len(), 1);
    assert_eq!(
        problems(&(step("40 40", "x") + &step("0 5", "x")), [40, 45]).len(),
        1
    );
    assert_eq!(problems(&step("5", "x"), [0, 0]).len(), 1);
    assert_eq!(problems(&step("5 6", "y"), [5, 6]).len(), 1);
}
