//! Names of code that makes the same numbers as a recognised table.

use crate::description::FrequencyRule;
use crate::formula::{Formula, Order, Rule, Waves};
use crate::report::{Code, Report};

/// Returns the conventions with the numbers of a report.
pub(crate) fn also(report: &Report, columns: usize) -> Vec<&'static str> {
    let Some(formula) = report.formula.filter(|_| report.is_recognised()) else {
        return Vec::new();
    };
    let Formula {
        waves,
        order,
        rule,
        swapped,
        ..
    } = formula;
    let is_cache = formula.is_cache();
    let findings = &report.findings;
    if !findings
        .iter()
        .all(|it| is_of_convention(it.code, is_cache))
    {
        return Vec::new();
    }
    let tensor2tensor = rule == Rule::Tensor2tensor;
    let scale = report.scale.unwrap_or(f64::NAN);
    let mlx = (scale / (2.0 / columns as f64).sqrt() - 1.0).abs() < 1e-3;
    let names = [
        // vLLM's and SGLang's RotaryEmbedding: cat(cos, sin) of half the width each.
        (
            "vllm-cos-sin-cache",
            order == Order::Halves && swapped && !tensor2tensor,
        ),
        // get_timestep_embedding of diffusers with flip_sin_to_cos, and of guided-diffusion.
        (
            "diffusion-timestep",
            order == Order::Halves && swapped && !is_cache,
        ),
        // torch.view_as_real of Llama's freqs_cis.
        (
            "llama-freqs-cis",
            order == Order::Interleaved && swapped && !tensor2tensor,
        ),
        // create_sinusoidal_positions, of GPT-J and PaLM's RoPE.
        (
            "gpt-j",
            order == Order::Halves && !swapped && !tensor2tensor,
        ),
        // mlx.nn.SinusoidalPositionalEncoding multiplies by √(2/d).
        (
            "mlx",
            order == Order::Halves && !swapped && tensor2tensor && mlx,
        ),
        (
            "tensor2tensor",
            order == Order::Halves && !swapped && tensor2tensor,
        ),
    ];
    let caches = [
        // LlamaRotaryEmbedding of transformers: cat(freqs, freqs).
        ("hf-rotary-embedding", order == Order::Halves),
        // repeat_interleave, of GPT-J and rotary-embedding-torch.
        ("gpt-j-rotary", order == Order::Interleaved),
        // freqs_cos and freqs_sin of llama2.c.
        ("llama2.c", order == Order::Single),
    ];
    let all: &[(&'static str, bool)] = match waves {
        Waves::Both => &names,
        _ => &caches,
    };
    // YaRN and LongRoPE multiply a cache by a factor of theirs.
    let rule = report.frequencies.as_ref().map(|it| it.rule);
    let has_factor = matches!(rule, Some(FrequencyRule::Yarn | FrequencyRule::Longrope));
    let is_scaled = report.has(Code::Scaled) && !has_factor;
    // Time steps are at any distance.
    let is_any = |name: &str| is_plain(report) || name == "diffusion-timestep";
    all.iter()
        .filter(|(name, is)| *is && is_any(name) && is_scaled == (*name == "mlx"))
        .map(|(name, _)| *name)
        .collect()
}

/// Returns whether a table of a convention may have a finding: all others are mistakes or damage.
fn is_of_convention(code: Code, is_cache: bool) -> bool {
    let of_positions = matches!(
        code,
        Code::StartOffset | Code::PositionStep | Code::Falling | Code::Restarts
    );
    let of_cache = matches!(code, Code::ScaledFrequencies | Code::Partial);
    let of_code = matches!(
        code,
        Code::Swapped | Code::Scaled | Code::HalfPrecisionAngle
    );
    code.is_note() || of_positions || of_code || is_cache && of_cache
}

/// Returns whether the rows count positions from 0, one by one.
fn is_plain(report: &Report) -> bool {
    report.start == Some(0)
        && report.axes.is_none()
        && report
            .positions
            .is_none_or(|it| it.step == Some(1.0) && it.row.is_none())
}
