pub struct PositionalEncoding {
    scale: f64,
    dropout: f64,
    pe: Vec<f64>, // [max_len, d_model], row by row
}

impl PositionalEncoding {
    pub fn new(d_model: usize, max_len: usize, dropout: f64) -> Self {
        let scale = (d_model as f64).sqrt();
        let position = (0..max_len).map(|pos| pos as f64); // [max_len, 1]
        let even = (0..d_model).step_by(2); // [d_model/2], 2i
        let step = -10000f64.ln() / d_model as f64;
        let div_term: Vec<f64> = even.map(|e| (e as f64 * step).exp()).collect(); // [d_model/2]
        let mut pe = vec![0.0; max_len * d_model]; // [max_len, d_model]
        for (row, pos) in pe.chunks_mut(d_model).zip(position) {
            for (pair, w) in row.chunks_mut(2).zip(&div_term) {
                pair[0] = (pos * w).sin();
                if let Some(odd) = pair.get_mut(1) {
                    *odd = (pos * w).cos();
                }
            }
        }
        Self { scale, dropout, pe }
    }

    /// x is [L, d_model]; `random` gives numbers in 0..1 while training.
    pub fn forward(&self, x: &mut [f64], random: Option<&mut dyn FnMut() -> f64>) {
        assert!(x.len() <= self.pe.len(), "L is beyond max_len");
        for (x, pe) in x.iter_mut().zip(&self.pe) {
            *x *= self.scale;
            *x += pe;
        }
        let Some(random) = random else { return };
        for x in x {
            *x *= if random() < self.dropout {
                0.0
            } else {
                1.0 / (1.0 - self.dropout)
            };
        }
    }
}
