package io.equipoise.segmentspec;

/**
 * Defines one part of a feature map: some features of a person and an arm. Variables are context,
 * sensitive and action variables by name.
 */
public sealed interface FeatureTerm {

  /** Adds the constant 1. */
  record Intercept() implements FeatureTerm {}

  /** Adds a feature for every level: 1 for the variable's level, else 0. */
  record OneHot(String variable) implements FeatureTerm {}

  /** Adds one feature: 1 if the variable has this level, else 0. */
  record Level(String variable, String level) implements FeatureTerm {}

  /**
   * Adds a numeric variable as (value - center) / scale; the middle of the range if it is
   * undisclosed.
   */
  record Numeric(String variable, double center, double scale) implements FeatureTerm {}

  /**
   * Adds one feature: 1 if two variables have a level of the same name, for example a speaker's and
   * a student's, else 0.
   */
  record Match(String left, String right) implements FeatureTerm {}

  /** Adds all products of a left and a right feature; the left index changes slowest. */
  record Product(FeatureTerm left, FeatureTerm right) implements FeatureTerm {}
}
