//! Compares gradients with central differences of the loss.

use crate::small_model::{batch, model};
use posenc_lab::{Encoding, Pass};

#[test]
fn gradients_are_central_differences() {
    // The error of the difference is about STEP² times the third derivative, plus 2⁻⁵³ / STEP from rounding.
    const STEP: f64 = 1e-5;
    for encoding in Encoding::ALL {
        let (mut model, batch) = (model(encoding), batch(0));
        let mut pass = Pass::default();
        let mut gradients = vec![0.0; model.parameters().len()];
        model.forward(&batch, &mut pass);
        model.backward(&batch, &mut pass, &mut gradients);
        assert!(gradients.iter().any(|gradient| gradient.abs() > 1e-2));
        for (i, gradient) in gradients.iter().enumerate() {
            let parameter = model.parameters()[i];
            let [above, below] = [STEP, -STEP].map(|step| {
                model.parameters_mut()[i] = parameter + step;
                model.forward(&batch, &mut pass).loss
            });
            model.parameters_mut()[i] = parameter;
            let difference = (above - below) / (2.0 * STEP);
            assert!(
                (gradient - difference).abs() < 1e-9,
                "{}, parameter {i}: {gradient} and {difference}",
                encoding.name()
            );
        }
    }
}
