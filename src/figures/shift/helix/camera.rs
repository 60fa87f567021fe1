//! The camera of the helix: an orthographic projection, without perspective.

use super::{FROM, PITCH, View, YAW};
use crate::field::Values;
use crate::math::Clamp;
use posenc_encoding::sin_cos;

/// The direction of view in degrees: rotated about the sine's axis, which is vertical, then tilted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Camera {
    pub(super) yaw: f64,
    pub(super) pitch: f64,
}

impl Camera {
    /// Cosine across and sine up, positions towards the viewer: the dial.
    pub(super) const END: Camera = Camera {
        yaw: 0.0,
        pitch: 0.0,
    };
    /// Position across, sine up.
    pub(super) const SIDE: Camera = Camera {
        yaw: 90.0,
        pitch: 0.0,
    };
    /// Position across, cosine up.
    pub(super) const ABOVE: Camera = Camera {
        yaw: 90.0,
        pitch: 90.0,
    };

    /// Wraps the yaw to ±180° and clamps the pitch to ±90°.
    pub(super) fn at(yaw: f64, pitch: f64) -> Camera {
        Camera {
            yaw: yaw - 360.0 * (yaw / 360.0).round(),
            pitch: pitch.clamped(-90.0, 90.0),
        }
    }

    pub(super) fn turned(self, yaw: f64, pitch: f64) -> Camera {
        Camera::at(self.yaw + yaw, self.pitch + pitch)
    }

    /// Sets the fields of the direction of view, in whole degrees.
    pub(super) fn set(self, values: &mut Values) {
        values.set_to(FROM, View::Any);
        values.set_to(YAW, self.yaw.round() as i64);
        values.set_to(PITCH, self.pitch.round() as i64);
    }

    /// Interpolates to another camera by the shorter way around; `share` is 0 … 1.
    pub(super) fn towards(self, other: Camera, share: f64) -> Camera {
        let by = other.yaw - self.yaw;
        let by = by - 360.0 * (by / 360.0).round();
        Camera::at(
            self.yaw + share * by,
            self.pitch + share * (other.pitch - self.pitch),
        )
    }

    /// Unit vectors to the right, up and towards the viewer, each in (cosine, sine, position).
    pub(super) fn axes(self) -> [[f64; 3]; 3] {
        let (sin_yaw, cos_yaw) = sin_cos(self.yaw.to_radians());
        let (sin_pitch, cos_pitch) = sin_cos(self.pitch.to_radians());
        let level = [-sin_yaw, 0.0, cos_yaw];
        [
            [cos_yaw, 0.0, sin_yaw],
            [-sin_pitch * level[0], cos_pitch, -sin_pitch * level[2]],
            [cos_pitch * level[0], sin_pitch, cos_pitch * level[2]],
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assert_close::assert_close;

    #[test]
    fn three_views_are_along_the_axes() {
        let near = |camera: Camera, wanted: [[f64; 3]; 3]| {
            for (axis, wanted) in camera.axes().iter().zip(wanted) {
                for (a, b) in axis.iter().zip(wanted) {
                    assert_close(*a, b, 1e-15);
                }
            }
        };
        let (cosine, sine, position) = ([1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]);
        near(Camera::END, [cosine, sine, position]);
        near(Camera::SIDE, [position, sine, [-1.0, 0.0, 0.0]]);
        near(Camera::ABOVE, [position, cosine, sine]);
    }

    #[test]
    fn directions_are_perpendicular_and_of_length_one() {
        for (yaw, pitch) in [(0.0, 0.0), (52.0, 24.0), (-170.0, -80.0), (91.0, 90.0)] {
            let axes = Camera::at(yaw, pitch).axes();
            for (i, a) in axes.iter().enumerate() {
                for (j, b) in axes.iter().enumerate() {
                    let dot: f64 = (0..3).map(|c| a[c] * b[c]).sum();
                    assert_close(dot, f64::from(u8::from(i == j)), 1e-15);
                }
            }
        }
    }

    #[test]
    fn the_shorter_way_is_taken() {
        let (a, b) = (Camera::at(170.0, 0.0), Camera::at(-170.0, 20.0));
        assert_eq!(a.towards(b, 0.5), Camera::at(180.0, 10.0));
        assert_eq!(a.towards(b, 1.0), b);
    }
}
