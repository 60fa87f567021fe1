//! What the inspection of a table has found, in words: sentences, the code that usually causes a mistake, and code that is
//! right.

use super::{Lang, Text};
use posenc_inspect::{
    Candidate, Cell, Code, Fault, Finding, Formula, Kind, MAX_CELLS, Order, Report, Rule, Storage,
    Waves,
};

const fn t(en: &'static str, zh: &'static str) -> Text {
    Text::new(en, zh)
}

/// The same sentence in both languages, with numbers in it.
fn either(lang: Lang, en: String, zh: String) -> String {
    match lang {
        Lang::En => en,
        Lang::Zh => zh,
    }
}

/// Why a file cannot be read, and what to do about it.
pub fn fault(fault: &Fault, lang: Lang) -> String {
    let axes = |shape: &[u64]| {
        let lengths: Vec<String> = shape.iter().map(u64::to_string).collect();
        format!("[{}]", lengths.join(", "))
    };
    match fault {
        Fault::Empty => t("The file is empty; save the table again.", "文件是空的，请重新保存位置表。").get(lang).into(),
        Fault::Format => t(
            "The file is neither .npy nor .safetensors nor text; save the table with np.save(\"pe.npy\", pe).",
            "文件既不是 .npy、.safetensors，也不是文本；请用 np.save(\"pe.npy\", pe) 保存。",
        ).get(lang).into(),
        Fault::Pickle => t(
            "The file is a pickle (.pt, .pth, .bin and .pkl are), and reading one can run code, so it is not read; save it as .npy or .safetensors: np.save(\"pe.npy\", pe.detach().float().cpu().numpy()).",
            "文件是 pickle（.pt、.pth、.bin、.pkl 都是），读取时可能执行代码，因此不读取；请另存为 .npy 或 .safetensors：np.save(\"pe.npy\", pe.detach().float().cpu().numpy())。",
        ).get(lang).into(),
        Fault::Npz => t(
            "The file is an .npz archive of several arrays; save the one that is meant: np.save(\"pe.npy\", np.load(\"file.npz\")[\"pe\"]).",
            "文件是含多个数组的 .npz 归档；请单独保存其中的位置表：np.save(\"pe.npy\", np.load(\"file.npz\")[\"pe\"])。",
        ).get(lang).into(),
        Fault::NpyVersion(major, minor) => either(lang,
            format!("The file claims version {major}.{minor} of .npy, and there are 1.0, 2.0 and 3.0; save it again with np.save."),
            format!("文件自称 .npy {major}.{minor} 版，而只有 1.0、2.0 和 3.0；请用 np.save 重新保存。")),
        Fault::Truncated { needed, found, unit } => {
            let zh = if *unit == "bytes" { "字节" } else { "个数" };
            either(lang,
                format!("The file is cut off: its header promises {needed} {unit} and there are {found}; copy or save it again."),
                format!("文件不完整：文件头声明有 {needed} {zh}，实际只有 {found}；请重新复制或保存。"))
        }
        Fault::HeaderTooLong { bytes } => either(lang,
            format!("The header claims {bytes} bytes, more than that of any table; the file is damaged or no such file: save it again."),
            format!("文件头自称有 {bytes} 字节，任何位置表都不会这么长；文件已损坏或格式不符，请重新保存。")),
        Fault::Header(part) => either(lang,
            format!("The header is not as the format wants it ({part}); save the file again with NumPy or safetensors."),
            format!("文件头不符合格式（{part}）；请用 NumPy 或 safetensors 重新保存。")),
        Fault::Dtype(dtype) => either(lang,
            format!("The numbers are of type {dtype}; a table of positions is of floating-point numbers: save it with .astype(\"float32\")."),
            format!("数的类型是 {dtype}，而位置表由浮点数组成；请用 .astype(\"float32\") 转换后保存。")),
        Fault::Shape(shape) => {
            let axes = axes(shape);
            either(lang,
                format!("The shape is {axes}; a table has two axes, positions and dimensions ([1, n, d] and [n, 1, d] are read, too): save one table, such as pe[0]."),
                format!("形状是 {axes}，而位置表有两个轴：位置和维度（也接受 [1, n, d] 和 [n, 1, d]）；请只保存一张表，例如 pe[0]。"))
        }
        Fault::Overflow => t(
            "The shape or an offset is beyond all bounds; the file is damaged or made to do harm: save the table again.",
            "形状或偏移量大得不可能；文件已损坏或是恶意构造的，请重新保存位置表。",
        ).get(lang).into(),
        Fault::NoCells => t(
            "The table has no numbers; save one with at least one row and one column.",
            "表中没有数；请保存至少一行一列的表。",
        ).get(lang).into(),
        Fault::TooManyCells { cells } => either(lang,
            format!("The table has {cells} numbers and at most {MAX_CELLS} are read; save fewer rows, such as pe[:1024]."),
            format!("表中有 {cells} 个数，最多读取 {MAX_CELLS} 个；请少保存几行，例如 pe[:1024]。")),
        Fault::NotANumber { line, cell, text } => either(lang,
            format!("Line {line}, cell {cell} is no number: \"{text}\"; leave only numbers, with a # before comments."),
            format!("第 {line} 行第 {cell} 格不是数：“{text}”；请只保留数，注释行以 # 开头。")),
        Fault::Ragged { line, expected, found } => either(lang,
            format!("Line {line} has {found} numbers where the first has {expected}; every line needs as many as the first."),
            format!("第 {line} 行有 {found} 个数，而第一行有 {expected} 个；各行的个数必须相同。")),
        Fault::Offsets(name) => either(lang,
            format!("The bytes of tensor {name} overlap those of another, or are not as many as its shape needs; the file is damaged: save it again."),
            format!("张量 {name} 的字节与其他张量重叠，或与它的形状不符；文件已损坏，请重新保存。")),
        Fault::NoTensor(name, candidates) => either(lang,
            format!("There is no tensor {name}; {}", list(candidates, lang)),
            format!("没有名为 {name} 的张量；{}", list(candidates, lang))),
        Fault::Choose(candidates) => list(candidates, lang),
    }
}

