//! The texts of the inspection: file picker, caption, report, and the text for a bug report.

use super::compute::Study;
use super::{Inspect, Panels, Shown};
use crate::figure::FileState;
use crate::text::inspection;
use crate::text::markup::{Node, html};
use crate::text::number::{percent, subscript};
use crate::text::{Lang, Text, labels};
use posenc_inspect::{Code, Kind, Report};

pub(super) const VALUES: Text = Text::new("The table", "这张表");
pub(super) const PHASES: Text = Text::new("The table, by phase", "这张表的相位");
pub(super) const DIFFERENCE: Text = Text::new(
    "Table minus the nearest correct one",
    "这张表减去最接近的正确的表",
);
/// The same in the report on columns that are taken for pairs, which leaves sines right.
pub(super) const ONLY_ODD: Text = Text::new(
    "Difference: odd dimensions only",
    "差值：只有奇数维度不为零",
);
pub(super) const ALIKE: Text = Text::new("Cosine similarity of rows", "行与行的余弦相似度");
pub(super) const FITTED: Text = Text::new("Error of the best-fit Mₖ", "最佳拟合 Mₖ 的误差");
/// Short forms of the last three titles.
pub(super) const SHORT: [Text; 3] = [
    Text::new("Difference", "差"),
    Text::new("Similarity", "相似度"),
    Text::new("Error of Mₖ", "Mₖ 的误差"),
];
pub(super) const POSITION: Text = Text::new("position", "位置");
pub(super) const DIMENSION: Text = Text::new("dimension", "维度");
pub(super) const ROW: Text = Text::new("row", "行");
pub(super) const COLUMN: Text = Text::new("column", "列");
pub(super) const POSITION_M: Text = Text::new("position m", "位置 m");
pub(super) const POSITION_N: Text = Text::new("position n", "位置 n");
pub(super) const ERROR: Text = Text::new("share of the rows’ length", "占行长的比例");
pub(super) const OFFSET: Text = Text::new("offset k", "偏移量 k");
pub(super) const THIS: Text = Text::new("this table", "这张表");
/// Short forms of [`THIS`] and [`CORRECT`].
pub(super) const SHORT_NAMES: [Text; 2] =
    [Text::new("this", "这张"), Text::new("correct", "正确的")];
pub(super) const CORRECT: Text = Text::new("the correct table", "正确的表");
pub(super) const FIRST_WRONG: Text = Text::new("first wrong cell", "第一个错误");
pub(super) const NO_FIT: Text = Text::new("too few rows to fit a matrix", "行数太少，无法拟合矩阵");
pub(super) const OF_WAVES: [Text; 2] = [
    Text::new("Measured frequencies", "测得的频率"),
    Text::new("Positions of the rows", "各行的位置"),
];
/// Short forms of [`OF_WAVES`].
pub(super) const SHORT_OF_WAVES: [Text; 2] = [
    Text::new("Frequencies", "频率"),
    Text::new("Positions", "位置"),
];
pub(super) const FREQUENCY: Text = Text::new("radians per position", "每个位置的弧度");
pub(super) const BY_ROW: Text = Text::new("position = row", "位置 = 行号");
pub(super) const NO_WAVES: Text = Text::new("no waves were recognised", "没有识别出波");
pub(super) const UNMEASURED: Text =
    Text::new("the rows do not tell their positions", "无法从各行得出位置");
/// What the colours of a map of values, of differences and of similarities measure.
pub(super) const MEASURED: [Text; 3] = [
    Text::new("value", "数值"),
    Text::new("off by", "差"),
    Text::new("cosine", "余弦"),
];
pub(super) const WAIT: Text = Text::new("…", "…");

