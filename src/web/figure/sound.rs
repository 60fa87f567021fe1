//! Plays a figure's tones with Web Audio until they are switched off or time out.

use crate::figure::Sound;
use web_sys::{AudioContext, GainNode, OscillatorNode};

/// Time constant of gain changes, in seconds.
const GAIN_TIME_CONSTANT: f64 = 0.03;

pub struct ToneGenerator {
    context: AudioContext,
    master: GainNode,
    voices: Vec<(OscillatorNode, GainNode)>,
}

impl ToneGenerator {
    /// `None` where Web Audio is unavailable.
    pub fn new() -> Option<ToneGenerator> {
        let context = AudioContext::new().ok()?;
        let master = context.create_gain().ok()?;
        master.gain().set_value(0.0);
        master
            .connect_with_audio_node(&context.destination())
            .ok()?;
        Some(ToneGenerator {
            context,
            master,
            voices: Vec::new(),
        })
    }

    pub fn update(&mut self, sound: &Sound) {
        let now = self.context.current_time();
        while self.voices.len() < sound.tones.len() {
            let Some(voice) = self.create_voice() else {
                return;
            };
            self.voices.push(voice);
        }
        let gain_per_tone = 1.0 / sound.tones.len().max(1) as f64;
        for (index, (oscillator, gain)) in self.voices.iter().enumerate() {
            let (hertz, gain_value) = sound.tones.get(index).copied().unwrap_or((440.0, 0.0));
            oscillator.frequency().set_value(hertz as f32);
            let gain_value = (gain_per_tone * gain_value.clamp(0.0, 1.0)) as f32;
            let _ = gain
                .gain()
                .set_target_at_time(gain_value, now, GAIN_TIME_CONSTANT);
        }
        let volume = sound.volume.clamp(0.0, 1.0) as f32;
        let _ = self
            .master
            .gain()
            .set_target_at_time(volume, now, GAIN_TIME_CONSTANT);
    }

    fn create_voice(&self) -> Option<(OscillatorNode, GainNode)> {
        let oscillator = self.context.create_oscillator().ok()?;
        let gain = self.context.create_gain().ok()?;
        gain.gain().set_value(0.0);
        oscillator.connect_with_audio_node(&gain).ok()?;
        gain.connect_with_audio_node(&self.master).ok()?;
        oscillator.start().ok()?;
        Some((oscillator, gain))
    }
}

impl Drop for ToneGenerator {
    fn drop(&mut self) {
        // Fails only if it is already closed.
        let _ = self.context.close();
    }
}
