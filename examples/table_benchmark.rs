//! The functions that `benches/web/index.html` times: the table and the heatmap sampler in WebAssembly. Run it with
//! `scripts/bench-table`.

fn main() {}

#[cfg(target_arch = "wasm32")]
mod exports {
    use posenc::{HeatmapSampler, Layout, Sinusoidal};
    use wasm_bindgen::prelude::wasm_bindgen;

    /// A buffer that is reused for every table, like that of the plain JavaScript loop.
    #[wasm_bindgen]
    pub struct Table {
        max_len: usize,
        d_model: usize,
        values: Vec<f32>,
    }

    #[wasm_bindgen]
    impl Table {
        #[wasm_bindgen(constructor)]
        pub fn new(max_len: usize, d_model: usize) -> Self {
            let values = vec![0.0; max_len * d_model];
            Self {
                max_len,
                d_model,
                values,
            }
        }

        /// Fills the table, including the computation of its frequencies.
        pub fn fill(&mut self) {
            let encoding = Sinusoidal::new(self.d_model, 10_000.0, Layout::Interleaved);
            encoding.block_f32(0..self.max_len, &mut self.values);
        }

        pub fn values(&self) -> Vec<f32> {
            self.values.clone()
        }
    }

    /// A whole table rendered as a heatmap.
    #[wasm_bindgen]
    pub struct Picture {
        max_len: usize,
        d_model: usize,
        layout: Layout,
        sampler: HeatmapSampler,
    }

    #[wasm_bindgen]
    impl Picture {
        #[wasm_bindgen(constructor)]
        pub fn new(max_len: usize, d_model: usize, concatenated: bool) -> Self {
            let layout = if concatenated {
                Layout::Concatenated
            } else {
                Layout::Interleaved
            };
            Self {
                max_len,
                d_model,
                layout,
                sampler: HeatmapSampler::new(),
            }
        }

        /// Returns the sum of two pixels, so that the computation is not optimised away.
        pub fn render(&mut self, width: usize, height: usize) -> f32 {
            let encoding = Sinusoidal::new(self.d_model, 10_000.0, self.layout);
            let (positions, dimensions) = (0.0..self.max_len as f64, 0.0..self.d_model as f64);
            let pixels = self
                .sampler
                .render(&encoding, positions, dimensions, width, height);
            pixels[0] + pixels[pixels.len() - 1]
        }
    }

    /// Returns the number of frequencies: the cost of a change of d_model before anything is drawn.
    #[wasm_bindgen]
    pub fn frequencies(d_model: usize) -> usize {
        Sinusoidal::new(d_model, 10_000.0, Layout::Interleaved).pairs()
    }
}