const CHOOSE: Text = Text::new("Choose a file", "选择文件");
const DROP: Text = Text::new(
    "or drop one here: .npy, .safetensors, .csv or text. Nothing is uploaded: this page reads the file on your computer.",
    "或把文件拖到这里：.npy、.safetensors、.csv 或文本。不会上传任何内容：文件只由本页面在你的电脑上读取。",
);
const FORGET: Text = Text::new("Back to the example", "回到示例");
const CANCEL: Text = Text::new("Cancel", "取消");
const TENSOR: Text = Text::new("Tensor", "张量");
const PICK: Text = Text::new("choose one", "请选择");
const PROGRESS: Text = Text::new("How far the inspection is", "检查进度");
const SHOW: Text = Text::new("Show the report", "显示报告");
const CODE: Text = Text::new(
    "The line that causes it, and lines that are right",
    "出错的代码行，以及正确的写法",
);
const FITS: Text = Text::new(
    "How well it fits, and the report as text",
    "拟合得有多好，以及报告的文本",
);
const BUG_REPORT: Text = Text::new(
    "The whole report as text, for a bug report",
    "整份报告的文本，可贴进缺陷报告",
);
const METHOD: Text = Text::new(
    "Of large tables maps show blocks of cells: their mean, and the difference that is farthest from 0. Rows are compared up to the 512th. Mₖ is fitted to the rows minus their mean, along at most 16 principal components, on every other row; a correct table of sines and cosines, of even width, has an exact Mₖ over all of its dimensions, and what it misses here is what those components leave out.",
    "大表的热力图按块显示：取块的均值，差值则取离 0 最远的一个。行与行的比较到第 512 行为止。减去各行的均值之后，Mₖ 沿至多 16 个主成分、隔行拟合；由正弦和余弦组成、维数为偶数的正确的表，在全部维度上有精确的 Mₖ，此处的误差来自未计入的成分。",
);
const REFUSED: Text = Text::new(
    "Where pressing the button does nothing, the app or frame around this page does not allow files: open the page in a window of its own. On the command line it is posenc inspect FILE.",
    "如果按下按钮没有反应，说明外层的应用或网页不允许选择文件：请在单独的窗口中打开本页。在命令行中可用 posenc inspect FILE。",
);

const BY_PHASE: Text = Text::new(
    " By phase, a cell is a pair and its colour the angle of its two numbers, grey where their amplitude is not that of a sine and cosine.",
    "按相位显示时，一格是一个维度对，颜色是这两个数的角度；振幅与正弦余弦不符之处偏灰。",
);
const NO_PHASE: Text = Text::new(
    " It has no pairs of a sine and a cosine that could be shown by phase: the map has its values.",
    "这张表没有可按相位显示的正弦余弦对，图中仍是数值。",
);

/// The file types that the picker offers; files of other types can be dropped.
const ACCEPTED: &str = ".npy,.csv,.txt,.safetensors";

impl Inspect {
    fn name(&self) -> String {
        match &self.file {
            Some(file) => file.name.clone(),
            None => self.label().get(self.lang).to_string(),
        }
    }

    /// The reason why there is no table, as a sentence.
    pub(super) fn refusal(&self) -> Option<String> {
        let lang = self.lang;
        match &self.file.as_ref()?.content {
            FileState::Invalid(fault) => Some(inspection::fault(fault, lang)),
            FileState::ReadError(why) => Some(match lang {
                Lang::En => format!(
                    "The browser does not let this page read the file ({why}). The frame or app around it may forbid that, or the file has changed or gone: open the page in a window of its own and choose the file again."
                ),
                Lang::Zh => format!(
                    "浏览器不允许本页读取这个文件（{why}）。可能是外层的网页或应用禁止读取，也可能是文件已更改或移走：请在单独的窗口中打开本页，再选一次文件。"
                ),
            }),
            _ => None,
        }
    }

    pub(super) fn describe(&self) -> String {
        let (lang, name) = (self.lang, self.name());
        match (&self.shown, lang) {
            (Shown::Waiting, Lang::En) if self.is_coming() => format!("{name} is being read."),
            (Shown::Waiting, Lang::Zh) if self.is_coming() => format!("正在读取 {name}。"),
            (Shown::Waiting, Lang::En) => {
                format!("Choose which tensor of {name} is to be inspected.")
            }
            (Shown::Waiting, Lang::Zh) => format!("请选择要检查 {name} 中的哪个张量。"),
            (Shown::Refused, Lang::En) => format!("{name} has not been read."),
            (Shown::Refused, Lang::Zh) => format!("没有读取 {name}。"),
            (Shown::Study { study, .. }, _) => self.describe_study(&name, study),
        }
    }

