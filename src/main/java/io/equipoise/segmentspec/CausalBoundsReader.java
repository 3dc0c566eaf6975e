package io.equipoise.segmentspec;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads {@code policy.causal-bounds}. */
final class CausalBoundsReader {
  private static final double DEFAULT_DELTA = 0.05;

  /** The name begins the keys of a Kafka topic, ended by an at sign. */
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,127}");

  private CausalBoundsReader() {}

  /** Returns null after a fault. */
  static @Nullable CausalBoundsSpec read(Field field) {
    Section section = Section.of(field, "name", "on-refutation", "delta");
    Field nameField = section.require("name", "the name of the bounds on the causal-bounds topic");
    String name =
        nameField == null
            ? null
            : nameField.text(NAME, "letters, digits, . _ -, at most 128, no sign at the start");
    Field refutedField = section.get("on-refutation");
    OnRefutation refuted =
        refutedField == null
            ? OnRefutation.KEEP
            : refutedField.oneOf(OnRefutation.values(), OnRefutation::wire);
    Field deltaField = section.get("delta");
    Double delta = deltaField == null ? Double.valueOf(DEFAULT_DELTA) : deltaField.probability();
    return name == null || refuted == null || delta == null
        ? null
        : new CausalBoundsSpec(name, refuted, delta);
  }
}
