//! Texts of the figure: names of steps and axes, and the caption.

use super::{LAST, QUERIES, Shift};
use crate::text::number::whole;
use crate::text::{Lang, Text};

pub(super) const STEPS: [Text; LAST + 1] = [
    Text::new("Computed", "计算"),
    Text::new("Pad", "补零"),
    Text::new("Reshape", "reshape"),
    Text::new("Slice", "去首行"),
    Text::new("Reshape back", "再 reshape"),
];
/// What leads to the matrix of each step: at first it is asked, and at last it is what all steps have done together.
pub(super) const CHANGES: [Text; LAST + 1] = [
    Text::new("how does it get there?", "怎样移到那里？"),
    Text::new("a zero before each row", "每行前补一个零"),
    Text::new("same numbers, shorter rows", "数不变，每行变短"),
    Text::new("first row left out", "去掉第一行"),
    Text::new("rows shift left by 3, 2, 1, 0", "各行左移 3、2、1、0 格"),
];
pub(super) const TAPE: Text = Text::new("in memory, one row after the other", "内存中逐行存放");
pub(super) const OFFSET: Text = Text::new("offset m − n", "偏移量 m − n");
pub(super) const KEY: Text = Text::new("key n", "键 n");
pub(super) const QUERY: Text = Text::new("query m", "查询 m");

impl Shift {
    pub(super) fn describe(&self) -> String {
        let (keys, (query, offset)) = (self.keys(), self.followed);
        let (rows, long) = (keys + 1, QUERIES * (keys + 1));
        let last = keys - 1;
        let key = query as i64 - offset as i64;
        let exists = key >= -(self.memory as i64);
        let n = whole(key);
        let left = QUERIES - 1 - query;
        match (self.lang, self.step) {
            (Lang::En, 0) if !exists => format!(
                "Row m is query m against every offset, {last} at the left to 0 at the right: one product of matrices. Query {query} at offset {offset} would belong to key {query} − {offset} = {n}, which does not exist."
            ),
            (Lang::Zh, 0) if !exists => format!(
                "第 m 行是查询 m 与每个偏移量的乘积，左端偏移量为 {last}，右端为 0：一次矩阵乘法即可算出。查询 {query}、偏移量 {offset} 对应的键是 {query} − {offset} = {n}，并不存在。"
            ),
            (Lang::En, 0) => format!(
                "Row m is query m against every offset, {last} at the left to 0 at the right: one product of matrices. Query {query} at offset {offset} belongs to key {query} − {offset} = {n}, but stands in column {}.",
                last - offset
            ),
            (Lang::Zh, 0) => format!(
                "第 m 行是查询 m 与每个偏移量的乘积，左端偏移量为 {last}，右端为 0：一次矩阵乘法即可算出。查询 {query}、偏移量 {offset} 对应的键是 {query} − {offset} = {n}，此时却在第 {} 列。",
                last - offset
            ),
            (Lang::En, 1) => {
                format!(
                    "A column of zeros, uncoloured, is put before the first: rows of {rows} instead of {keys}."
                )
            }
            (Lang::Zh, 1) => {
                format!("在第一列之前补一列零（不着色）：每行由 {keys} 个变为 {rows} 个。")
            }
            (Lang::En, 2) => format!(
                "The same {long} numbers in the same order, cut into rows of {QUERIES}. In memory, nothing has moved: only the cuts between rows have."
            ),
            (Lang::Zh, 2) => format!(
                "还是那 {long} 个数，顺序不变，改为每行 {QUERIES} 个。内存里没有任何数移动，变的只是分行的位置。"
            ),
            (Lang::En, 3) => format!("The first row is left out, {QUERIES} numbers."),
            (Lang::Zh, 3) => format!("去掉第一行的 {QUERIES} 个数。"),
            (Lang::En, _) if exists => format!(
                "Cut into rows of {keys} again, row {query} has moved to the left by {left}: offset {offset} now stands under key {n} = {query} − {offset}. What is faded is left over from other rows; those keys are ahead of the query and are masked."
            ),
            (Lang::Zh, _) if exists => format!(
                "重新按每行 {keys} 个切分，第 {query} 行左移了 {left} 格：偏移量 {offset} 正好落在键 {n} = {query} − {offset} 之下。变淡的是别的行剩下的数，那些键在查询之后，会被掩码遮住。"
            ),
            (Lang::En, _) => format!(
                "Query {query} has no key at offset {offset}: {n} lies before the memory. Its entry was cut off, or is among the faded ones of the row above, which are masked."
            ),
            (Lang::Zh, _) => format!(
                "查询 {query} 在偏移量 {offset} 处没有键：{n} 在记忆段之前。这个数要么已被切掉，要么落在上一行变淡的部分，会被掩码遮住。"
            ),
        }
    }
}
