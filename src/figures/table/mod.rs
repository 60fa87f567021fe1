pub mod by_hand;
pub mod code;
pub mod inspect;
pub mod layouts;
pub mod ruler;
