//! What the bench's views need as figures of their own: fields, caption, equation and height.

use super::model::Model;
use super::view::View;
use super::{HeatmapView, RotationView, WavesView, descriptions, formula, words};
use crate::draw::Theme;
use crate::field::Field;
use crate::field::settings::fields_of;
use crate::text::markup::{Node, html};
use crate::text::{Lang, Text, labels};
use posenc_encoding::PositionSignal;

/// A view of the bench as a figure of its own.
pub trait Standalone: View + Default {
    const FIELDS: &'static [Field] = fields_of(Self::NAME);

    fn title(_model: &Model) -> Text {
        Self::NAME.title()
    }

    fn caption(model: &Model) -> String;

    /// The equation that the picture shows, with its numbers; only for views in which it is short.
    fn equation(_model: &Model) -> Option<Node> {
        None
    }

    /// The picture's height at a width, both in CSS pixels.
    fn height(width: f64, theme: &Theme) -> f64;
}

impl Standalone for HeatmapView {
    fn title(model: &Model) -> Text {
        match (model.state.shows_phase(), model.signal) {
            (true, _) => Text::new("The angle of every pair", "每一对的角度"),
            (false, PositionSignal::Sinusoids(_)) => Text::new(
                "A row for each position, a wave in each column",
                "一行是一个位置，一列是一条波",
            ),
            _ => Self::NAME.title(),
        }
    }

    fn caption(model: &Model) -> String {
        let sentence = words::heatmap_caption(model);
        if !model.shows(Self::NAME) {
            return sentence;
        }
        let cell = descriptions::selection(model);
        let cell = match model.lang {
            Lang::En => format!(" Selected: {cell}."),
            Lang::Zh => format!("已选：{cell}。"),
        };
        sentence + &cell
    }

    fn height(width: f64, theme: &Theme) -> f64 {
        theme.fitted((0.69 * width).clamp(260.0, 462.0) * theme.scale, 16.0)
    }
}

impl Standalone for WavesView {
    fn caption(model: &Model) -> String {
        // On the bench plus and minus zoom.
        descriptions::describe_waves(model, labels::ROTATION_KEYS)
    }

    fn height(width: f64, theme: &Theme) -> f64 {
        theme.fitted((0.4 * width).clamp(190.0, 280.0) * theme.scale, 13.0)
    }
}

impl Standalone for RotationView {
    fn title(model: &Model) -> Text {
        match model.rotated_pair() {
            Some(_) => Text::new("A step of k is a turn", "前进 k 步，就是转一个角"),
            None => Self::NAME.title(),
        }
    }

    fn caption(model: &Model) -> String {
        let residual = words::residual(model).unwrap_or_default();
        let gap = match model.lang {
            Lang::En => " ",
            Lang::Zh => "",
        };
        format!("{}{gap}{residual}", words::rotation_caption(model))
    }

    fn equation(model: &Model) -> Option<Node> {
        let (_, block) = model.rotated_pair()?;
        let names = formula::product_in_names(model);
        let numbers = formula::product_in_numbers(model, block);
        Some(html::div(
            "equation numbers",
            vec![html::div("pieces", vec![names, numbers])],
        ))
    }

    fn height(width: f64, theme: &Theme) -> f64 {
        let size = theme.label_size();
        // Narrower figures have the clocks below the dial. With large type, a few columns of clocks fit beside it even
        // if the figure is narrower than 40 label sizes.
        let least_side_by_side = (40.0 * size).min((31.0 * size).max(480.0));
        let height = match width < least_side_by_side {
            true => 0.9 * width + 20.0 * size,
            false => (0.62 * width).min(39.0 * size),
        };
        theme.fitted(height, 20.0)
    }
}
