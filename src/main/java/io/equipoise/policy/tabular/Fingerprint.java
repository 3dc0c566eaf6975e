package io.equipoise.policy.tabular;

import io.equipoise.event.Sha256;
import io.equipoise.segmentspec.NumberRange;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.SpecVariable;
import io.equipoise.segmentspec.Variables;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Hashes what a model's statistics mean: kind of model, reward range, what the learned reward means
 * ({@link SegmentSpec#rewardMeaning}), W, and all variables with role, levels and cuts in their
 * order. Not tau, delta, scales, distributions, arms or the rule: they may change under the same
 * statistics.
 */
final class Fingerprint {
  private Fingerprint() {}

  /** Hashes the meaning that a spec would have over these variables. */
  static String of(SegmentSpec spec, Variables variables, List<String> w) {
    StringBuilder meaning = new StringBuilder("tabular 1\n");
    NumberRange numberRange = spec.reward().range();
    meaning
        .append("range ")
        .append(numberRange.low())
        .append(' ')
        .append(numberRange.high())
        .append('\n');
    meaning.append(spec.rewardMeaning()).append('\n');
    for (SpecVariable variable : variables.all()) {
      append(meaning.append(w.contains(variable.name()) ? "w " : "- "), variable.name());
      append(meaning, variable.role().wire());
      for (String level : variable.levels()) {
        append(meaning, level);
      }
      meaning.append(variable.undisclosed());
      for (double cut : variable.cuts()) {
        meaning.append(' ').append(cut);
      }
      meaning.append('\n');
    }
    byte[] bytes = meaning.toString().getBytes(StandardCharsets.UTF_8);
    return Sha256.hex(bytes);
  }

  /** Writes a text with its length, so that no two lists of texts read the same. */
  private static void append(StringBuilder meaning, String text) {
    meaning.append(text.length()).append(':').append(text).append(' ');
  }
}