    fn describe_study(&self, name: &str, study: &Study) -> String {
        let (rows, columns) = (study.table().rows(), study.table().columns());
        let Some(report) = study.report().filter(|_| self.reports) else {
            return match self.lang {
                Lang::En => format!("{name}, {rows} × {columns}."),
                Lang::Zh => format!("{name}，{rows} × {columns}。"),
            };
        };
        let summary = inspection::summary(report, self.lang);
        let mut text = match self.lang {
            Lang::En => format!("{name}, {rows} × {columns}: {summary}."),
            Lang::Zh => format!("{name}，{rows} × {columns}：{summary}。"),
        };
        if self.panels == Panels::Difference {
            return text;
        }
        // For a table without a formula, the report contains this share.
        let near = study.near.filter(|_| report.nearest_is_neighbour.is_none());
        if let Some(near) = near {
            let (near, n) = (percent(near, 1), study.rows.study.rows());
            text += &match self.lang {
                Lang::En if n < rows.max(columns) => {
                    format!(" Of its first {n} rows {near} are most like a neighbour.")
                }
                Lang::En => format!(" {near} of its rows are most like a neighbour."),
                Lang::Zh if n < rows.max(columns) => {
                    format!("前 {n} 行中有 {near}，与之最像的是相邻的行。")
                }
                Lang::Zh => format!("{near} 的行，与之最像的是相邻的行。"),
            };
        }
        if self.panels == Panels::Waves {
            text += &self.describe_waves(study);
        } else {
            text += &self.describe_shift(study, report);
        }
        if let Some(phases) = study.phases().filter(|_| self.by_phase) {
            text += match phases {
                Some(_) => BY_PHASE,
                None => NO_PHASE,
            }
            .get(self.lang);
        }
        text
    }

    /// The error of the best matrix for the offset, beside that of the correct table.
    fn describe_shift(&self, study: &Study, report: &Report) -> String {
        let errors =
            |at: usize| [&study.rows, &study.correct_rows].map(|it| it.errors.get(at).copied());
        if let [Some(own), Some(correct)] = errors(self.k - 1) {
            let [own, correct] = [own, correct].map(|miss| percent(miss, 1));
            let (k, components) = (subscript(self.k), study.rows.components());
            let is_exact = report.is_correct() && !report.has(Code::OddWidth);
            return match (self.lang, is_exact) {
                (Lang::En, true) => format!(
                    " Over all dimensions M{k} is exact to rounding; along {components} principal components alone the best one, fitted on every other row, is off by {own} of the length of the rows between them."
                ),
                (Lang::En, false) => format!(
                    " The best M{k}, fitted on every other row along {components} principal components, is off by {own} of the length of the rows between them; in the correct table by {correct}."
                ),
                (Lang::Zh, true) => format!(
                    "在全部维度上 M{k} 精确到舍入误差；若只沿 {components} 个主成分、隔行拟合，最佳的 M{k} 在其余各行上的误差是行长的 {own}。"
                ),
                (Lang::Zh, false) => format!(
                    "沿 {components} 个主成分、隔行拟合出的最佳 M{k}，在其余各行上的误差是行长的 {own}；在正确的表中是 {correct}。"
                ),
            };
        }
        String::new()
    }

    /// The file picker, the name of the chosen file, and the progress bar.
    pub(super) fn picker(&self) -> Node {
        let lang = self.lang;
        let input = Node::new("input", Vec::new())
            .attribute("type", "file")
            .class("unseen")
            .attribute("data-file", "choose")
            .attribute("accept", ACCEPTED);
        let label = Node::new("label", vec![html::words(CHOOSE.get(lang)), input]).class("button");
        let mut row = vec![label];
        let progress = self.progress();
        if let Some(file) = &self.file {
            let running = progress.is_some();
            row.push(Node::text("b", file.name.clone()).class("file"));
            let back = if running { CANCEL } else { FORGET };
            let back = Node::text("button", back.get(lang)).attribute("type", "button");
            row.push(back.attribute("data-file", "forget"));
            if file.candidates.len() > 1 {
                row.push(self.tensors());
            }
        } else {
            row.push(html::span("note", DROP.get(lang)));
        }
        if let Some(share) = progress {
            let bar = Node::new("progress", Vec::new())
                .attribute("max", "100")
                .attribute("value", format!("{:.0}", 100.0 * share))
                .attribute("aria-label", PROGRESS.get(lang));
            row.push(bar);
        }
        html::div("row picker", row)
    }

