//! The words of the sentence, and the caption of each step.

use super::picture::vector;
use super::{COUNT, Steps};
use crate::text::number::fixed;
use crate::text::{Lang, Text};

const WORDS: [Text; COUNT] = [
    Text::new("cat", "猫"),
    Text::new("chased", "追"),
    Text::new("dog", "狗"),
];

impl Steps {
    pub(super) fn word(&self, row: usize) -> &'static str {
        WORDS[self.order[row]].get(self.lang)
    }

    pub(super) fn describe(&self) -> String {
        let word = WORDS[self.query].get(self.lang);
        let query = vector(self.projected[0].row(self.row()), 0);
        let output = vector(self.output(), 2);
        let numbers = |each: &dyn Fn(usize) -> f64| {
            let numbers: Vec<_> = (0..COUNT).map(|row| fixed(each(row), 2)).collect();
            numbers.join(if self.lang == Lang::En { ", " } else { "、" })
        };
        let logits = numbers(&|row| self.logit(row));
        let weights = numbers(&|row| self.weight(row));
        match (self.lang, self.step) {
            (Lang::En, 1) => "1. Every word is an embedding x: here two numbers, the same wherever the word stands.".into(),
            (Lang::Zh, 1) => "1. 每个词是一个词嵌入 x：这里只有两个数，词放在哪里都一样。".into(),
            (Lang::En, 2) => format!("2. Three matrices turn each x into a query, a key and a value: what the word looks for, what it is found by, what it passes on. “{word}” asks with q = {query}."),
            (Lang::Zh, 2) => format!("2. 三个矩阵把每个 x 变成查询 q、键 k 和值 v：这个词要找什么，凭什么被找到，被找到后交出什么。“{word}”用 q = {query} 提问。"),
            (Lang::En, 3) => format!("3. The query meets every key: their dot product over √2 is the logit, {logits}. No position occurs in it."),
            (Lang::Zh, 3) => format!("3. 查询与每个键相遇：点积除以 √2 就是注意力分数，依次为 {logits}。式子里没有位置。"),
            (Lang::En, 4) => format!("4. Softmax turns them into weights that add up to 1: {weights}."),
            (Lang::Zh, 4) => format!("4. softmax 把它们变成总和为 1 的权重：{weights}。"),
            (Lang::En, _) => format!("5. The output of “{word}” is the sum of the values, each times its weight: {output}. Swap cat and dog: the rows move, the sum stays."),
            (Lang::Zh, _) => format!("5. “{word}”的输出是各个值的加权和：{output}。让猫和狗换位置：行换了，和不变。"),
        }
    }
}
