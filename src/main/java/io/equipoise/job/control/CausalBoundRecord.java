package io.equipoise.job.control;

import io.equipoise.event.CausalBound;
import io.equipoise.event.CausalBoundKey;
import io.equipoise.event.CausalBoundRules;
import io.equipoise.event.ErrorCode;
import io.equipoise.event.Wire;
import io.equipoise.event.WireException;
import java.nio.charset.StandardCharsets;

/** Carries a record of the causal-bounds topic to every subtask. */
public record CausalBoundRecord(RawControl raw) implements Control {

  /** Distinguishes valid, retiring and invalid records of the causal-bounds topic. */
  public sealed interface Content {}

  /** Adds a valid row. */
  public record BoundRow(CausalBoundKey key, CausalBound bound) implements Content {}

  /** Retires a set: no segment adopts it from then on; segments that use it continue. */
  public record Retirement(CausalBoundKey key) implements Content {}

  /** Explains why a record is invalid. */
  public record Bad(ErrorCode code, String why) implements Content {}

  /**
   * Validates the record. All readers use this rule, so that a record that the running job rejects
   * does not become active at the next start.
   */
  public Content read() {
    byte[] keyBytes = raw.key();
    byte[] value = raw.value();
    String text = keyBytes == null ? "" : new String(keyBytes, StandardCharsets.UTF_8);
    CausalBoundKey key = CausalBoundKey.parse(text).orElse(null);
    if (key == null) {
      return new Bad(
          ErrorCode.BOUNDS_REJECTED, "the key of a row's record must be NAME@HASH/ARM/CONTEXT");
    }
    if (value == null) {
      return new Retirement(key);
    }
    CausalBound bound;
    try {
      bound = Wire.CAUSAL_BOUND.decode(value);
    } catch (WireException e) {
      return new Bad(e.code(), e.fact());
    }
    String fault = CausalBoundRules.fault(bound).orElse(null);
    if (fault == null && !CausalBoundKey.of(bound).equals(key)) {
      fault = "the record's key must be that of its row, " + CausalBoundKey.of(bound).text();
    }
    return fault == null ? new BoundRow(key, bound) : new Bad(ErrorCode.BOUNDS_REJECTED, fault);
  }
}