/// Candidates beyond so many are only counted.
const LISTED: usize = 40;

fn list(candidates: &[Candidate], lang: Lang) -> String {
    if candidates.is_empty() {
        return t(
            "no tensor of the file has two axes of floating-point numbers, so none can be a table of positions.",
            "文件中没有两个轴的浮点张量，因此都不可能是位置表。",
        )
        .get(lang)
        .into();
    }
    let mut text = either(
        lang,
        "say which of these is the table, with --tensor NAME:".into(),
        "请用 --tensor NAME 指明哪个是位置表：".into(),
    );
    for Candidate { name, dtype, shape } in candidates.iter().take(LISTED) {
        text += &format!("\n  {name}  {dtype} {shape:?}");
    }
    if let Some(more @ 1..) = candidates.len().checked_sub(LISTED) {
        text += &either(
            lang,
            format!("\n  and {more} more"),
            format!("\n  另有 {more} 个"),
        );
    }
    text
}

/// A number of a cell: six significant digits.
pub fn cell_number(value: f64) -> String {
    if value == 0.0 || !value.is_finite() {
        return format!("{value}").replace("-0", "0");
    }
    let decimals = (5 - value.abs().log10().floor() as i32).clamp(0, 12) as usize;
    let text = format!("{value:.decimals$}");
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').into(),
        false => text,
    }
}

/// A residual: two significant digits.
pub fn small_number(value: f64) -> String {
    if value == 0.0 {
        "0".into()
    } else {
        format!("{value:.1e}")
    }
}

/// A formula in a few words, for the runner-up.
pub fn formula(formula: &Formula, lang: Lang) -> String {
    let mut parts: Vec<String> = Vec::new();
    let waves = match formula.waves {
        Waves::Both => None,
        Waves::Cosines => Some(t("cosines of RoPE", "RoPE 的余弦")),
        Waves::Sines => Some(t("sines of RoPE", "RoPE 的正弦")),
    };
    parts.extend(waves.map(|waves| waves.get(lang).to_string()));
    let order = match formula.order {
        Order::Interleaved => t("interleaved", "交错"),
        Order::Halves => t("in halves", "前后两半"),
        Order::Single => t("a column per pair", "每个维度对一列"),
    };
    parts.push(order.get(lang).into());
    parts.push(exponent(formula.rule, lang));
    if formula.rule != Rule::None {
        let base = cell_number(formula.base);
        parts.push(either(
            lang,
            format!("base {base}"),
            format!("base = {base}"),
        ));
    }
    let start = formula.start;
    parts.push(either(
        lang,
        format!("first position {start}"),
        format!("首个位置 {start}"),
    ));
    if formula.swapped {
        parts.push(t("cosine first", "余弦在前").get(lang).into());
    }
    if formula.step != 1.0 {
        let step = cell_number(formula.step);
        parts.push(either(
            lang,
            format!("positions × {step}"),
            format!("位置 × {step}"),
        ));
    }
    parts.join(match lang {
        Lang::En => ", ",
        Lang::Zh => "，",
    })
}

