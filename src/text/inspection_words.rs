//! The sentences of an inspection by key; names in braces are placeholders.

use super::Text;

const fn t(en: &'static str, zh: &'static str) -> Text {
    Text::new(en, zh)
}

/// Declares the sentences as a `match` instead of a table: the core is split by the constants that its
/// functions name (scripts/kit/constants.mjs), and a table next to a constant of the bench would be loaded
/// with the bench, with all its texts.
macro_rules! sentences {
    ($name:ident, $keys:ident; $($key:literal: $en:literal, $zh:literal;)*) => {
        /// The sentence of a key.
        pub fn $name(key: &str) -> Option<Text> {
            match key {
                $($key => Some(t($en, $zh)),)*
                _ => None,
            }
        }

        /// All keys.
        #[cfg(test)]
        pub const $keys: &[&str] = &[$($key),*];
    };
}

sentences! {
    sentence, KEYS;
    "fault.empty": "The file is empty; save the table again.", "文件是空的，请重新保存位置表。";
    "fault.format": "The file is neither .npy nor .safetensors nor text; save the table with np.save(\"pe.npy\", pe). Raw numbers have no shape: np.save(\"pe.npy\", np.fromfile(\"pe.bin\", \"<f4\").reshape(-1, d)).", "文件既不是 .npy、.safetensors，也不是文本；请用 np.save(\"pe.npy\", pe) 保存。裸数据没有形状：np.save(\"pe.npy\", np.fromfile(\"pe.bin\", \"<f4\").reshape(-1, d))。";
    "fault.pickle": "The file is a pickle (.pt, .pth, .bin and .pkl are), and reading one can run code, so it is not read; save it as .npy or .safetensors: np.save(\"pe.npy\", pe.detach().float().cpu().numpy()).", "文件是 pickle（.pt、.pth、.bin、.pkl 都是），读取时可能执行代码，因此不读取；请另存为 .npy 或 .safetensors：np.save(\"pe.npy\", pe.detach().float().cpu().numpy())。";
    "fault.npz": "The file is an .npz archive of several arrays; save the one that is meant: np.save(\"pe.npy\", np.load(\"file.npz\")[\"pe\"]).", "文件是含多个数组的 .npz 归档；请单独保存其中的位置表：np.save(\"pe.npy\", np.load(\"file.npz\")[\"pe\"])。";
    "fault.npy-version": "The file claims version {version} of .npy, and there are 1.0, 2.0 and 3.0; save it again with np.save.", "文件自称 .npy {version} 版，而只有 1.0、2.0 和 3.0；请用 np.save 重新保存。";
    "fault.truncated-bytes": "The file is cut off: its header promises {needed} bytes and there are {found}; copy or save it again.", "文件不完整：文件头声明有 {needed} 字节，实际只有 {found}；请重新复制或保存。";
    "fault.truncated-numbers": "The shape promises {needed} numbers and there are {found}; give the shape of this table.", "形状声明有 {needed} 个数，实际有 {found} 个；请给出这张表的形状。";
    "fault.header-too-long": "The header claims {bytes} bytes, more than that of any table; the file is damaged or no such file: save it again.", "文件头自称有 {bytes} 字节，任何位置表都不会这么长；文件已损坏或格式不符，请重新保存。";
    "fault.header": "The header is not as the format wants it ({part}); save the file again with NumPy or safetensors.", "文件头不符合格式（{part}）；请用 NumPy 或 safetensors 重新保存。";
    "fault.dtype": "The numbers are of type {dtype}, whole or quantised, and a table of positions is of floating-point numbers: save them with their scale, np.save(\"pe.npy\", pe.astype(\"float32\") * scale).", "数的类型是 {dtype}（整数或量化值），而位置表由浮点数组成；请乘上缩放系数后保存：np.save(\"pe.npy\", pe.astype(\"float32\") * scale)。";
    "fault.shape": "The shape is {shape}; a table has two axes, positions and dimensions: save one, np.save(\"pe.npy\", pe[0]), or of rotation matrices [1, n, d/2, 2, 2] their cosines and sines, np.save(\"pe.npy\", pe[0, ..., 0]).", "形状是 {shape}，而位置表有两个轴：位置和维度；请只保存一张表：np.save(\"pe.npy\", pe[0])；若是旋转矩阵 [1, n, d/2, 2, 2]，则保存其余弦和正弦：np.save(\"pe.npy\", pe[0, ..., 0])。";
    "fault.overflow": "The shape or an offset is beyond all bounds; the file is damaged or made to do harm: save the table again.", "形状或偏移量大得不可能；文件已损坏或是恶意构造的，请重新保存位置表。";
    "fault.no-cells": "The table has no numbers; save one with at least one row and one column.", "表中没有数；请保存至少一行一列的表。";
    "fault.too-many-cells": "The table has {cells} numbers and at most {most} are read; save fewer rows, such as pe[:1024].", "表中有 {cells} 个数，最多读取 {most} 个；请少保存几行，例如 pe[:1024]。";
    "fault.not-a-number": "Line {line}, cell {cell} is no number: \"{text}\"; leave only numbers, with a # before comments.", "第 {line} 行第 {cell} 格不是数：“{text}”；请只保留数，注释行以 # 开头。";
    "fault.ragged": "Line {line} has {found} numbers where the first has {expected}; every line needs as many as the first.", "第 {line} 行有 {found} 个数，而第一行有 {expected} 个；各行的个数必须相同。";
    "fault.text-too-long": "The text has {bytes} bytes, more than is read; save the table with np.save(\"pe.npy\", pe).", "文本有 {bytes} 字节，超出可读取的长度；请用 np.save(\"pe.npy\", pe) 保存。";
    "fault.line-too-long": "Line {line} is longer than that of any table; each position has a line of its own.", "第 {line} 行过长，不会是位置表的一行；每个位置应各占一行。";
    "fault.offsets": "The bytes of tensor {name} overlap those of another, or are not as many as its shape needs; the file is damaged: save it again.", "张量 {name} 的字节与其他张量重叠，或与它的形状不符；文件已损坏，请重新保存。";
    "fault.no-tensor": "There is no tensor {name}; {list}", "没有名为 {name} 的张量；{list}";
    "fault.no-candidates": "no tensor of the file has two axes of floating-point numbers, so none can be a table of positions.", "文件中没有两个轴的浮点张量，因此都不可能是位置表。";
    "fault.candidates": "say which of these is the table, with --tensor NAME:", "请用 --tensor NAME 指明哪个是位置表：";
    "fault.more": "and {count} more", "另有 {count} 个";
    "waves.cosines": "cosines of RoPE", "RoPE 的余弦";
    "waves.sines": "sines of RoPE", "RoPE 的正弦";
    "order.interleaved": "interleaved", "交错";
    "order.halves": "in halves", "前后两半";
    "order.single": "a column per pair", "每个维度对一列";
    "order.quarters": "in halves, each twice", "前后两半，各有两份";
    "exponent.none": "no division", "没有除法";
    "exponent.is": "exponent {formula}", "指数 {formula}";
    "part.base": "base {base}", "base = {base}";
    "part.padded": "last column zero", "最后一列为零";
    "part.start": "first position {start}", "首个位置 {start}";
    "part.swapped": "cosine first", "余弦在前";
    "part.step": "positions × {step}", "位置 × {step}";
    "part.scale": "scale {scale}", "缩放 {scale}";
    "part.arithmetic": "computed in {name}", "以 {name} 计算";
    "part.rounded": "rounded to {name}", "舍入到 {name}";
    "part.comma": ", ", "，";
    "kind.sinusoidal": "sinusoidal", "正弦位置编码";
    "kind.rope-cos": "a cache of cosines for RoPE", "RoPE 的余弦缓存";
    "kind.rope-sin": "a cache of sines for RoPE", "RoPE 的正弦缓存";
    "kind.learned": "no formula; looks learned", "不符合任何公式，像是学得的";
    "kind.constant": "constant: all rows are equal", "各行全都相同";
    "kind.unknown": "not recognised", "无法识别";
    "cell.alone": "position {position}, dimension {dimension}: {found}", "位置 {position}、维度 {dimension}：{found}";
    "cell.wrong": "position {position}, dimension {dimension}: {found}, where the correct table has {expected}", "位置 {position}、维度 {dimension}：{found}，正确的表为 {expected}";
    "report.residual": "residual  max {max}, rms {rms}", "残差      max {max}, rms {rms}";
    "report.nearest": "nearest   residual rms {rms}: {formula}", "最接近的  残差 rms {rms}：{formula}";
    "report.also": "the same numbers: {names}", "数值相同的约定：{names}";
    "also.diffusion-timestep": "time steps of diffusion models", "扩散模型的时间步";
    "report.runner-up": "runner-up rms {rms}: {formula}", "次优公式  rms {rms}：{formula}";
    "report.cause": "usually  {code}", "常见写法 {code}";
    "report.differs": "first cell that differs from the paper's table: {cell}", "第一个与论文不同的单元格：{cell}";
    "report.first": "first wrong cell: {cell}", "第一个错误的单元格：{cell}";
    "correct.interleaved": "Every cell is that of the paper's encoding.", "每个单元格都与论文的编码一致。";
    "correct.tensor2tensor": "Every cell is that of tensor2tensor's layout: all sines, then all cosines, exponent i/(d/2-1).", "每个单元格都与 tensor2tensor 的排列一致：先是全部正弦，再是全部余弦，指数为 i/(d/2-1)。";
    "correct.concatenated": "Every cell is that of the paper's encoding, in the concatenated layout: all sines, then all cosines.", "每个单元格都与论文的编码一致，排列为拼接：先是全部正弦，再是全部余弦。";
    "start-offset.one": "Row 0 is position {start}: the whole table is off by one row.", "第 0 行是位置 {start}：整张表错开了一行。";
    "start-offset.more": "Row 0 is position {start}: the whole table is off by {off} rows.", "第 0 行是位置 {start}：整张表错开了 {off} 行。";
    "swapped": "Cosine stands where the sine belongs, and sine where the cosine does.", "正弦与余弦互换了位置。";
    "swapped.also": "Cosines come first. That is the order of {names}; in the paper the sine comes first.", "余弦在前。{names} 就是这个顺序；而论文中正弦在前。";
    "exponent-column": "The exponent comes from the column instead of the pair, so that sine and cosine of a pair have different frequencies: no rotation Mₖ takes PE(pos) to PE(pos+k).", "指数取自列号而不是维度对，同一对的正弦与余弦频率不同，因此没有旋转 Mₖ 能把 PE(pos) 变成 PE(pos+k)。";
    "exponent-doubled": "The exponent is twice the paper's: 2i with an i that already numbers dimensions. Half of the pairs hardly change. A base of {squared} gives the same numbers.", "指数是论文的两倍：i 已经是维度的编号，却又乘以 2。约一半的维度对几乎不变。底数取 {squared} 会得到同样的数。";
    "exponent-half-minus-one": "The exponent is i/(d/2-1), which is tensor2tensor's and goes with its order of dimensions; this table is interleaved.", "指数是 i/(d/2-1)，这是 tensor2tensor 的写法，应与它的维度顺序搭配；而此表是交错排列的。";
    "no-division": "All pairs have the frequency 1: positions are not divided by a power of the base, or its exponent was rounded to 0. The base cannot be known.", "所有维度对的频率都是 1：位置没有除以底数的幂，或指数被舍入为 0。底数无从得知。";
    "base": "The base is {base}, where the paper has 10000.", "底数是 {base}，而论文用 10000。";
    "base.unknown": "The base is not the paper's 10000; what it is, these numbers do not tell.", "底数不是论文的 10000；究竟是多少，从这些数值看不出来。";
    "base.halved": "The base is 100, where the paper has 10000. The exponent i/d with base 10000 gives the same numbers, as does the left half of a table twice as wide.", "底数是 100，而论文用 10000。底数为 10000、指数为 i/d 时，或取维数为两倍的表的左半边时，得到同样的数。";
    "base.squared": "The base is {base}, where the paper has 10000. The exponent 4i/d with base {root} gives the same numbers.", "底数是 {base}，而论文用 10000。底数为 {root}、指数为 4i/d 时得到同样的数。";
    "half-precision-angle": "Positions, frequencies or angles were rounded to {name} before the sine: {name} cannot tell neighbouring whole numbers apart beyond {most}.", "位置、频率或角度在求正弦之前被舍入到 {name}：超过 {most} 后，{name} 分不清相邻的整数。";
    "single-precision-angle": "Angles were computed in single precision, as in most code in PyTorch: the table is off by up to {max}, which matters little.", "角度以单精度计算，PyTorch 代码大多如此：误差最大 {max}，影响很小。";
    "single-precision-angle.far": "Angles were computed in single precision, as in most code in PyTorch: the table is off by up to {max}.", "角度以单精度计算，PyTorch 代码大多如此：误差最大 {max}。";
    "arithmetic-hidden": "Rounded to {name}, the numbers do not tell whether angles were computed in single or in double precision.", "舍入到 {name} 之后，从数值上看不出角度是以单精度还是双精度计算的。";
    "digits": "{count} significant digits", "{count} 位十进制有效数字";
    "repeated-row": "All {count} rows are the same: every token gets the same position, as when the table is indexed or added along the batch.", "全部 {count} 行都相同：所有词元得到同一个位置，通常是沿批次的轴取下标或相加造成的。";
    "repeated-row.known": "All {count} rows are the same, that of position {position}: every token gets the same position, as when the table is indexed or added along the batch.", "全部 {count} 行都相同，即位置 {position} 的那一行：所有词元得到同一个位置，通常是沿批次的轴取下标或相加造成的。";
    "zero-row": "Row {row} is zero throughout ({count} such): a row for padding, or one that was never written.", "第 {row} 行全为零（共 {count} 行）：是留给填充词元的行，或从未写入。";
    "odd-width": "The width is odd: the last dimension has no partner, and no rotation Mₖ includes it.", "维数是奇数：最后一维没有配对，任何旋转 Mₖ 都不包含它。";
    "odd-width.wrong": "The width is odd, and the table is not that of the formula at this width: columns were cut off or filled up, or the exponent has another d.", "维数是奇数，而此表并不是该维数下的公式：有列被截去或填充，或指数中用了另一个 d。";
    "transposed": "Positions run across and dimensions down: the table is transposed.", "位置横排、维度竖排：表被转置了。";
    "reshaped": "The numbers are in the order of the transposed table: it was reshaped where it should have been transposed.", "数值按转置表的顺序排列：该转置的地方用了 reshape。";
    "squeezed": "The shape was {shape}; it was read as {rows} × {columns}.", "原来的形状是 {shape}，读作 {rows} × {columns}。";
    "degrees": "Angles were taken for degrees, or turned into degrees, before the sine, which takes radians.", "角度在求正弦之前被当作度数，或换算成了度数；正弦函数要的是弧度。";
    "position-step": "Positions are multiplied by {step} before the sine, as in position interpolation or when they are normalised.", "位置在求正弦之前乘以了 {step}，如位置插值或归一化。";
    "scaled": "All cells are multiplied by {scale}. In the paper it is the token's embedding that is multiplied, by √d_model.", "所有单元格都乘以了 {scale}。论文中乘以 √d_model 的是词嵌入。";
    "shifted": "{offset} is added to all cells, as when the table is normalised to mean 0.", "所有单元格都加上了 {offset}，如把整张表归一化到均值为 0 时。";
    "sign.both": "All cells have the other sign.", "所有单元格的符号都相反。";
    "sign.cosines": "The cosines have the other sign.", "余弦的符号相反。";
    "sign.sines": "The sines have the other sign: positions were counted backwards, or angles have a minus.", "正弦的符号相反：位置是倒着数的，或角度带了负号。";
    "corrupt-cell.one": "One cell is not what the formula of all others gives, at {cell}.", "有一个单元格不符合其余单元格的公式，{cell}。";
    "corrupt-cell.more": "{count} cells are not what the formula of all others gives, the first at {cell}.", "有 {count} 个单元格不符合其余单元格的公式，第一个在{cell}。";
    "truncated.rows": "From row {row} on all {count} rows are zero: fewer positions were written than the table has.", "从第 {row} 行起的 {count} 行全为零：写入的位置少于表的行数。";
    "truncated.columns": "These are the first columns of a table of width {count}.", "这是维数为 {count} 的表的前若干列。";
    "not-finite.one": "One cell is NaN or infinite, at {cell}.", "有一个单元格是 NaN 或无穷大，{cell}。";
    "not-finite.more": "{count} cells are NaN or infinite, the first at {cell}.", "有 {count} 个单元格是 NaN 或无穷大，第一个在{cell}。";
    "pair-order-hidden": "Whether queries and keys are paired side by side or in halves is not in this cache: look at rotate_half.", "查询和键的维度是相邻配对还是前后两半配对，缓存里看不出来，请查看 rotate_half 的代码。";
    "too-small": "The table is too small to tell formulas apart; what is not known is left open.", "表太小，不足以区分各种公式；无法确定的内容留空。";
    "learned": "No formula fits, and of {share} % of the rows the nearest other row is a neighbour: it looks like a table that was trained.", "没有公式符合；{share}% 的行，与它最接近的正是相邻的行：像是训练得到的表。";
    "unknown.close": "The table comes close to this formula, but {count} cells are off by more than rounding explains, the first at {cell}. Why is not known.", "这张表接近该公式，但有 {count} 个单元格的偏差不是舍入所能解释的，第一个在{cell}。原因不明。";
    "unknown.unproven": "The table comes close to this formula, but its cells are off by up to {max}, which rounding does not explain. Why is not known.", "这张表接近该公式，但单元格的偏差最大达 {max}，不是舍入所能解释的。原因不明。";
    "unknown.smooth": "No formula that is known here fits, although neighbouring rows are alike.", "没有已知的公式符合，尽管相邻的行彼此相近。";
    "unknown.noise": "No formula that is known here fits, and neighbouring rows are not alike: untrained, or no table of positions.", "没有已知的公式符合，相邻的行也不相近：尚未训练，或不是位置表。";
    "kind.rope-cos-sin": "cosines and sines for RoPE in one table", "RoPE 的余弦与正弦合成的一张表";
    "kind.frequencies": "frequencies alone, a number per pair, like RoPE's inv_freq: a table needs positions as well", "只有频率，每个维度对一个数，如 RoPE 的 inv_freq；要成为位置表，还需要位置";
    "kind.angles": "angles, position times frequency: sine and cosine have not been taken yet", "角度，即位置乘以频率：尚未取正弦和余弦";
    "kind.bias": "a bias that grows with the distance, as ALiBi adds to the attention scores: not a table of positions", "随距离增长的偏置，如 ALiBi 加在注意力分数上的偏置：不是位置表";
    "kind.not-positions": "numbers without waves: neither a sinusoidal table nor a learned one", "不含波形的数：既不是正弦位置表，也不是学得的位置表";
    "start-offset.measured": "Row 0 is position {start}.", "第 0 行是位置 {start}。";
    "half-precision-angle.frequencies": "The frequencies were rounded to 16 bits before they were multiplied by the positions.", "频率在与位置相乘之前被舍入到 16 位。";
    "position-step.measured": "Adjacent rows are {step} positions apart.", "相邻两行的位置相差 {step}。";
    "position-step.listed": "The positions are not evenly spaced: row {row} is the first that breaks the spacing.", "位置不是等间隔的：第 {row} 行最先与前面的间隔不符。";
    "frequencies.partial": "These are the first frequencies of a head of width {count} with another base: partial RoPE with the whole head's width in the exponent.", "这些频率就是宽度为 {count} 的注意力头在另一个底数下前若干对的频率：部分 RoPE，指数中用的是整个头的宽度。";
    "frequencies.llama3": "The frequencies are those of Llama 3.1 (rope_type llama3): base {base}, slower from pair {pair} on, the slowest by a factor of {factor}.", "频率与 Llama 3.1 的缩放（rope_type 为 llama3）一致：底数 {base}，从第 {pair} 对起变慢，最慢的降为原来的 1/{factor}。";
    "frequencies.yarn": "The frequencies are those of YaRN: base {base}, slower from pair {pair} on, the slowest by a factor of {factor}.", "频率与 YaRN 一致：底数 {base}，从第 {pair} 对起变慢，最慢的降为原来的 1/{factor}。";
    "frequencies.longrope": "From pair {pair} on, each frequency of base {base} is divided by a number of its own, and these numbers grow, as in LongRoPE.", "从第 {pair} 对起，底数 {base} 的每个频率各除以一个逐渐增大的数，如 LongRoPE。";
    "frequencies.linear-scaled": "All frequencies of base {base} are divided by {factor}, as in position interpolation.", "底数 {base} 的所有频率都除以 {factor}，如位置插值。";
    "frequencies.proportional": "The first {pair} pairs turn with base {base}; the others do not turn: partial RoPE.", "前 {pair} 对按底数 {base} 旋转，其余各对不旋转：部分 RoPE。";
    "frequencies.powers-of-two": "Each frequency is twice the one before it, as in the Fourier features of NeRF.", "每个频率都是前一个的两倍，如 NeRF 的傅里叶特征。";
    "frequencies.linear": "Adjacent frequencies differ by {factor} radians per row, up to whole turns: they form an arithmetic progression, as in Perceiver, or multiplied where the paper divides.", "相邻频率每行相差 {factor} 弧度（不计整圈）：频率成等差数列，如 Perceiver，或把论文中的除法写成了乘法。";
    "frequencies.listed": "The frequencies tell no rule that is known here; the report in JSON lists them.", "从频率看不出已知的规则；JSON 报告中列出了各个频率。";
    "falling": "The positions fall, from {start} in row 0, as in relative encodings such as Transformer-XL's and in the time steps of diffusion models.", "位置逐行减小，第 0 行是 {start}，如 Transformer-XL 等相对位置编码和扩散模型的时间步。";
    "restarts": "In row {row} the positions begin again: padding before them, several sequences in one, or positions taken modulo a length.", "位置在第 {row} 行重新开始：前面是填充、多个序列拼在一起，或位置取了模。";
    "repeated": "Some rows have the same position as the row before them; the first is row {row}.", "有的行与前一行位置相同，首先是第 {row} 行。";
    "repeated.clamped": "From row {row} on all rows have the same position: positions were clamped.", "从第 {row} 行起所有行的位置都相同：位置设了上限。";
    "repeated.columns": "The columns hold the same table twice.", "同一张表在各列中并排出现了两次。";
    "special-rows": "Rows before the first position: {count}, for example of a class token.", "第一个位置之前还有 {count} 行，例如分类词元。";
    "axes.slow": "The positions are those of a {sizes} grid, as in tables for images; the first columns hold the axis that changes slowest.", "位置排成 {sizes} 的网格，如图像的位置表；前面的列对应变化最慢的轴。";
    "axes.fast": "The positions are those of a {sizes} grid, as in tables for images; the first columns hold an axis that changes faster.", "位置排成 {sizes} 的网格，如图像的位置表；前面的列对应变化较快的轴。";
    "wrong-rows": "Rows that do not belong to the others: {count}, the first of them row {row}.", "有 {count} 行与其余各行不符，首先是第 {row} 行。";
    "wrong-columns": "Columns that do not belong to the others: {count}, the first of them column {column}.", "有 {count} 列与其余各列不符，首先是第 {column} 列。";
    "coarse": "Cells everywhere are off by up to {max}: rounded to few bits, as by quantisation, or trained further from this table.", "各处的单元格都有偏差，最大 {max}：像量化那样舍入到很少的位数，或以这张表为起点继续训练过。";
    "dropout": "{count} cells are zero and the others are multiplied by {scale}: the table was saved after dropout in training mode.", "有 {count} 个单元格为零，其余乘以 {scale}：这张表是在训练模式下经过 dropout 之后保存的。";
    "scaled.columns": "The columns are multiplied by different numbers, as by a scaler, or where the division is outside the sine.", "各列乘以不同的数，如经过逐列标准化，或把除法写在了正弦之外。";
}

