//! Messages for diagnostics, in both languages.

use super::parse::{Diagnostic, DiagnosticKind};
use crate::text::Lang;

impl Diagnostic {
    /// A message that names the invalid value.
    pub fn words(&self, lang: Lang) -> String {
        let name = self.name;
        let given = self.input.trim();
        let meant = match (lang, &self.suggestion) {
            (_, None) => String::new(),
            (Lang::En, Some(name)) => format!(" Did you mean {name}?"),
            (Lang::Zh, Some(name)) => format!("你要写的是不是 {name}？"),
        };
        let what = match (lang, self.kind) {
            (Lang::En, DiagnosticKind::Unknown) => {
                return format!("“{given}” is not a setting and has no effect.{meant}");
            }
            (Lang::Zh, DiagnosticKind::Unknown) => {
                return format!("没有名为“{given}”的设置，这一项不起作用。{meant}");
            }
            _ if given.is_empty() => match lang {
                Lang::En => format!("{name} is empty or not a number"),
                Lang::Zh => format!("{name} 为空或不是数字"),
            },
            (Lang::En, DiagnosticKind::NotANumber) => format!("{name}: “{given}” is not a number"),
            (Lang::Zh, DiagnosticKind::NotANumber) => format!("{name}：“{given}”不是数字"),
            (Lang::En, DiagnosticKind::NotAnInteger) => {
                format!("{name}: {given} is not a whole number")
            }
            (Lang::Zh, DiagnosticKind::NotAnInteger) => format!("{name}：{given} 不是整数"),
            (Lang::En, DiagnosticKind::OutOfRange) => format!("{name}: {given} is out of range"),
            (Lang::Zh, DiagnosticKind::OutOfRange) => format!("{name}：{given} 超出范围"),
            (Lang::En, DiagnosticKind::NotAnOption) => {
                format!("{name}: “{given}” is not one of the choices")
            }
            (Lang::Zh, DiagnosticKind::NotAnOption) => format!("{name}：“{given}”不在可选项之中"),
            (Lang::En, DiagnosticKind::NotARange) => {
                format!("{name}: “{given}” is not of the form from-to")
            }
            (Lang::Zh, DiagnosticKind::NotARange) => format!("{name}：“{given}”不是“起-止”的形式"),
        };
        let said = match (lang, self.fallback.as_str()) {
            (Lang::En, "") => format!("{what}; the default is used instead."),
            (Lang::Zh, "") => format!("{what}，已改用默认值。"),
            (Lang::En, used) => format!("{what}; {used} is used instead."),
            (Lang::Zh, used) => format!("{what}，已改用 {used}。"),
        };
        said + &meant
    }
}
