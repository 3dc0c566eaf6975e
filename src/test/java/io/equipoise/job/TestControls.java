package io.equipoise.job;

import io.equipoise.event.CausalBound;
import io.equipoise.event.CausalBoundKey;
import io.equipoise.event.Wire;
import io.equipoise.job.control.CausalBoundRecord;
import io.equipoise.job.control.RawControl;
import io.equipoise.job.control.SpecText;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Records of control topics as tests need them. */
public final class TestControls {
  private TestControls() {}

  /** Makes a record of a row of causal bounds. */
  static CausalBoundRecord bound(CausalBound row) {
    return bound(row, Wire.CAUSAL_BOUND.encode(row));
  }

  /** Makes a record that retires a row of causal bounds. */
  static CausalBoundRecord retirement(CausalBound row) {
    return bound(row, null);
  }

  private static CausalBoundRecord bound(CausalBound row, byte @Nullable [] value) {
    return new CausalBoundRecord(
        new RawControl("causal-bounds", 0, 0, 0, CausalBoundKey.of(row).bytes(), value));
  }

  /** Makes a record of the specs topic; no text retires the spec. */
  public static SpecText spec(String key, @Nullable String text) {
    return new SpecText(
        new RawControl(
            "specs",
            0,
            0,
            0,
            key.getBytes(StandardCharsets.UTF_8),
            text == null ? null : text.getBytes(StandardCharsets.UTF_8)));
  }
}
