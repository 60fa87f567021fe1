//! The texts of controls, axes and notices, in both languages.

use super::number::{fixed, short, whole};
use super::{Lang, Text};
use posenc_encoding::wrap_to_2pi;
use std::f64::consts::TAU;

const fn t(en: &'static str, zh: &'static str) -> Text {
    Text::new(en, zh)
}

pub const POSITION_AXIS: Text = t("position", "位置");
/// The same where there is little room.
pub const POS_AXIS: Text = t("pos", "位置");
pub const DIMENSION_AXIS: Text = t("dimension", "维度");
pub const PAIR_AXIS: Text = t("pair i", "维度对 i");
pub const QUERY_AXIS: Text = t("position of the query", "查询的位置");
pub const KEY_AXIS: Text = t("position of the key", "键的位置");
pub const LOGIT: Text = t("logit", "注意力分数");
pub const LOGIT_AXIS: Text = t("logit q·k / √d", "注意力分数 q·k / √d");
pub const ANGLE_AXIS: Text = t("angle", "角度");
pub const VALUE_AXIS: Text = t("value", "值");
pub const SINE: Text = t("sine", "正弦");
pub const COSINE: Text = t("cosine", "余弦");
pub const TOO_FAST: Text = t("too fast to draw here", "变化太快，这里画不出");
pub const TOO_FAST_BEFORE_ZOOM: Text = t("too fast to draw here – zoom in", "变化太快，放大后可见");
pub const ZERO_COLUMN: Text = t("always 0", "恒为 0");

pub const TOKENS: Text = t("Words and positions", "词与位置");
pub const HEATMAP: Text = t("Heatmap", "热力图");
pub const WAVES: Text = t("Waves", "波形");
pub const ROTATION: Text = t("Rotation", "旋转");
/// The choice of the columns of the heatmap.
pub const COLUMNS: Text = t("Columns of the heatmap", "热力图的各列");
pub const FORMULA: Text = t("Formula", "公式");
/// The tabs of the bench's panels, of which two are shown at a time.
pub const PANELS: Text = t("Panels", "视图");
pub const CELL: Text = t("Selected cell", "所选单元格");
pub const PRODUCT: Text = t("The product", "乘积");
pub const NUMBERS_OF: Text = t("Product and selected cell", "乘积与所选单元格");
pub const POINTED_AT: Text = t("Pointed at", "鼠标所指");
pub const TURNED_PAIR: Text = t("Selected pair", "所选维度对");
pub const ADDED: Text = t("Added to the logit", "加到注意力分数上的数");
pub const FIRST_AXIS: Text = t("x", "x");
pub const SECOND_AXIS: Text = t("y", "y");

pub const TOUR: Text = t("First steps", "入门四步");
pub const NEXT: Text = t("Next", "下一步");
pub const SHOW_ANSWER: Text = t("Show", "看答案");
pub const SKIP_TOUR: Text = t("Skip", "跳过");

/// The number of a step and the number of steps.
pub fn step_of(lang: Lang, step: usize, steps: usize) -> String {
    match lang {
        Lang::En => format!("Try {step} of {steps}"),
        Lang::Zh => format!("试一试 {step}/{steps}"),
    }
}

/// The label of a button that jumps to a position.
pub fn jump(lang: Lang, position: i64) -> String {
    match lang {
        Lang::En => format!("Jump to {position}"),
        Lang::Zh => format!("跳到 {position}"),
    }
}

pub const LESSON: Text = t("Lesson", "讲解");
pub const MORE: Text = t("More", "更多");
pub const MENU: Text = t("Settings, share, save, about", "设置、分享、保存、关于");
pub const PLANS: Text = t("Lesson plans", "教案");
pub const ABOUT: Text = t("About", "关于");

/// The label of the link to the list of chapters.
pub fn all_chapters(lang: Lang, count: usize) -> String {
    match lang {
        Lang::En => format!("All {count} chapters"),
        Lang::Zh => format!("全部 {count} 章"),
    }
}