// Which formats are told apart on the command line; the page reads other files.
#[cfg(not(target_arch = "wasm32"))]
sentences! {
    format_sentence, FORMAT_KEYS;
    "fault.gguf": "The file is in the GGUF format, which is not read here; convert the tensor: from gguf import GGUFReader; np.save(\"pe.npy\", next(t.data for t in GGUFReader(\"model.gguf\").tensors if \"pos\" in t.name)).", "文件是 GGUF 格式，不支持读取；请转换其中的张量：from gguf import GGUFReader; np.save(\"pe.npy\", next(t.data for t in GGUFReader(\"model.gguf\").tensors if \"pos\" in t.name))。";
    "fault.hdf5": "The file is in the HDF5 format (.h5), which is not read here; convert the table: np.save(\"pe.npy\", h5py.File(\"model.h5\")[\"path/of/pe\"][:]).", "文件是 HDF5 格式（.h5），不支持读取；请转换其中的表：np.save(\"pe.npy\", h5py.File(\"model.h5\")[\"path/of/pe\"][:])。";
    "fault.onnx": "The file is an ONNX model, which is not read here; convert the tensor: np.save(\"pe.npy\", next(onnx.numpy_helper.to_array(t) for t in onnx.load(\"model.onnx\").graph.initializer if \"pos\" in t.name)).", "文件是 ONNX 模型，不支持读取；请转换其中的张量：np.save(\"pe.npy\", next(onnx.numpy_helper.to_array(t) for t in onnx.load(\"model.onnx\").graph.initializer if \"pos\" in t.name))。";
    "fault.xlsx": "The file is an Excel workbook; save the sheet as CSV, or np.save(\"pe.npy\", pd.read_excel(\"pe.xlsx\", header=None).to_numpy()).", "文件是 Excel 工作簿；请把工作表另存为 CSV，或 np.save(\"pe.npy\", pd.read_excel(\"pe.xlsx\", header=None).to_numpy())。";
    "fault.keras": "The file is a Keras model; save the weight that is meant: np.save(\"pe.npy\", keras.models.load_model(\"model.keras\").get_layer(\"positions\").get_weights()[0]).", "文件是 Keras 模型；请保存其中的权重：np.save(\"pe.npy\", keras.models.load_model(\"model.keras\").get_layer(\"positions\").get_weights()[0])。";
    "fault.gzip": "The file is compressed with gzip; unpack it: gzip -d FILE.", "文件经 gzip 压缩；请先解压：gzip -d FILE。";
    "fault.xz": "The file is compressed with xz; unpack it: xz -d FILE.", "文件经 xz 压缩；请先解压：xz -d FILE。";
    "fault.matlab": "The file is a MATLAB file (.mat); convert the table: np.save(\"pe.npy\", scipy.io.loadmat(\"pe.mat\")[\"pe\"]).", "文件是 MATLAB 格式（.mat）；请转换其中的表：np.save(\"pe.npy\", scipy.io.loadmat(\"pe.mat\")[\"pe\"])。";
    "fault.index": "The file is the index of a model in several files; inspect the one that its weight_map names beside the table, such as model-00001-of-00002.safetensors.", "文件是分片模型的索引；请检查 weight_map 中位置表所在的那个文件，例如 model-00001-of-00002.safetensors。";
}

