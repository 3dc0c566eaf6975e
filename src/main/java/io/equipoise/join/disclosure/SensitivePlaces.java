package io.equipoise.join.disclosure;

import io.equipoise.spec.Role;
import io.equipoise.spec.SegmentSpec;
import io.equipoise.spec.SpecVariable;
import java.util.BitSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Where the sensitive variables of a spec stand among features: a level for every variable, then a
 * number for every numeric one. Immutable.
 */
final class SensitivePlaces {
  /** Stands for a level that is hidden: no level has this index. */
  static final double HIDDEN_LEVEL = -1;

  /** Stands for a number that is hidden. */
  static final double HIDDEN_NUMBER = Double.NaN;

  /** Of records whose spec nobody has: everything may be sensitive. */
  static final SensitivePlaces EVERYWHERE =
      new SensitivePlaces(Integer.MAX_VALUE, new BitSet(), null);

  private final int levels;
  private final BitSet hidden;
  private final @Nullable Set<String> names;

  private SensitivePlaces(int levels, BitSet hidden, @Nullable Set<String> names) {
    this.levels = levels;
    this.hidden = hidden;
    this.names = names;
  }

  static SensitivePlaces of(SegmentSpec spec) {
    List<SpecVariable> features = spec.variables().features();
    BitSet hidden = new BitSet();
    Set<String> names = new TreeSet<>();
    int number = features.size();
    for (int place = 0; place < features.size(); place++) {
      SpecVariable variable = features.get(place);
      boolean isSensitive = variable.role() == Role.SENSITIVE;
      if (isSensitive) {
        hidden.set(place);
        names.add(variable.name());
      }
      if (variable.isNumeric()) {
        hidden.set(number++, isSensitive);
      }
    }
    return new SensitivePlaces(features.size(), hidden, names);
  }

  /** Says whether there is nothing to hide. */
  boolean isNowhere() {
    return names != null && names.isEmpty();
  }

  /** Says whether a feature is hidden. */
  boolean hides(int place) {
    return names == null || hidden.get(place);
  }

  /** Says whether the levels of a variable are hidden. */
  boolean hides(String variable) {
    return names == null || names.contains(variable);
  }

  /** Returns what stands for a feature that is hidden. */
  double standIn(int place) {
    return place < levels ? HIDDEN_LEVEL : HIDDEN_NUMBER;
  }
}
