package io.equipoise.job;

import io.equipoise.job.control.RawControl;
import io.equipoise.job.control.SpecText;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Records of control topics as tests need them. */
public final class TestControls {
  private TestControls() {}

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
