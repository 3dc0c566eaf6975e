package io.equipoise.job.control;

import io.equipoise.event.CausalBound;
import io.equipoise.event.CausalBoundKey;
import io.equipoise.event.CausalBoundRules;
import io.equipoise.event.ErrorCode;
import io.equipoise.event.Wire;
import io.equipoise.event.WireException;
import java.nio.charset.StandardCharsets;

/** A record of the causal-bounds topic on its way to every subtask. */
public record CausalBoundRecord(RawControl raw) implements Control {

  /** What a record of the causal-bounds topic may be. */
  public sealed interface Content {}

  /** A row that can be by itself. */
  public record Row(CausalBoundKey key, CausalBound bound) implements Content {}

  /** The end of a set: nobody adopts it any more, who runs with it goes on. */
  public record Retirement(CausalBoundKey key) implements Content {}

  /** What cannot be used, and why. */
  public record Bad(ErrorCode code, String why) implements Content {}

  /**
   * Judges the record: the one rule for all who read it, so that what is refused on its way through
   * the running job does not come into force at the next start.
   */
  public Content read() {
    byte[] keyBytes = raw.key();
    byte[] value = raw.value();
    String text = keyBytes == null ? "" : new String(keyBytes, StandardCharsets.UTF_8);
    CausalBoundKey key = CausalBoundKey.parse(text).orElse(null);
    if (key == null) {
      return new Bad(
          ErrorCode.BOUNDS_REJECTED, "a row's record needs the key NAME@HASH/ARM/CONTEXT");
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
      fault = "the record's key is not that of its row, " + CausalBoundKey.of(bound).text();
    }
    return fault == null ? new Row(key, bound) : new Bad(ErrorCode.BOUNDS_REJECTED, fault);
  }
}
