pub mod beyond;
pub mod perplexity;
