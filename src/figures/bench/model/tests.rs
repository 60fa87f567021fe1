//! Tests of the numbers of a model, against values from the papers and from elsewhere.

use super::*;

#[test]
fn the_pair_that_is_pointed_at_has_the_numbers_it_has_selected() {
    let mut model = Model::linked("pair=4&pos=10");
    assert!(model.pointed().is_none());
    model.transient.pair = Some(7);
    let pointed = model.pointed().unwrap();
    assert_eq!(pointed.pair, Model::linked("pair=7&pos=10").pair);
    assert_eq!(model.state.pair(), 4);
    // The selected pair is highlighted anyway, and a zero column belongs to no pair.
    for pair in [4, model.pairs()] {
        model.transient.pair = Some(pair);
        assert!(model.pointed().is_none());
    }
}

#[test]
fn the_block_of_the_first_pair_at_k_3() {
    // d_model = 4, k = 3: cos 3 and sin 3.
    let model = Model::linked("d_model=4&pair=0");
    let block = model.pair.unwrap().block.unwrap();
    assert!((block.matrix[0][0] + 0.989_992_496_6).abs() < 1e-9);
    assert!((block.matrix[0][1] - 0.141_120_008_1).abs() < 1e-9);
    assert!((block.matrix[1][0] + 0.141_120_008_1).abs() < 1e-9);
    assert!(block.residual < 1e-15);
}

#[test]
fn cycles_within_the_table() {
    // Those i with 2π·10000^(2i/512) ≤ len, from i ≤ 256·log10000(len/2π).
    for (len, count) in [("50", 58), ("512", 123), ("5000", 186)] {
        let model = Model::linked(&format!("d_model=512&max_len={len}"));
        assert_eq!(model.complete_cycles(), count);
    }
}

#[test]
fn frequencies_are_shared_until_they_change() {
    let waves = |model: &Model| model.waves.clone().unwrap();
    let first = Model::linked("");
    let mut state = first.state.clone();
    state.apply(SettingId::K, "5");
    let second = Model::compute(&state, Lang::En, Transient::default(), Some(&first));
    assert!(Rc::ptr_eq(&waves(&first), &waves(&second)));
    state.apply(SettingId::Base, "100");
    let third = Model::compute(&state, Lang::En, Transient::default(), Some(&second));
    assert!(!Rc::ptr_eq(&waves(&second), &waves(&third)));
}

#[test]
fn a_sine_alone_has_no_block_and_a_zero_column_no_pair() {
    let odd = Model::linked("d_model=5&pair=2");
    assert!(odd.pair.unwrap().block.is_none());
    let zero = Model::linked("layout=tensor2tensor&d_model=5&pair=2");
    assert!(zero.pair.is_none());
    assert_eq!((zero.dimension(), zero.value()), (4, Some(0.0)));
}

#[test]
fn every_encoding_on_the_bench_has_something_to_show() {
    let shown = |settings: &str| {
        let model = Model::linked(settings);
        [ViewName::Heatmap, ViewName::Waves, ViewName::Rotation].map(|view| model.shows(view))
    };
    assert_eq!(shown(""), [true; 3]);
    assert_eq!(shown("encoding=learned"), [true; 3]);
    assert_eq!(shown("encoding=learned&max_len=1048576"), [false; 3]);
    assert_eq!(shown("encoding=whisper"), [true; 3]);
    assert_eq!(shown("encoding=rope"), [true; 3]);
    assert_eq!(shown("encoding=alibi"), [false; 3]);
    assert_eq!(shown("encoding=t5"), [false; 3]);
}

#[test]
fn a_learned_table_ends_with_its_last_row() {
    let model = Model::linked("encoding=learned&pos=63");
    assert_eq!(model.value(), model.pair_at(4, 63.0)[0]);
    assert!(model.value().is_some_and(|value| value.abs() < 1.0));
    assert_eq!(model.pair_at(4, 64.0), [None, None]);
    assert!(model.rotated_pair().is_none());
}

#[test]
fn the_first_of_eight_heads_of_alibi_has_the_slope_one_half() {
    // Press et al. 2021, §3: slopes 1/2, 1/4, …, 1/256.
    let bias = |settings: &str| Model::linked(settings).bias;
    assert_eq!(bias("encoding=alibi"), Some(-1.5));
    assert_eq!(bias("encoding=alibi&pos=20&k=40"), Some(-20.0));
    assert_eq!(bias("encoding=alibi&k=-1"), None);
    assert_eq!(bias("encoding=t5&pos=3"), bias("encoding=t5&pos=50"));
    assert_ne!(bias("encoding=t5"), bias("encoding=t5&k=-3"));
    assert_eq!(bias(""), None);
}

#[test]
fn rope_turns_by_the_frequencies_of_the_paper_whatever_the_layout() {
    let turn = |layout| {
        let model = Model::linked(&format!("encoding=rope&layout={layout}"));
        model.rotated_pair().map(|(pair, _)| pair.rotation_angle)
    };
    // 3 · 10000^(−8/128).
    assert!((turn("interleaved").unwrap() - 1.687_023_976).abs() < 1e-8);
    assert_eq!(turn("interleaved"), turn("concatenated"));
    assert_eq!(turn("interleaved"), turn("tensor2tensor"));
}

#[test]
fn the_target_may_lie_outside_the_table() {
    let model = Model::linked("pos=63");
    assert_eq!((model.target(), model.target_row()), (66, None));
}
