//! A vector is finite and of length one, or it is an error that says why not.

use mindfile_fault::Fault;
use mindfile_model::{Error, Vector};
use proptest::prelude::*;

fn norm(vector: &Vector) -> f64 {
    vector.as_slice().iter().map(|value| f64::from(*value).powi(2)).sum::<f64>().sqrt()
}

#[test]
fn a_vector_is_scaled_to_length_one() {
    assert_eq!(Vector::new(vec![3.0, 4.0]).unwrap().as_slice(), [0.6, 0.8]);
    assert_eq!(Vector::new(vec![f32::MAX, 0.0]).unwrap().into_values(), [1.0, 0.0]);
    assert_eq!(Vector::new(vec![f32::from_bits(1), 0.0]).unwrap().into_values(), [1.0, 0.0]);
}

#[test]
fn a_vector_without_direction_is_an_error() {
    let error = Vector::new(vec![0.0, -0.0]).unwrap_err();
    assert_eq!(error.to_string(), "all 2 values of the vector are zero, so it has no direction");
    assert_eq!(error.fault(), Fault::Environment);
    assert_eq!(Vector::new(Vec::new()), Err(Error::Zero { dims: 0 }));
}

#[test]
fn a_vector_with_a_broken_value_is_an_error() {
    let error = Vector::new(vec![1.0, f32::INFINITY]).unwrap_err();
    assert_eq!(error.to_string(), "value 1 of the vector is inf, which is not a finite number");
    assert_eq!(
        error.hint().as_deref(),
        Some("the embedding model answered with a broken vector: try again, or choose another model")
    );
    assert!(matches!(Vector::new(vec![f32::NAN]), Err(Error::NotFinite { position: 0, .. })));
}

proptest! {
    #[test]
    fn every_vector_is_finite_and_of_length_one(values in prop::collection::vec(any::<f32>(), 0..40)) {
        match Vector::new(values.clone()) {
            Ok(vector) => {
                prop_assert!(vector.as_slice().iter().all(|value| value.is_finite()));
                prop_assert!((norm(&vector) - 1.0).abs() < 1e-6);
                prop_assert!((vector.cosine(&vector) - 1.0).abs() < 1e-5);
            }
            Err(Error::NotFinite { position, .. }) => prop_assert!(!values[position].is_finite()),
            Err(Error::Zero { .. }) => prop_assert!(values.iter().all(|value| *value == 0.0)),
            Err(other) => prop_assert!(false, "{other}"),
        }
    }
}
