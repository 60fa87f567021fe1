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
    Ruler "ruler" "Only the fast pairs come full circle" "只有高频维度对转得满一圈";
    Attention "attention" "The output is a mix of all values" "输出是所有值的混合";
    Order "order" "Does attention see the order?" "注意力看得出词序吗？";
    ByHand "by-hand" "Every entry is one sine or cosine" "每个数都是一个正弦或余弦";
    Codes "codes" "Same positions, very different steps" "同样的位置，步子大不相同";
    Counter "counter" "The encoding is a counter made smooth" "位置编码就是平滑的计数器";
    Corridor "corridor" "Every place sounds different" "每个位置听起来都不同";
    Guess "guess" "Guess where you are" "猜猜你在哪里";
    Layouts "layouts" "One pair: side by side, or half a row apart" "同一维度对：紧挨着，还是隔半行";
    Inspect "inspect" "Is this table right?" "这张表对吗？";
    Derivation "derivation" "Two angles add up to a matrix" "两角相加，得到一个矩阵";
    ShiftMatrix "shift-matrix" "One matrix, two entries in each row" "一个矩阵，每行只有两个数";
    MatrixClocks "matrix-clocks" "The matrix is a list of wedges" "矩阵就是一列扇形";
    Helix "helix" "Dial and wave: views of one helix" "钟面和波形是同一条螺旋线";
    Compose "compose" "Two shifts make one" "两次平移合成一次";
    BreakIt "break-it" "Does one matrix fit every position?" "一个矩阵，处处都行吗？";
    Similarity "similarity" "How alike are two positions?" "两个位置有多相似？";
    Attend "attend" "One query over all keys" "一个查询看所有的键";
    Nearest "nearest" "Which position is most alike?" "哪个位置最相似？";
    Quiz "quiz" "Check yourself" "自测";
    Worksheet "worksheet" "Worksheet" "练习单";
    PairTurn "pair-turn" "Adding shifts, rotating turns" "相加是平移，旋转是转动";
    Beyond "beyond" "Longer texts run out of rows" "文本太长，表的行就不够";
    Perplexity "perplexity" "Longer than trained: only ALiBi holds" "超出训练长度，只有 ALiBi 稳得住";
    Code "code" "Each line is a part of the formula" "每行代码都是公式的一部分";
    Rope "rope" "Move both: does the logit stay?" "一起移动，分数变不变？";
    Context "context" "Longer contexts need slower turns" "上下文更长，就要转得更慢";
    Alibi "alibi" "A slope decides how far a head sees" "斜率决定一个头看多远";
    FourTerms "four-terms" "Which terms know the distance?" "哪几项知道距离？";
    RelativeShift "relative-shift" "Two reshapes put each offset under its key" "两次 reshape，让偏移量落到各自的键下";
    Buckets "buckets" "Far distances share a bucket" "远处的距离共用一个桶";
    SideBySide "side-by-side" "What does a logit depend on?" "注意力分数取决于什么？";
    Learned "learned" "A learned table has an end" "可学习位置表有尽头";
    Trained "trained" "Training orders the rows" "训练排出各行的次序";
    Whisper "whisper" "Nobody gave this table an order" "没有人给这张表定过顺序";
    Lab "lab" "Can a head learn to look back?" "一个头能学会往回看吗？";
    LabLength "lab-length" "Trained on 32 tokens: what about 128?" "练的是 32 个词元，128 个呢？";
    LabInduction "lab-induction" "After A came B: say B again" "A 后面曾是 B，再来就答 B";
    Patches "patches" "In a list, the patch below is far away" "排成一串，正下方的图块就远了";
    Anchors "anchors" "Anchors tell nodes apart" "靠锚点分辨节点";
    Strip "strip" "Many patches, few positions" "图块很多，位置很少";
}

impl ViewName {
    /// Figures of former versions, each with the one that shows its subject now, so that links to them still lead somewhere.
    pub const FORMER: [(&str, &str); 8] = [
        ("all-positions", "shift-matrix"),
        ("bias", "buckets"),
        ("near-collisions", "nearest"),
        ("precision", "code"),
        ("projections", "attend"),
        ("properties", "side-by-side"),
        ("readback", "pair-turn"),
        ("scaling", "pair-turn"),
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