/// The exponents as code would have them: c is the column.
fn exponent(rule: Rule, lang: Lang) -> String {
    let formula = match rule {
        Rule::None => return t("no division", "没有除法").get(lang).into(),
        Rule::Paper => "2i/d",
        Rule::Tensor2tensor => "i/(d/2-1)",
        Rule::Column | Rule::CountedColumn => "column/d",
        Rule::NextPair => "2i/d, (2i+2)/d",
        Rule::Doubled => "4i/d",
        Rule::DoubledColumn | Rule::DoubledCountedColumn => "2·column/d",
        Rule::DoubledThenColumn => "4i/d, (4i+1)/d",
    };
    either(
        lang,
        format!("exponent {formula}"),
        format!("指数 {formula}"),
    )
}

/// What the table is, in one line.
pub fn summary(report: &Report, lang: Lang) -> String {
    let mut parts: Vec<String> = Vec::new();
    let kind = match report.kind {
        Kind::Sinusoidal => t("sinusoidal", "正弦位置编码"),
        Kind::RopeCos => t("a cache of cosines for RoPE", "RoPE 的余弦缓存"),
        Kind::RopeSin => t("a cache of sines for RoPE", "RoPE 的正弦缓存"),
        Kind::Learned => t(
            "no formula; looks learned",
            "不符合任何公式，像是学习得到的",
        ),
        Kind::Constant => t("constant: all rows are equal", "各行全都相同"),
        Kind::Unknown => t("not recognised", "无法识别"),
    };
    parts.push(kind.get(lang).into());
    parts.extend(report.layout.map(String::from));
    if let Some(rule) = report.exponent {
        parts.push(exponent(rule, lang));
    }
    if let Some(base) = report.base {
        let base = cell_number(base);
        parts.push(either(
            lang,
            format!("base {base}"),
            format!("base = {base}"),
        ));
    }
    if let Some(start) = report.start {
        parts.push(either(
            lang,
            format!("first position {start}"),
            format!("首个位置 {start}"),
        ));
    }
    if let Some(scale) = report.scale.filter(|scale| *scale != 1.0) {
        let scale = cell_number(scale);
        parts.push(either(
            lang,
            format!("scale {scale}"),
            format!("缩放 {scale}"),
        ));
    }
    if let Some(precision) = report.arithmetic {
        let name = precision.name();
        parts.push(either(
            lang,
            format!("computed in {name}"),
            format!("以 {name} 计算"),
        ));
    }
    let stored = report.storage.name();
    let precision = report.precision.name();
    if matches!(report.storage, Storage::Binary(_)) && stored != precision {
        parts.push(either(
            lang,
            format!("rounded to {precision}"),
            format!("舍入到 {precision}"),
        ));
    }
    parts.join(match lang {
        Lang::En => ", ",
        Lang::Zh => "，",
    })
}

/// A cell that is wrong, with both values.
pub fn wrong_cell(cell: &Cell, lang: Lang) -> String {
    let Cell {
        position,
        dimension,
        ..
    } = cell;
    let found = cell_number(cell.found);
    if cell.expected.is_nan() {
        return either(
            lang,
            format!("position {position}, dimension {dimension}: {found}"),
            format!("位置 {position}、维度 {dimension}：{found}"),
        );
    }
    let expected = cell_number(cell.expected);
    either(
        lang,
        format!(
            "position {position}, dimension {dimension}: {found}, where the correct table has {expected}"
        ),
        format!("位置 {position}、维度 {dimension}：{found}，正确的表为 {expected}"),
    )
}

