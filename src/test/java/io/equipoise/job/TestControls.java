package io.equipoise.job;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Records of control topics as tests need them. */
final class TestControls {
  private TestControls() {}

  /** Makes a record of the specs topic; no text retires the spec. */
  static SpecText spec(String key, @Nullable String text) {
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
