//! Recognises which encoding a table contains and finds its mistakes, for examples and for the reader's own file.

mod compute;
mod examples;
mod phases;
mod picture;
mod waves;
mod words;

use crate::draw::{DrawContext, Pen, Theme};
use crate::field::{Choice, Field, Key, Values, ViewName, choices, fields};
use crate::figure::{Figure, FileState, Handle, OpenedFile, arrows};
use crate::text::markup::{Node, html};
use crate::text::{Lang, Text};
use compute::{REACH, Study};
use examples::Example;
use picture::Plan;
use posenc_inspect::Cell;
use std::rc::Rc;

/// Maximum number of rows and of columns of a map; larger tables are shown in blocks of cells.
const MAX_BLOCKS: usize = 256;
/// Cells that are read per step.
const LOOKED_AT: usize = 400_000;

/// The table that is inspected, or why there is none.
enum Shown {
    /// An example, or a file's table.
    Study {
        /// `None` for a file.
        example: Option<Example>,
        study: Box<Study>,
    },
    /// A file is being read, or a tensor has to be chosen.
    Waiting,
    /// The file cannot be read or is not a table.
    Refused,
}

pub struct Inspect {
    lang: Lang,
    example: Example,
    k: usize,
    /// Whether the map shows the angles of pairs instead of values.
    by_phase: bool,
    panels: Panels,
    /// Whether the report is shown; if not, readers look for the mistake themselves first.
    reports: bool,
    file: Option<OpenedFile>,
    shown: Shown,
}

impl Inspect {
    fn label(&self) -> Text {
        self.example.label()
    }

    fn is_coming(&self) -> bool {
        let content = self.file.as_ref().map(|file| &file.content);
        matches!(content, Some(FileState::Loading(_)))
    }

    /// The progress of loading and inspecting a file, 0 … 1; `None` once it is complete, and for examples, which are small.
    fn progress(&self) -> Option<f64> {
        match (&self.file.as_ref()?.content, &self.shown) {
            (FileState::Loading(share), _) => Some(0.3 * share),
            (_, Shown::Study { study, .. }) if !study.is_done() => {
                Some(0.3 + 0.7 * study.progress())
            }
            _ => None,
        }
    }

    fn study(&self) -> Option<&Study> {
        match &self.shown {
            Shown::Study { study, .. } => Some(study),
            _ => None,
        }
    }

    /// Row and column of the first wrong cell, as the table is stored.
    fn first_wrong(&self, study: &Study) -> Option<(usize, usize)> {
        let report = study.report()?;
        let Cell {
            position,
            dimension,
            ..
        } = report.first_wrong.filter(|_| report.is_recognised())?;
        Some(match report.transposed {
            false => (position, dimension),
            true => (dimension, position),
        })
    }
}

choices! {
    enum Colour {
        Value "value" "Value" "数值";
        Phase "phase" "Phase" "相位";
    }
}

choices! {
    /// What is shown: the map of differences alone, or also the table and two more panels.
    enum Panels {
        Difference "difference" "Difference alone" "只看差";
        Rows "rows" "Rows and Mₖ" "行与 Mₖ";
        Waves "waves" "Frequencies and positions" "频率与位置";
    }
}

fields! {
    EXAMPLE: Example = Key::choice("example", "Example", "示例");
    K: i64 = Key::whole("k", "offset", "偏移量", 3, |_| (1, REACH as i64)).under_more();
    COLOUR: Colour = Key::choice("colour", "Colour", "颜色").under_more();
    PANELS: Panels = Key::choice("panels", "Panels", "图").under_more();
    REPORT: bool = Key::toggle("report", "Report", "报告", true).under_more();
}

impl Figure for Inspect {
    const NAME: ViewName = ViewName::Inspect;
    const FIELDS: &'static [Field] = FIELDS;
    const ARROWS: [Option<Key<i64>>; 2] = [Some(K), None];
    const ACCEPTS_FILES: bool = true;

    type Layout = Plan;

    fn new(values: &Values, lang: Lang, previous: Option<Inspect>) -> Inspect {
        let example = values.get(EXAMPLE);
        let (file, shown) = match previous {
            Some(it) => (it.file, Some(it.shown)),
            None => (None, None),
        };
        let by_phase = values.get(COLOUR) == Colour::Phase;
        let mut it = Inspect {
            lang,
            example,
            k: values.count(K),
            by_phase,
            panels: match values.get(PANELS) {
                // The colours are those of the table.
                Panels::Difference if by_phase => Panels::Rows,
                panels => panels,
            },
            reports: values.get(REPORT),
            shown: shown.unwrap_or(Shown::Waiting),
            file,
        };
        if it.file.is_none() {
            it.set_file(None);
        }
        it
    }

