pub mod break_it;
pub mod compose;
pub mod derivation;
pub mod helix;
pub mod matrix_clocks;
pub mod pair_turn;
pub mod shift_matrix;
