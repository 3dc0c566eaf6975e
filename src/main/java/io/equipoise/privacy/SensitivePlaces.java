package io.equipoise.privacy;

import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.SpecVariable;
import io.equipoise.segmentspec.VariableRole;
import java.nio.charset.StandardCharsets;
import java.util.BitSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Finds the positions of a spec's sensitive variables among the features: a level for every
 * variable, then a number for every numeric one. Immutable.
 */
final class SensitivePlaces {
  /** Placeholder of a hidden level; no level has this index. */
  static final double HIDDEN_LEVEL = -1;

  /** Placeholder of a hidden number. */
  static final double HIDDEN_NUMBER = Double.NaN;

  /** Assumed maximum length of a level's name, or of a joint one, if the spec is unknown. */
  private static final int LONG_LEVEL_BYTES = 200;

  /** For records with an unknown spec, all features may be sensitive. */
  static final SensitivePlaces EVERYWHERE =
      new SensitivePlaces(Integer.MAX_VALUE, new BitSet(), null, LONG_LEVEL_BYTES);

  private final int levels;
  private final BitSet hidden;
  private final @Nullable Set<String> names;
  private final int longestLevelBytes;

  private SensitivePlaces(
      int levels, BitSet hidden, @Nullable Set<String> names, int longestLevelBytes) {
    this.levels = levels;
    this.hidden = hidden;
    this.names = names;
    this.longestLevelBytes = longestLevelBytes;
  }

  static SensitivePlaces of(SegmentSpec spec) {
    List<SpecVariable> features = spec.variables().features();
    BitSet hidden = new BitSet();
    Set<String> names = new TreeSet<>();
    int longest = 0;
    int number = features.size();
    for (int place = 0; place < features.size(); place++) {
      SpecVariable variable = features.get(place);
      boolean isSensitive = variable.role() == VariableRole.SENSITIVE;
      if (isSensitive) {
        hidden.set(place);
        names.add(variable.name());
        int own = longestBytes(variable);
        longest = spec.fairness().intersections() ? longest + own + 1 : Math.max(longest, own);
      }
      if (variable.isNumeric()) {
        hidden.set(number++, isSensitive);
      }
    }
    return new SensitivePlaces(features.size(), hidden, names, longest);
  }

  private static int longestBytes(SpecVariable variable) {
    return variable.levels().stream()
        .mapToInt(level -> level.getBytes(StandardCharsets.UTF_8).length)
        .max()
        .orElse(0);
  }

  /** Returns whether no variable is sensitive. */
  boolean isNowhere() {
    return names != null && names.isEmpty();
  }

  boolean hides(int place) {
    return names == null || hidden.get(place);
  }

  boolean hides(String variable) {
    return names == null || names.contains(variable);
  }

  /** Returns the maximum length of a sensitive level's name, or a joint one, in bytes. */
  int longestLevelBytes() {
    return longestLevelBytes;
  }

  /** Returns the placeholder of a hidden feature. */
  double standIn(int place) {
    return place < levels ? HIDDEN_LEVEL : HIDDEN_NUMBER;
  }
}