pub const PLAY: Text = t("Play", "播放");
pub const PAUSE: Text = t("Pause", "暂停");
pub const STEP_BACK: Text = t("Back one position", "后退一个位置");
pub const STEP: Text = t("Forward one position", "前进一个位置");
pub const SPEED: Text = t("Speed", "速度");
pub const SELECT_TOOL: Text = t("Select", "选择");
pub const ZOOM_TOOL: Text = t("Zoom and pan", "缩放和平移");
pub const ZOOM_IN: Text = t("Zoom in", "放大");
pub const ZOOM_OUT: Text = t("Zoom out", "缩小");
pub const SHOW_ALL: Text = t("Show everything", "显示全部");
pub const COMPARE: Text = t("Compare pair", "添加对比的维度对");
pub const ADD: Text = t("Add", "添加");
pub const NO_MORE: Text = t("Four pairs at most", "最多对比四个维度对");
pub const FIGURE_MENU: Text = t("Link, share, save", "链接、分享、保存");
pub const COPY_LINK: Text = t("Copy link", "复制链接");
pub const SHARE: Text = t("Share", "分享");
pub const SAVE: Text = t("Save", "保存");
pub const COPIED: Text = t("Link copied", "链接已复制");
pub const PRESENT: Text = t("Present", "演示");
pub const OPEN_IN_BENCH: Text = t("Open in bench", "在探索台中打开");
pub const COPY: Text = t("Copy", "复制");
pub const COPIED_SHORT: Text = t("Copied", "已复制");
pub const COPY_REFUSED: Text = t(
    "Blocked by the browser: copy it below",
    "浏览器不允许，请从下方复制",
);
pub const CHAPTER_LINK: Text = t("Link to this chapter", "本章链接");
pub const COPY_BY_HAND: Text = t("Copy this link", "请手动复制此链接");
pub const OWN_FIGURE: Text = t("See its figure in the lesson ↓", "查看讲解中的对应图 ↓");
pub const FIXED: Text = t("fixed", "固定");
pub const FIXED_SIZE: Text = t(
    "This table was learned with this size: there is no other",
    "这张表就是按这个大小学到的，没有别的大小",
);
pub const ENCODING_NOT_LOADED: Text = t(
    "The numbers of this encoding could not be loaded. Choose it again once the page can be reached.",
    "没能加载这种编码的数值。网络恢复后，请重新选择这种编码。",
);
pub const RESTARTED: Text = t(
    "Something went wrong and was started again. Your settings are kept.",
    "刚才出错，已自动重新启动，你的设置都还在。",
);
pub const NO_CANVAS: Text = t(
    "No picture: this browser refuses to draw on a canvas.",
    "无法显示图像：此浏览器拒绝在画布上绘图。",
);
pub const RESET: Text = t("Reset", "重置");
pub const DISMISS: Text = t("Dismiss", "关闭");
pub const SYSTEM: Text = t("System", "跟随系统");
pub const SCROLL_POSITIONS: Text = t("Scroll the positions", "沿位置方向滚动");
pub const SCROLL_DIMENSIONS: Text = t("Scroll the dimensions", "沿维度方向滚动");
/// The role of a canvas that responds to keys, for screen readers.
pub const INTERACTIVE: Text = t("interactive figure", "可操作的图");
pub const NUMBERS: Text = t("The table in numbers", "数值表");
pub const HEATMAP_KEYS: Text = t(
    "Arrow keys select, plus and minus zoom, 0 shows everything.",
    "方向键选择，加减号缩放，0 显示全部。",
);
pub const TOKENS_KEYS: Text = t(
    "Left and right select the position, up and down change k.",
    "左右键选择位置，上下键改变 k。",
);
pub const ROTATION_KEYS: Text = t(
    "Left and right select the position, up and down the pair, plus and minus change k.",
    "左右键选择位置，上下键选择维度对，加减号改变 k。",
);
/// Follows a score that depends on the offset alone.
pub const AT_EVERY_POS: Text = t("at every pos", "与 pos 无关");
pub const WAVES_KEYS: Text = t(
    "Left and right select the position, up and down the pair.",
    "左右键选择位置，上下键选择维度对。",
);

pub const CLOCKS: Text = Text::new("Every pair is a clock", "每一对都是一个钟");

/// What the rings of the clocks stand for while the heatmap shows angles.
pub const RINGS: Text = t("ring: colour in row pos", "圆环：第 pos 行的颜色");

/// How many of the pairs are shown, from the fastest to the slowest.
pub fn clocks_shown(lang: Lang, shown: usize, all: usize) -> String {
    match (lang, shown == all) {
        (Lang::En, true) => format!("{all}, fast → slow"),
        (Lang::En, false) => format!("{shown} of {all}, fast → slow"),
        (Lang::Zh, true) => format!("共 {all} 对，从高频到低频"),
        (Lang::Zh, false) => format!("{all} 对中的 {shown} 对，从高频到低频"),
    }
}

/// How many tokens are beyond an end of what is shown; an arrow alone if positions without tokens are.
pub fn more_tokens(lang: Lang, count: i64, right: bool) -> String {
    let more = match (lang, count) {
        (_, ..=0) => return if right { "→" } else { "←" }.into(),
        (Lang::En, _) => format!("{count} more"),
        (Lang::Zh, _) => format!("另有 {count} 个"),
    };
    match right {
        true => format!("{more} →"),
        false => format!("← {more}"),
    }
}

/// The number of pairs that are not shown because they rotate more slowly, in two parts that can be put on two lines.
pub fn and_slower(lang: Lang, count: usize) -> [String; 2] {
    match lang {
        Lang::En => [format!("and {count} "), "slower".into()],
        Lang::Zh => [format!("还有 {count} 对"), "频率更低".into()],
    }
}

/// The names of the two halves of a table in which all sines stand before all cosines.
pub const SINES: Text = t("sines", "正弦");
pub const COSINES: Text = t("cosines", "余弦");