/// A finding in a sentence or two.
pub fn finding(finding: &Finding, report: &Report, lang: Lang) -> String {
    let count = finding.count.unwrap_or_default();
    let at = finding
        .cell
        .map(|cell| wrong_cell(&cell, lang))
        .unwrap_or_default();
    let row = finding.cell.map_or(0, |cell| cell.position);
    let formula = report.formula;
    let number = |value: Option<f64>| value.map(cell_number).unwrap_or_default();
    let text = match finding.code {
        Code::Correct => match report.layout {
            Some("interleaved") | None => t(
                "Every cell is that of the paper's encoding.",
                "每个单元格都与论文的编码一致。",
            ),
            Some("tensor2tensor") => t(
                "Every cell is that of tensor2tensor's layout: all sines, then all cosines, exponent i/(d/2-1).",
                "每个单元格都与 tensor2tensor 布局一致：先是全部正弦，再是全部余弦，指数为 i/(d/2-1)。",
            ),
            Some(_) => t(
                "Every cell is that of the paper's encoding, in the concatenated layout: all sines, then all cosines.",
                "每个单元格都与论文的编码一致，布局为拼接：先是全部正弦，再是全部余弦。",
            ),
        },
        Code::StartOffset => {
            let start = formula.map_or(0, |formula| formula.start);
            let off = start.abs();
            let rows = if off == 1 { "row" } else { "rows" };
            return either(
                lang,
                format!("Row 0 is position {start}: the whole table is off by {off} {rows}."),
                format!("第 0 行是位置 {start}：整张表错开了 {off} 行。"),
            );
        }
        Code::Swapped => t(
            "Cosine stands where the sine belongs, and sine where the cosine does.",
            "正弦与余弦互换了位置。",
        ),
        Code::ExponentColumn => t(
            "The exponent comes from the column instead of the pair, so that sine and cosine of a pair have different frequencies: no rotation M_k takes PE(pos) to PE(pos+k).",
            "指数取自列号而不是维度对，同一对的正弦与余弦频率不同，因此没有旋转 M_k 能把 PE(pos) 变成 PE(pos+k)。",
        ),
        Code::ExponentDoubled => {
            let squared = number(report.base.map(|base| base * base));
            return either(
                lang,
                format!(
                    "The exponent is twice the paper's: 2i with an i that is already even. Half of the pairs hardly change. A base of {squared} gives the same numbers."
                ),
                format!(
                    "指数是论文的两倍：i 已经是偶数，却又乘以 2。约一半的维度对几乎不变。base 取 {squared} 会得到同样的数。"
                ),
            );
        }
        Code::ExponentHalfMinusOne => t(
            "The exponent is i/(d/2-1), which is tensor2tensor's and goes with its order of dimensions; this table is interleaved.",
            "指数是 i/(d/2-1)，这是 tensor2tensor 的写法，应与它的维度顺序搭配；而此表是交错排列的。",
        ),
        Code::NoDivision => t(
            "All pairs have the frequency 1: positions are not divided by a power of the base, or its exponent was rounded to 0. The base cannot be known.",
            "所有维度对的频率都是 1：位置没有除以 base 的幂，或指数被取整为 0。base 无从得知。",
        ),
        Code::Base => {
            let base = number(report.base);
            let also = if report.base == Some(100.0) {
                t(" The exponent i/d with base 10000 gives the same numbers, as does the left half of a table twice as wide.",
                  "base 为 10000 而指数为 i/d 时，或取两倍宽的表的左半边时，得到同样的数。").get(lang)
            } else {
                ""
            };
            return either(
                lang,
                format!("The base is {base}, where the paper has 10000.{also}"),
                format!("base 是 {base}，而论文用 10000。{also}"),
            );
        }
        Code::HalfPrecisionAngle => {
            let name = report.arithmetic.map_or("", |precision| precision.name());
            return either(
                lang,
                format!(
                    "Positions, frequencies or angles were rounded to {name} before the sine: {name} cannot tell neighbouring whole numbers apart beyond {}.",
                    if name == "bf16" { 256 } else { 2048 }
                ),
                format!(
                    "位置、频率或角度在求正弦之前被舍入到 {name}：超过 {} 后，{name} 分不清相邻的整数。",
                    if name == "bf16" { 256 } else { 2048 }
                ),
            );
        }
        Code::SinglePrecisionAngle => {
            let max = report
                .residual
                .map(|it| small_number(it.max))
                .unwrap_or_default();
            return either(
                lang,
                format!(
                    "Angles were computed in single precision: the table is off by up to {max}, as most code in PyTorch is. It matters little."
                ),
                format!("角度以单精度计算：误差最大 {max}，PyTorch 代码大多如此，影响很小。"),
            );
        }
        Code::ArithmeticHidden => {
            let precision = report.precision.name();
            return either(
                lang,
                format!(
                    "Rounded to {precision}, the numbers do not tell whether angles were computed in single or in double precision."
                ),
                format!("舍入到 {precision} 之后，从数值上看不出角度是以单精度还是双精度计算的。"),
            );
        }
        Code::RepeatedRow => {
            let which = match report.repeated_position {
                Some(position) => either(
                    lang,
                    format!(", that of position {position}"),
                    format!("，即位置 {position} 的那一行"),
                ),
                None => String::new(),
            };
            return either(
                lang,
                format!(
                    "All {count} rows are the same{which}: every token gets the same position, as when the table is indexed or added along the batch."
                ),
                format!(
                    "全部 {count} 行都相同{which}：所有词元得到同一个位置，通常是沿批次的轴取下标或相加造成的。"
                ),
            );
        }
        Code::ZeroRow => {
            return either(
                lang,
                format!(
                    "Row {row} is zero throughout ({count} such): a row for padding, or one that was never written."
                ),
                format!("第 {row} 行全为零（共 {count} 行）：是留给填充词元的行，或从未写入。"),
            );
        }
        Code::OddWidth if finding.cell.is_some() => t(
            "The width is odd, and the table is not that of the formula at this width: columns were cut off or filled up, or the exponent has another d.",
            "宽度是奇数，而此表并不是该宽度下的公式：有列被截去或填充，或指数中用了另一个 d。",
        ),
        Code::OddWidth => t(
            "The width is odd: the last dimension has no partner, and no rotation M_k includes it.",
            "宽度是奇数：最后一维没有搭档，任何旋转 M_k 都不包含它。",
        ),
        Code::Transposed => t(
            "Positions run across and dimensions down: the table is transposed.",
            "位置横排、维度竖排：表被转置了。",
        ),
        Code::Squeezed => {
            let shape = report.squeezed.clone().unwrap_or_default();
            return either(
                lang,
                format!("The file has the shape {shape:?}; axes of length 1 were left out."),
                format!("文件中的形状是 {shape:?}，长度为 1 的轴已略去。"),
            );
        }
        Code::Degrees => t(
            "Angles were taken for degrees, or turned into degrees, before the sine, which takes radians.",
            "角度在求正弦之前被当作度数，或换算成了度数；正弦函数要的是弧度。",
        ),
        Code::PositionStep => {
            let step = number(formula.map(|it| it.step));
            return either(
                lang,
                format!(
                    "Positions are multiplied by {step} before the sine, as in position interpolation or when they are normalised."
                ),
                format!("位置在求正弦之前乘以了 {step}，如位置插值或归一化。"),
            );
        }
        Code::Scaled => {
            let scale = number(report.scale);
            return either(
                lang,
                format!(
                    "All cells are multiplied by {scale}. In the paper it is the token's embedding that is multiplied, by √d_model."
                ),
                format!("所有单元格都乘以了 {scale}。论文中乘以 √d_model 的是词元嵌入。"),
            );
        }
        Code::Shifted => {
            let offset = number(report.offset);
            return either(
                lang,
                format!(
                    "{offset} is added to all cells, as when the table is normalised to mean 0."
                ),
                format!("所有单元格都加上了 {offset}，如把整张表归一化到均值为 0 时。"),
            );
        }
        Code::Sign => match report.signs {
            Some((-1, -1)) => t("All cells have the other sign.", "所有单元格的符号都相反。"),
            Some((1, -1)) => t("The cosines have the other sign.", "余弦的符号相反。"),
            _ => t(
                "The sines have the other sign: positions were counted backwards, or angles have a minus.",
                "正弦的符号相反：位置是倒着数的，或角度带了负号。",
            ),
        },
        Code::CorruptCell => {
            return either(
                lang,
                format!(
                    "{count} of the cells {} not what the formula of all others gives; the first: {at}.",
                    if count == 1 { "is" } else { "are" }
                ),
                format!("有 {count} 个单元格不符合其余单元格的公式；第一个：{at}。"),
            );
        }
        Code::Truncated => {
            let d = formula.map_or(0, |it| it.divisor);
            let columns = report.kind == Kind::Sinusoidal
                && d == count
                && count > 0
                && !finding.cell.is_some_and(|cell| cell.expected.is_nan());
            return match columns {
                true => either(
                    lang,
                    format!("These are the first columns of a table of width {d}."),
                    format!("这是宽度为 {d} 的表的前若干列。"),
                ),
                false => either(
                    lang,
                    format!(
                        "From row {row} on all {count} rows are zero: fewer positions were written than the table has."
                    ),
                    format!("从第 {row} 行起的 {count} 行全为零：写入的位置少于表的行数。"),
                ),
            };
        }
        Code::NotFinite => {
            return either(
                lang,
                format!(
                    "{count} of the cells {} NaN or infinite; the first: {at}.",
                    if count == 1 { "is" } else { "are" }
                ),
                format!("有 {count} 个单元格是 NaN 或无穷大；第一个：{at}。"),
            );
        }
        Code::PairOrderHidden => t(
            "Whether queries and keys are paired side by side or in halves is not in this cache: look at rotate_half.",
            "查询和键的维度是相邻配对还是前后两半配对，缓存里看不出来，请查看 rotate_half 的代码。",
        ),
        Code::TooSmall => t(
            "The table is too small to tell formulas apart; what is not known is left open.",
            "表太小，不足以区分各种公式；无法确定的内容留空。",
        ),
        Code::Learned => {
            let share = 100.0 * report.nearest_is_neighbour.unwrap_or_default();
            return either(
                lang,
                format!(
                    "No formula fits, and of {share:.0} % of the rows the nearest other row is a neighbour: it looks like a table that was trained."
                ),
                format!(
                    "没有公式符合；{share:.0}% 的行，与它最接近的正是相邻的行：像是训练得到的表。"
                ),
            );
        }
        Code::Unknown => match report.nearest_is_neighbour {
            Some(share) if share >= 0.5 => t(
                "No formula that is known here fits, although neighbouring rows are alike.",
                "没有已知的公式符合，尽管相邻的行彼此相近。",
            ),
            _ => t(
                "No formula that is known here fits, and neighbouring rows are not alike: untrained, or no table of positions.",
                "没有已知的公式符合，相邻的行也不相近：尚未训练，或不是位置表。",
            ),
        },
    };
    text.get(lang).into()
}

