//! The order in which the columns of the heatmap stand.

use super::model::Model;
use posenc_encoding::{Column, Layout, Member, PositionTable};

impl Model {
    /// The order of the heatmap's columns, unless these are pairs.
    pub fn column_order(&self) -> Layout {
        self.state.column_order()
    }

    /// The table in this order.
    pub fn ordered_table(&self) -> Option<&dyn PositionTable> {
        match &self.ordered {
            Some(ordered) => Some(&**ordered),
            None => self.table.as_deref(),
        }
    }

    /// The place of a dimension among the columns.
    pub fn place(&self, dimension: usize) -> usize {
        match self.column(dimension) {
            Column::Wave { pair, member } => self.column_place(pair, member).unwrap_or(dimension),
            Column::Zero => dimension,
        }
    }

    /// The dimension that stands in a place.
    pub fn dimension_at(&self, place: usize) -> usize {
        match self.column_order().column(self.state.d_model(), place) {
            Column::Wave { pair, member } => self.dimension_of(pair, member),
            Column::Zero => place,
        }
    }

    /// The place of a member's column; `None` if there is no such column.
    pub fn column_place(&self, pair: usize, member: Member) -> Option<usize> {
        let order = self.column_order();
        order.dimension(self.state.d_model(), pair, member)
    }
}
