//! Tones of a figure, from the first press until they stop by themselves.

use super::controller::FigureController;
use crate::figure::Sound;
use crate::figures::AnyFigure;
use web_sys::{AudioContext, GainNode, OscillatorNode};

/// Seconds in which a loudness follows.
const GLIDE: f64 = 0.03;

pub struct Tones {
    context: AudioContext,
    master: GainNode,
    voices: Vec<(OscillatorNode, GainNode)>,
}

impl Tones {
    /// `None` where the browser has no sound.
    pub fn new() -> Option<Tones> {
        let context = AudioContext::new().ok()?;
        let master = context.create_gain().ok()?;
        master.gain().set_value(0.0);
        master
            .connect_with_audio_node(&context.destination())
            .ok()?;
        Some(Tones {
            context,
            master,
            voices: Vec::new(),
        })
    }

    pub fn play(&mut self, sound: &Sound) {
        let now = self.context.current_time();
        while self.voices.len() < sound.tones.len() {
            let Some(voice) = self.voice() else { return };
            self.voices.push(voice);
        }
        let share = 1.0 / sound.tones.len().max(1) as f64;
        for (index, (oscillator, gain)) in self.voices.iter().enumerate() {
            let (hertz, loudness) = sound.tones.get(index).copied().unwrap_or((440.0, 0.0));
            oscillator.frequency().set_value(hertz as f32);
            let loudness = (share * loudness.clamp(0.0, 1.0)) as f32;
            let _ = gain.gain().set_target_at_time(loudness, now, GLIDE);
        }
        let volume = sound.volume.clamp(0.0, 1.0) as f32;
        let _ = self.master.gain().set_target_at_time(volume, now, GLIDE);
    }

    fn voice(&self) -> Option<(OscillatorNode, GainNode)> {
        let oscillator = self.context.create_oscillator().ok()?;
        let gain = self.context.create_gain().ok()?;
        gain.gain().set_value(0.0);
        oscillator.connect_with_audio_node(&gain).ok()?;
        gain.connect_with_audio_node(&self.master).ok()?;
        oscillator.start().ok()?;
        Some((oscillator, gain))
    }
}

impl Drop for Tones {
    fn drop(&mut self) {
        // Closing what is closed already is the only way to fail.
        let _ = self.context.close();
    }
}

impl FigureController {
    pub(super) fn sound(&mut self) {
        let sound = self.figure.as_ref().and_then(AnyFigure::sound);
        match sound {
            None => self.tones = None,
            Some(sound) => {
                if self.tones.is_none() {
                    self.tones = Tones::new();
                }
                if let Some(tones) = &mut self.tones {
                    tones.play(&sound);
                }
            }
        }
    }

    pub fn is_sounding(&self) -> bool {
        self.tones.is_some()
    }

    /// Ends the sound, on the page too.
    pub fn mute(&mut self) {
        self.tones = None;
        if self.values.has("sound") {
            self.values.set_on("sound", false);
            self.lifecycle.dirty = true;
        }
    }
}
