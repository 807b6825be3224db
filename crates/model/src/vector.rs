//! A vector that can be compared: finite and of length one, so that a dot product is a cosine.

use crate::Error;

#[derive(Debug, Clone, PartialEq)]
pub struct Vector(Box<[f32]>);

impl Vector {
    /// Scales the values to length one.
    pub fn new(mut values: Vec<f32>) -> Result<Self, Error> {
        if let Some(position) = values.iter().position(|value| !value.is_finite()) {
            return Err(Error::NotFinite { position, value: values[position] });
        }
        let norm = norm(&values);
        if norm == 0.0 {
            return Err(Error::Zero { dims: values.len() });
        }
        for value in &mut values {
            *value = (f64::from(*value) / norm) as f32;
        }
        Ok(Self(values.into_boxed_slice()))
    }

    pub fn as_slice(&self) -> &[f32] {
        &self.0
    }

    pub fn into_values(self) -> Vec<f32> {
        self.0.into_vec()
    }

    /// The cosine of the angle between two vectors of one space.
    pub fn cosine(&self, other: &Self) -> f32 {
        self.0.iter().zip(&other.0).map(|(a, b)| a * b).sum()
    }
}

/// In double precision, where the square of no finite `f32` overflows or vanishes.
fn norm(values: &[f32]) -> f64 {
    values.iter().map(|value| f64::from(*value).powi(2)).sum::<f64>().sqrt()
}