/// The name of the pairs that hardly rotate within the table, and a shorter one.
pub fn slow_pairs(lang: Lang, count: usize) -> [String; 2] {
    match lang {
        Lang::En => [
            format!("{count} pairs that hardly turn here"),
            format!("{count} slow pairs"),
        ],
        Lang::Zh => [format!("{count} 对在此几乎不转"), format!("{count} 对很慢")],
    }
}

/// An angle in degrees, with whole turns counted separately.
pub fn turn(lang: Lang, radians: f64) -> String {
    match turn_parts(lang, radians) {
        (Some(turns), rest) => format!("{turns} {rest}"),
        (None, rest) => rest,
    }
}

/// The two parts of an angle: its whole turns if there are any, and the rest in degrees.
pub fn turn_parts(lang: Lang, radians: f64) -> (Option<String>, String) {
    let mut turns = (radians.abs() / TAU).floor();
    let mut degrees = (radians.abs() - turns * TAU).to_degrees();
    // What rounds to 360° after whole turns is one more.
    if turns > 0.0 && degrees >= 359.95 {
        (turns, degrees) = (turns + 1.0, 0.0);
    }
    let sign = if radians < 0.0 { "−" } else { "" };
    let rest = short(degrees, 4);
    if turns == 0.0 {
        return (None, format!("{sign}{rest}°"));
    }
    let count = whole(turns as i64);
    let name = match (lang, turns == 1.0) {
        (Lang::En, true) => " turn",
        (Lang::En, false) => " turns",
        (Lang::Zh, _) => " 圈",
    };
    let and = if sign.is_empty() { "+" } else { "−" };
    (
        Some(format!("{sign}{count}{name}")),
        format!("{and} {rest}°"),
    )
}

/// The direction of an angle in radians, as 0 … 360 degrees.
pub fn direction(radians: f64) -> String {
    let degrees = wrap_to_2pi(radians).to_degrees();
    // An angle that rounds to 360.0° is shown as 0.0°.
    let degrees = if degrees >= 359.95 { 0.0 } else { degrees };
    format!("{}°", fixed(degrees, 1))
}

/// A speed in positions per second.
pub fn speed(lang: Lang, speed: f64) -> String {
    match lang {
        Lang::En if speed == 1.0 => format!("{speed} position per second"),
        Lang::En => format!("{speed} positions per second"),
        Lang::Zh => format!("每秒 {speed} 个位置"),
    }
}

pub fn pair_tag(lang: Lang, pair: usize) -> String {
    match lang {
        Lang::En => format!("pair {pair}"),
        Lang::Zh => format!("维度对 {pair}"),
    }
}

pub fn dimension_tag(lang: Lang, dimension: usize) -> String {
    match lang {
        Lang::En => format!("dimension {dimension}"),
        Lang::Zh => format!("维度 {dimension}"),
    }
}

/// The list of compared pairs; empty if there are none.
pub fn compared(lang: Lang, pairs: &[usize]) -> String {
    let list: Vec<_> = pairs.iter().map(usize::to_string).collect();
    match (lang, pairs) {
        (_, []) => String::new(),
        (Lang::En, [_]) => format!("compared: pair {}", list[0]),
        (Lang::En, _) => format!("compared: pairs {}", list.join(", ")),
        (Lang::Zh, _) => format!("对比的维度对：{}", list.join("、")),
    }
}

pub fn stop_comparing(lang: Lang, pair: usize) -> String {
    match lang {
        Lang::En => format!("Stop comparing pair {pair}"),
        Lang::Zh => format!("不再对比维度对 {pair}"),
    }
}

/// What the arrow keys of a figure do; `selected` is the current selection, or empty if it has no name.
pub fn selected_by_arrows(lang: Lang, selected: &str) -> String {
    match (lang, selected) {
        (Lang::En, "") => "Arrow keys select.".into(),
        (Lang::Zh, "") => "方向键选择。".into(),
        (Lang::En, _) => format!("Arrow keys select; now {selected}."),
        (Lang::Zh, _) => format!("方向键选择，当前{selected}。"),
    }
}

/// The announcement of a figure after a key press: the selection and the caption.
pub fn spoken(lang: Lang, selected: &str, caption: &str) -> String {
    match (lang, selected) {
        (_, "") => caption.to_string(),
        (Lang::En, _) => format!("{selected}. {caption}"),
        (Lang::Zh, _) => format!("{selected}。{caption}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::PI;

    #[test]
    fn a_rotation_is_said_with_its_sign_and_whole_turns_apart() {
        assert_eq!(turn(Lang::En, -PI / 2.0), "−90°");
        assert_eq!(turn(Lang::En, TAU + PI), "1 turn + 180°");
        assert_eq!(turn(Lang::Zh, -2.0 * TAU - PI), "−2 圈 − 180°");
        assert_eq!(turn(Lang::En, 2.0 * TAU - 5e-4), "2 turns + 0°");
        assert_eq!(turn(Lang::En, 0.0), "0°");
    }
}