/// For each mistake: the line that usually causes it, and the correct lines in NumPy, PyTorch and JAX.
pub static FIXES: &[(&str, [&str; 4])] = &[
    (
        "exponent-column",
        [
            "angle = pos / 10000 ** (np.arange(d) / d)",
            "angle = pos / 10000 ** (2 * (np.arange(d) // 2) / d)",
            "angle = pos / 10000 ** (2 * (torch.arange(d) // 2) / d)",
            "angle = pos / 10000 ** (2 * (jnp.arange(d) // 2) / d)",
        ],
    ),
    (
        "exponent-doubled",
        [
            "for i in range(0, d, 2): div = 10000 ** (2 * i / d)",
            "div = 10000 ** (np.arange(0, d, 2) / d)",
            "div = 10000 ** (torch.arange(0, d, 2) / d)",
            "div = 10000 ** (jnp.arange(0, d, 2) / d)",
        ],
    ),
    (
        "exponent-half-minus-one",
        [
            "freq = np.exp(-np.log(10000) * i / (d // 2 - 1))",
            "freq = np.exp(-np.log(10000) * np.arange(0, d, 2) / d)",
            "freq = torch.exp(-math.log(10000) * torch.arange(0, d, 2) / d)",
            "freq = jnp.exp(-jnp.log(10000) * jnp.arange(0, d, 2) / d)",
        ],
    ),
    (
        "no-division",
        [
            "div = 10000 ** (2 * i // d)",
            "div = 10000 ** (np.arange(0, d, 2) / d)",
            "div = 10000 ** (torch.arange(0, d, 2) / d)",
            "div = 10000 ** (jnp.arange(0, d, 2) / d)",
        ],
    ),
    (
        "base",
        [
            "div = 1000 ** (np.arange(0, d, 2) / d)",
            "div = 10000 ** (np.arange(0, d, 2) / d)",
            "div = 10000 ** (torch.arange(0, d, 2) / d)",
            "div = 10000 ** (jnp.arange(0, d, 2) / d)",
        ],
    ),
    (
        "swapped",
        [
            "pe[:, 0::2] = np.cos(angle); pe[:, 1::2] = np.sin(angle)",
            "pe[:, 0::2] = np.sin(angle); pe[:, 1::2] = np.cos(angle)",
            "pe[:, 0::2] = torch.sin(angle); pe[:, 1::2] = torch.cos(angle)",
            "pe = pe.at[:, 0::2].set(jnp.sin(angle)).at[:, 1::2].set(jnp.cos(angle))",
        ],
    ),
    (
        "start-offset",
        [
            "pos = np.arange(1, n + 1)[:, None]",
            "pos = np.arange(n)[:, None]",
            "pos = torch.arange(n)[:, None]",
            "pos = jnp.arange(n)[:, None]",
        ],
    ),
    (
        "sign",
        [
            "pos = np.arange(0, -n, -1)[:, None]",
            "pos = np.arange(n)[:, None]",
            "pos = torch.arange(n)[:, None]",
            "pos = jnp.arange(n)[:, None]",
        ],
    ),
    (
        "degrees",
        [
            "pe[:, 0::2] = np.sin(np.radians(angle))",
            "pe[:, 0::2] = np.sin(angle)",
            "pe[:, 0::2] = torch.sin(angle)",
            "pe = pe.at[:, 0::2].set(jnp.sin(angle))",
        ],
    ),
    (
        "half-precision-angle",
        [
            "pos = torch.arange(n, dtype=torch.bfloat16)[:, None]",
            "pos = np.arange(n, dtype=np.float32)[:, None]  # .astype(np.float16) after sine and cosine",
            "pos = torch.arange(n, dtype=torch.float32)[:, None]  # .to(torch.bfloat16) after sine and cosine",
            "pos = jnp.arange(n, dtype=jnp.float32)[:, None]  # .astype(jnp.bfloat16) after sine and cosine",
        ],
    ),
    (
        "repeated-row",
        [
            "x = x + pe[:x.size(0)]  # x is [batch, n, d]",
            "x = x + pe[None, :x.shape[1]]  # pe is [max_len, d]",
            "x = x + pe[None, :x.size(1)]  # pe is [max_len, d]",
            "x = x + pe[None, :x.shape[1]]  # pe is [max_len, d]",
        ],
    ),
    (
        "zero-row",
        [
            "pe[padding_idx] = 0",
            "pe[:] = table(np.arange(n))  # mask padding in the attention instead",
            "pe[:] = table(torch.arange(n))  # mask padding in the attention instead",
            "pe = table(jnp.arange(n))  # mask padding in the attention instead",
        ],
    ),
    (
        "transposed",
        [
            "pe = np.array([np.sin(pos * f) for f in freq])",
            "pe = pe.T",
            "pe = pe.T",
            "pe = pe.T",
        ],
    ),
    (
        "reshaped",
        [
            "pe = pe.reshape(n, d)  # pe is [d, n]",
            "pe = pe.reshape(d, n).T",
            "pe = pe.reshape(d, n).T",
            "pe = pe.reshape(d, n).T",
        ],
    ),
    (
        "scaled",
        [
            "x = (x + pe) * np.sqrt(d)",
            "x = x * np.sqrt(d) + pe",
            "x = x * math.sqrt(d) + pe",
            "x = x * jnp.sqrt(d) + pe",
        ],
    ),
];
