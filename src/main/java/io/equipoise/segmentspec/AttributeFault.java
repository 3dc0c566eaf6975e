package io.equipoise.segmentspec;

/**
 * Explains why an attribute cannot be used. The message names the variable and what is allowed,
 * never the value that was given: it goes to logs and dead letters.
 */
public record AttributeFault(Code code, String variable, String message) {
  /** Names the kind of a fault. */
  public enum Code {
    /** The variable is not there and the spec has no way around it. */
    MISSING_VARIABLE,
    /** The value is none of the levels. */
    UNKNOWN_LEVEL,
    /** The number is outside the range. */
    OUT_OF_RANGE,
    /** A finite number is needed. */
    NOT_FINITE
  }
}
