package io.equipoise.segmentspec;

/**
 * One part of a feature map: some features of a person and an arm. Variables are context, sensitive
 * and action variables by name.
 */
public sealed interface FeatureTerm {

  /** The constant 1. */
  record Intercept() implements FeatureTerm {}

  /** A feature for every level: 1 for the one that is there, else 0. */
  record OneHot(String variable) implements FeatureTerm {}

  /** One feature: 1 where the variable has this level, else 0. */
  record Level(String variable, String level) implements FeatureTerm {}

  /** A numeric variable as (value - center) / scale; of one who does not tell, of the middle. */
  record Numeric(String variable, double center, double scale) implements FeatureTerm {}

  /** 1 where two variables have a level of the same name, as of speaker and student, else 0. */
  record Match(String left, String right) implements FeatureTerm {}

  /** All products of a feature of the left and one of the right; those of the left are slowest. */
  record Product(FeatureTerm left, FeatureTerm right) implements FeatureTerm {}
}
