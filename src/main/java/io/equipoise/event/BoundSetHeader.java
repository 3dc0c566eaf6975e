package io.equipoise.event;

/**
 * Repeats in each row what all rows of a set of causal bounds share; see {@code
 * avro/CausalBound.avsc}.
 */
public record BoundSetHeader(String name, long version, String hash, int rows, String graphHash) {
  /** Returns the header of a row that is in no set yet. */
  public static BoundSetHeader of(String graphHash) {
    return new BoundSetHeader("", 1, "", 1, graphHash);
  }
}
