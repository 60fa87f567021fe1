//! The views and their names in the `view` setting and titles: the bench, its figures,
//! and those of the lesson.

use crate::field::{Choice, ChoiceLabel, nearest};
use crate::text::Text;

macro_rules! views {
    ($($view:ident $name:literal $en:literal $zh:literal;)*) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum ViewName {
            $($view,)*
        }

        impl ViewName {
            pub const ALL: &[ViewName] = &[$(ViewName::$view,)*];
        }

        impl Choice for ViewName {
            const ALL: &'static [ViewName] = ViewName::ALL;
            const LABELS: &'static [ChoiceLabel] = &[$(($name, Text::new($en, $zh)),)*];
        }
    };
}

views! {
    Bench "bench" "Bench" "探索台";
    Tokens "tokens" "Words and positions" "词与位置";
    Heatmap "heatmap" "Heatmap" "热力图";
    Waves "waves" "Waves" "波形";
    Rotation "rotation" "Rotation" "旋转";
    Formula "formula" "Formula" "公式";
    Clocks "clocks" "Every pair is a clock" "每一对都是一个钟";
    Ruler "ruler" "Which pairs come full circle?" "哪些维度对转得满一圈？";
    Attention "attention" "How attention mixes values" "注意力怎样混合各个值";
    Order "order" "Does attention see the order?" "注意力看得出词序吗？";
    ByHand "by-hand" "The formula by hand" "手算公式";
    Codes "codes" "Codes for a position" "位置的几种编码";
    Counter "counter" "A counter made smooth" "平滑的计数器";
    Corridor "corridor" "Forks in a corridor" "走廊里的音叉";
    Guess "guess" "Guess where you are" "猜猜你在哪里";
    Layouts "layouts" "Three layouts" "三种排列";
    Inspect "inspect" "Is this table right?" "这张表对吗？";
    Derivation "derivation" "Two angles add up to a matrix" "两角相加，得到一个矩阵";
    ShiftMatrix "shift-matrix" "One matrix, two entries in each row" "一个矩阵，每行只有两个数";
    MatrixClocks "matrix-clocks" "The matrix is a list of wedges" "矩阵就是一列扇形";
    Helix "helix" "A pair as a helix" "螺旋线上的维度对";
    Compose "compose" "Two shifts make one" "两次平移合成一次";
    BreakIt "break-it" "Break it" "破坏性试验";
    Similarity "similarity" "How alike are two positions?" "两个位置有多相似？";
    Attend "attend" "One query over all keys" "一个查询看所有的键";
    Projections "projections" "What projections make of positions" "投影把位置变成什么";
    Nearest "nearest" "Which position is most alike?" "哪个位置最相似？";
    Quiz "quiz" "Check yourself" "自测";
    Worksheet "worksheet" "Worksheet" "练习单";
    PairTurn "pair-turn" "Adding versus rotating" "相加与旋转";
    Bias "bias" "Bias buckets and learned tables" "偏置分桶与可学习位置表";
    Beyond "beyond" "Longer than the table" "比表还长";
    Perplexity "perplexity" "Perplexity beyond the trained length" "超出训练长度的困惑度";
    ReadBack "readback" "Can both be read back?" "词和位置都读得回来吗？";
    Code "code" "Every line and its value" "每行代码和它的值";
    Rope "rope" "Rotated queries and keys" "旋转的查询与键";
    Context "context" "RoPE beyond its length" "超出训练长度的 RoPE";
    Alibi "alibi" "A slope decides how far a head sees" "斜率决定一个头看多远";
    FourTerms "four-terms" "Which terms know the distance?" "哪几项知道距离？";
    RelativeShift "relative-shift" "One row of numbers, read at another width" "同一串数，换个宽度来读";
    Buckets "buckets" "Far distances share a bucket" "远处的距离共用一个桶";
    SideBySide "side-by-side" "A line where only the offset counts" "只看偏移量的，是一条线";
    Properties "properties" "How the encodings differ" "各种编码有何不同";
    Learned "learned" "A learned table and its end" "可学习位置表和它的尽头";
    Trained "trained" "A table learned here" "当场学一张表";
    Whisper "whisper" "Nobody gave this table an order" "没有人给这张表定过顺序";
    Lab "lab" "Learn to look back" "学会往回看";
    LabLength "lab-length" "Longer than trained" "比训练更长";
    LabInduction "lab-induction" "Continue what repeats" "接着重复";
    Patches "patches" "Patches of a picture" "图像的图块";
    Anchors "anchors" "Anchors in a graph" "图结构（graph）中的锚点";
    Strip "strip" "Text, video, text" "文字、视频、文字";
}

impl ViewName {
    /// Figures of former versions, each with the one that shows its subject now, so that links to them still lead somewhere.
    pub const FORMER: [(&str, &str); 4] = [
        ("all-positions", "shift-matrix"),
        ("near-collisions", "nearest"),
        ("precision", "code"),
        ("scaling", "readback"),
    ];

    /// The name that a name in a link stands for: that of a former figure is replaced.
    pub fn current(name: &str) -> &str {
        let former = ViewName::FORMER.iter().find(|(former, _)| *former == name);
        former.map_or(name, |(_, now)| now)
    }

    /// The view's value in the `view` setting.
    pub fn name(self) -> &'static str {
        ViewName::LABELS[self as usize].0
    }

    pub fn title(self) -> Text {
        ViewName::LABELS[self as usize].1
    }

    pub fn named(name: &str) -> Option<ViewName> {
        let name = ViewName::current(name);
        ViewName::ALL
            .iter()
            .find(|view| view.name() == name)
            .copied()
    }

    /// Of the views for which `among` is true, the one whose name is closest to
    /// `name`, if it is close enough.
    pub fn nearest(name: &str, among: impl Fn(ViewName) -> bool) -> Option<ViewName> {
        let names = ViewName::ALL.iter().filter(|view| among(**view));
        nearest(name, names.map(|view| view.name())).and_then(ViewName::named)
    }

    /// Whether this is the bench or one of its figures; the others are figures of the lesson.
    pub fn is_of_bench(self) -> bool {
        self as usize <= ViewName::Formula as usize
    }
}

#[allow(clippy::derivable_impls, reason = "a macro writes the enum")]
impl Default for ViewName {
    fn default() -> ViewName {
        ViewName::Bench
    }
}
