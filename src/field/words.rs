//! What is said of a bad value, in both languages.

use super::parse::{Fault, Problem};
use crate::text::Lang;

impl Problem {
    /// A bad value, named.
    pub fn words(&self, lang: Lang) -> String {
        let name = self.name;
        let given = self.given.trim();
        let meant = match (lang, &self.nearest) {
            (_, None) => String::new(),
            (Lang::En, Some(name)) => format!(" Did you mean {name}?"),
            (Lang::Zh, Some(name)) => format!("您要写的是不是 {name}？"),
        };
        let what = match (lang, self.fault) {
            (Lang::En, Fault::Unknown) => {
                return format!("“{given}” is not a setting and has no effect.{meant}");
            }
            (Lang::Zh, Fault::Unknown) => {
                return format!("没有名为“{given}”的设置，这一项不起作用。{meant}");
            }
            _ if given.is_empty() => match lang {
                Lang::En => format!("{name} is empty or not a number"),
                Lang::Zh => format!("{name} 为空或不是数字"),
            },
            (Lang::En, Fault::NotANumber) => format!("{name}: “{given}” is not a number"),
            (Lang::Zh, Fault::NotANumber) => format!("{name}：“{given}”不是数字"),
            (Lang::En, Fault::NotWhole) => format!("{name}: {given} is not a whole number"),
            (Lang::Zh, Fault::NotWhole) => format!("{name}：{given} 不是整数"),
            (Lang::En, Fault::OutOfRange) => format!("{name}: {given} is out of range"),
            (Lang::Zh, Fault::OutOfRange) => format!("{name}：{given} 超出范围"),
            (Lang::En, Fault::NotAChoice) => format!("{name}: “{given}” is not one of the choices"),
            (Lang::Zh, Fault::NotAChoice) => format!("{name}：“{given}”不在可选项之中"),
            (Lang::En, Fault::NotASpan) => format!("{name}: “{given}” is not of the form from-to"),
            (Lang::Zh, Fault::NotASpan) => format!("{name}：“{given}”不是“起-止”的形式"),
        };
        let said = match (lang, self.used.as_str()) {
            (Lang::En, "") => format!("{what}; the default is used instead."),
            (Lang::Zh, "") => format!("{what}，已改用默认值。"),
            (Lang::En, used) => format!("{what}; {used} is used instead."),
            (Lang::Zh, used) => format!("{what}，已改用 {used}。"),
        };
        said + &meant
    }
}