    fn tensors(&self) -> Node {
        let (lang, file) = (self.lang, self.file.as_ref());
        let chosen = file.and_then(|file| file.tensor.as_deref());
        let candidates = file.map_or(&[][..], |file| &file.candidates);
        let pick = Node::text("option", PICK.get(lang)).attribute("value", "");
        let pick = chosen.is_none().then_some(pick);
        let options = candidates.iter().map(|candidate| {
            let (name, shape) = (&candidate.name, &candidate.shape);
            let words = format!("{name}  {} {shape:?}", candidate.dtype);
            Node::text("option", words)
                .attribute("value", name.clone())
                .flag("selected", chosen == Some(name))
        });
        Node::new("select", pick.into_iter().chain(options).collect())
            .attribute("data-file", "tensor")
            .attribute("aria-label", TENSOR.get(lang))
    }

    /// The button that shows the report, in a row that is kept for it.
    pub(super) fn question(&self) -> Node {
        let button = html::button("report", "on", SHOW.get(self.lang)).class("primary");
        let is_asked = self.study().is_some() && !self.reports;
        html::div("row", is_asked.then_some(button).into_iter().collect())
    }

    /// The report in words, or why there is none.
    pub(super) fn report_in_words(&self) -> Option<Node> {
        let lang = self.lang;
        if let Some(why) = self.refusal() {
            return Some(
                Node::text("p", why)
                    .class("refusal")
                    .attribute("role", "alert"),
            );
        }
        let Shown::Study { study, .. } = &self.shown else {
            return None;
        };
        let report = study.report().filter(|_| self.reports)?;
        let mut parts = Vec::new();
        for finding in &report.findings {
            let code = Node::text("code", finding.code.name());
            let words = inspection::finding(finding, report, lang);
            let is_right = finding.code == Code::Correct;
            // A learned table is not a mistake, and neither are the frequencies that a model scales.
            let is_cache = report.kind != Kind::Sinusoidal;
            let is_note = match finding.code {
                Code::Learned => true,
                Code::ScaledFrequencies | Code::Partial => is_cache,
                code => code.is_note(),
            };
            let mark = match (is_right, is_note) {
                (true, _) => html::span("good", "✓ "),
                (_, true) => html::words("· "),
                (_, false) => html::span("bad", "✕ "),
            };
            let sentence = Node::new("p", vec![mark, html::words(words), html::words(" "), code]);
            parts.push(sentence);
            if let Some(fix) = inspection::fix(finding.code, report) {
                let code = Node::text("pre", inspection::listing(&fix, lang));
                parts.push(html::folded(CODE.get(lang), code));
            }
        }
        // A finding about a single cell already names it.
        let said = report.has(Code::CorruptCell) || report.has(Code::NotFinite);
        if let Some(cell) = report.first_wrong.filter(|_| !said) {
            parts.push(html::p(inspection::first_wrong(&cell, report, lang)));
        }
        let fits = inspection::fits(report, lang).into_iter();
        let mut fits: Vec<Node> = fits.map(|line| html::p(line).class("note")).collect();
        let copy = html::button("copy", "", labels::COPY.get(lang));
        let copy = vec![html::words(BUG_REPORT.get(lang)), html::words(" "), copy];
        fits.push(Node::new("p", copy).class("note on-screen"));
        parts.push(html::folded(FITS.get(lang), html::div("", fits)));
        Some(html::div("outcome inspected", parts))
    }

    /// The notes under "More".
    pub(super) fn hints(&self) -> Node {
        let hints = [METHOD, REFUSED].map(|text| html::p(text.get(self.lang)).class("note"));
        html::div("", hints.into())
    }

    /// The report in Markdown, to be pasted into a bug report.
    pub(super) fn text(&self, report: &Report) -> String {
        let text = inspection::report(&self.name(), report, self.lang);
        let fence = "```";
        format!(
            "{fence}\n{text}{fence}\nposenc inspect {}\n",
            env!("CARGO_PKG_VERSION")
        )
    }
}