    fn set_file(&mut self, file: Option<&OpenedFile>) {
        let kept = match (&self.shown, file.map(|file| &file.content)) {
            (Shown::Study { example, .. }, None) => *example == Some(self.example),
            (Shown::Study { study, example }, Some(FileState::Table(table))) => {
                example.is_none() && Rc::ptr_eq(study.table(), table)
            }
            _ => false,
        };
        self.file = file.cloned();
        if kept {
            return;
        }
        let study = |example, study| Shown::Study {
            example,
            study: Box::new(study),
        };
        self.shown = match file.map(|file| &file.content) {
            None => study(
                Some(self.example),
                Study::new(examples::example(self.example)),
            ),
            Some(FileState::Table(table)) => study(None, Study::new(Rc::clone(table))),
            Some(FileState::Loading(_) | FileState::Choice) => Shown::Waiting,
            Some(FileState::Invalid(_) | FileState::ReadError(_)) => Shown::Refused,
        };
    }

    fn work(&mut self) -> bool {
        match &mut self.shown {
            Shown::Study { study, .. } => {
                study.step() || self.panels == Panels::Waves && study.measure()
            }
            _ => false,
        }
    }

    fn caption(&self) -> String {
        self.describe()
    }

    fn actions(&self) -> Option<Node> {
        Some(self.question())
    }

    fn more(&self) -> Option<Node> {
        Some(self.hints())
    }

    fn below(&self) -> Option<Node> {
        // The picker keeps its element, and so the focus, when the report goes.
        let report = self.report_in_words().into_iter().collect();
        Some(html::div("", vec![html::div("", report), self.picker()]))
    }

    fn act(&self, action: &str, _: &str, values: &mut Values) {
        if action == "report" {
            values.set_to(REPORT, true);
        }
    }

    fn height(&self, width: f64, theme: &Theme) -> Option<f64> {
        // Without a table, a sentence replaces the picture.
        (!matches!(self.shown, Shown::Refused)).then(|| Plan::height(self.panels, width, theme))
    }

    fn layout(&self, context: &DrawContext) -> Plan {
        Plan::new(self.panels, context)
    }

    fn draw(&self, pen: &Pen, context: &DrawContext, plan: &Plan) {
        self.draw_all(pen, context, plan);
    }

    fn handles(&self, context: &DrawContext, plan: &Plan) -> Vec<Handle> {
        if self.panels != Panels::Rows {
            return Vec::new();
        }
        let chart = plan.chart(context);
        vec![Handle::along_x(&chart, K)]
    }

    fn key(&self, key: &str, shift: bool, values: &mut Values) -> bool {
        self.panels == Panels::Rows && arrows(Self::ARROWS, key, shift, values)
    }

    fn copied(&self) -> Option<String> {
        let report = self.study()?.report()?;
        Some(self.text(report))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn how_large_tables_are_shown_can_be_read() {
        for lang in [Lang::En, Lang::Zh] {
            let inspect = Inspect::new(&Values::with(Inspect::FIELDS, ""), lang, None);
            let more = inspect.more().unwrap().plain();
            assert!(more.contains("512"), "{more}");
        }
    }

    /// At an odd width, the last dimension is in no rotation.
    #[test]
    fn only_a_correct_table_of_even_width_has_an_exact_matrix() {
        let caption = |mut it: Inspect| {
            while it.work() {}
            it.caption()
        };
        let values = Values::with(Inspect::FIELDS, "example=paper panels=rows");
        let paper = || Inspect::new(&values, Lang::En, None);
        let exact = "M₃ is exact to rounding";
        assert!(caption(paper()).contains(exact));
        let bytes = std::fs::read("tests/corpus/tables/sinusoid_table-20x7.npy").unwrap();
        let mut odd = paper();
        odd.set_file(Some(&OpenedFile {
            name: "odd".into(),
            content: FileState::Table(posenc_inspect::read(&bytes, None).unwrap().into()),
            candidates: Vec::new(),
            tensor: None,
        }));
        let odd = caption(odd);
        assert!(odd.contains("The best M₃") && !odd.contains(exact), "{odd}");
    }
}