/// The line of code that usually causes a mistake, and lines that are right.
pub struct Fix {
    /// What people wrote.
    pub cause: &'static str,
    pub numpy: &'static str,
    pub pytorch: &'static str,
    pub jax: &'static str,
}

/// What to write instead; `None` where no line of code is to blame.
pub fn fix(code: Code) -> Option<Fix> {
    let of = |cause, numpy, pytorch, jax| {
        Some(Fix {
            cause,
            numpy,
            pytorch,
            jax,
        })
    };
    match code {
        Code::ExponentColumn => of(
            "angle = pos / 10000 ** (np.arange(d) / d)",
            "angle = pos / 10000 ** (2 * (np.arange(d) // 2) / d)",
            "angle = pos / 10000 ** (2 * (torch.arange(d) // 2) / d)",
            "angle = pos / 10000 ** (2 * (jnp.arange(d) // 2) / d)",
        ),
        Code::ExponentDoubled => of(
            "for i in range(0, d, 2): div = 10000 ** (2 * i / d)",
            "div = 10000 ** (np.arange(0, d, 2) / d)",
            "div = 10000 ** (torch.arange(0, d, 2) / d)",
            "div = 10000 ** (jnp.arange(0, d, 2) / d)",
        ),
        Code::ExponentHalfMinusOne => of(
            "freq = np.exp(-np.log(10000) * i / (d // 2 - 1))",
            "freq = np.exp(-np.log(10000) * np.arange(0, d, 2) / d)",
            "freq = torch.exp(-math.log(10000) * torch.arange(0, d, 2) / d)",
            "freq = jnp.exp(-jnp.log(10000) * jnp.arange(0, d, 2) / d)",
        ),
        Code::NoDivision => of(
            "div = 10000 ** (2 * i // d)",
            "div = 10000 ** (np.arange(0, d, 2) / d)",
            "div = 10000 ** (torch.arange(0, d, 2) / d)",
            "div = 10000 ** (jnp.arange(0, d, 2) / d)",
        ),
        Code::Base => of(
            "div = 1000 ** (np.arange(0, d, 2) / d)",
            "div = 10000 ** (np.arange(0, d, 2) / d)",
            "div = 10000 ** (torch.arange(0, d, 2) / d)",
            "div = 10000 ** (jnp.arange(0, d, 2) / d)",
        ),
        Code::Swapped => of(
            "pe[:, 0::2] = np.cos(angle); pe[:, 1::2] = np.sin(angle)",
            "pe[:, 0::2] = np.sin(angle); pe[:, 1::2] = np.cos(angle)",
            "pe[:, 0::2] = torch.sin(angle); pe[:, 1::2] = torch.cos(angle)",
            "pe = pe.at[:, 0::2].set(jnp.sin(angle)).at[:, 1::2].set(jnp.cos(angle))",
        ),
        Code::StartOffset => of(
            "pos = np.arange(1, n + 1)",
            "pos = np.arange(n)[:, None]",
            "pos = torch.arange(n)[:, None]",
            "pos = jnp.arange(n)[:, None]",
        ),
        Code::Sign => of(
            "pos = np.arange(0, -n, -1)",
            "pos = np.arange(n)[:, None]",
            "pos = torch.arange(n)[:, None]",
            "pos = jnp.arange(n)[:, None]",
        ),
        Code::Degrees => of(
            "pe[:, 0::2] = np.sin(np.radians(angle))",
            "pe[:, 0::2] = np.sin(angle)",
            "pe[:, 0::2] = torch.sin(angle)",
            "pe = pe.at[:, 0::2].set(jnp.sin(angle))",
        ),
        Code::HalfPrecisionAngle => of(
            "pos = torch.arange(n, dtype=torch.bfloat16)",
            "pos = np.arange(n, dtype=np.float32)  # .astype(np.float16) after sine and cosine",
            "pos = torch.arange(n, dtype=torch.float32)  # .to(torch.bfloat16) after sine and cosine",
            "pos = jnp.arange(n, dtype=jnp.float32)  # .astype(jnp.bfloat16) after sine and cosine",
        ),
        Code::RepeatedRow => of(
            "x = x + pe[:x.size(0)]  # x is [batch, n, d]",
            "x = x + pe[None, :x.shape[1]]  # pe is [max_len, d]",
            "x = x + pe[None, :x.size(1)]  # pe is [max_len, d]",
            "x = x + pe[None, :x.shape[1]]  # pe is [max_len, d]",
        ),
        Code::ZeroRow => of(
            "pe[padding_idx] = 0",
            "pe = table(np.arange(n))  # mask padding instead",
            "pe = table(torch.arange(n))  # mask padding instead",
            "pe = table(jnp.arange(n))  # mask padding instead",
        ),
        Code::Transposed => of(
            "pe = np.array([np.sin(pos * f) for f in freq])",
            "pe = pe.T",
            "pe = pe.T",
            "pe = pe.T",
        ),
        Code::Scaled => of(
            "x = (x + pe) * np.sqrt(d)",
            "x = x * np.sqrt(d) + pe",
            "x = x * math.sqrt(d) + pe",
            "x = x * jnp.sqrt(d) + pe",
        ),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_cells_have_six_digits() {
        for (value, text) in [
            (0.0, "0"),
            (-0.0, "0"),
            (1.0, "1"),
            (10_000.0, "10000"),
            (0.841_470_984_8, "0.841471"),
            (-0.5, "-0.5"),
            (1.234_567_8e-9, "0.000000001235"),
            (f64::NAN, "NaN"),
        ] {
            assert_eq!(cell_number(value), text);
        }
        assert_eq!(small_number(3.14e-5), "3.1e-5");
    }
}
