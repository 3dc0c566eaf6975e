package io.equipoise.segmentspec;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Declares one variable of a segment: its role, its levels or range, and how missing values count.
 *
 * @param levels the declared levels, or those that the cuts make ({@code "[lo,c1)"}, …, the last
 *     closed); with {@link Missing#LEVEL} the level "undisclosed" comes last
 * @param undisclosed the index that stands for "not disclosed": the last level with {@link
 *     Missing#LEVEL}; one past the last level with {@link Missing#MARGINALIZE}; else -1
 * @param range of a numeric variable; both ends belong to it
 * @param cuts of a numeric variable, increasing, strictly inside the range; else empty
 * @param usual the interval inside the range that people of every combination of the other
 *     variables fill; null where the spec does not state it
 * @param actsByBin whether the spec states that the reward depends on the bin of this number alone
 */
@SuppressWarnings("ArrayRecordComponent") // copied in and out, equal by content
public record SpecVariable(
    String name,
    VariableRole role,
    List<String> levels,
    Missing missing,
    int undisclosed,
    @Nullable NumberRange range,
    double[] cuts,
    @Nullable NumberRange usual,
    boolean actsByBin) {
  /** Copies levels and cuts. */
  public SpecVariable {
    levels = List.copyOf(levels);
    cuts = cuts.clone();
  }

  /** Creates a variable without a usual interval and a dependence by bin. */
  public SpecVariable(
      String name,
      VariableRole role,
      List<String> levels,
      Missing missing,
      int undisclosed,
      @Nullable NumberRange range,
      double[] cuts) {
    this(name, role, levels, missing, undisclosed, range, cuts, null, false);
  }

  /** Returns a copy. */
  @Override
  public double[] cuts() {
    return cuts.clone();
  }

  /** Returns whether values are numbers in a range rather than levels. */
  public boolean isNumeric() {
    return range != null && role != VariableRole.REWARD;
  }

  /** Returns the number of levels that a person can disclose. */
  public int disclosedLevels() {
    return missing == Missing.LEVEL ? levels.size() - 1 : levels.size();
  }

  /** Returns how many pairs of levels a decision compares at most, if this is sensitive. */
  long comparisons() {
    long others = Math.max(0, disclosedLevels() - 1);
    return undisclosed >= 0 ? disclosedLevels() * others : others;
  }

  /** Returns the index of a level, or -1. */
  public int indexOf(String level) {
    return levels.indexOf(level);
  }

  /** Returns the first level that writes the same number as one before it, or null. */
  public @Nullable String levelOfSameNumber() {
    Set<String> numbers = new HashSet<>();
    for (String level : levels) {
      String number = Levels.number(level);
      if (number != null && !numbers.add(number)) {
        return level;
      }
    }
    return null;
  }

  /** Returns the middle of a numeric variable's level, of any other the range's. */
  public double middle(int level) {
    if (range == null) {
      throw new IllegalStateException(name + " is not numeric");
    }
    boolean isBin = level >= 0 && level <= cuts.length;
    double low = !isBin || level == 0 ? range.low() : cuts[level - 1];
    double high = !isBin || level == cuts.length ? range.high() : cuts[level];
    return low + (high - low) / 2;
  }

  /** Returns the least number of a numeric variable's level. */
  public double lowEnd(int level) {
    if (range == null) {
      throw new IllegalStateException(name + " is not numeric");
    }
    return level == 0 ? range.low() : cuts[level - 1];
  }

  /** Returns the level of a numeric variable that a number falls into, or -1 outside the range. */
  public int binOf(double value) {
    return range != null && range.contains(value) ? bin(value) : -1;
  }

  /** Returns the level that a number of the range falls into. */
  int bin(double value) {
    int bin = 0;
    while (bin < cuts.length && value >= cuts[bin]) {
      bin++;
    }
    return bin;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof SpecVariable that
        && name.equals(that.name)
        && role == that.role
        && levels.equals(that.levels)
        && missing == that.missing
        && undisclosed == that.undisclosed
        && Objects.equals(range, that.range)
        && Arrays.equals(cuts, that.cuts)
        && Objects.equals(usual, that.usual)
        && actsByBin == that.actsByBin;
  }

  @Override
  public int hashCode() {
    return Objects.hash(name, role, levels, missing, undisclosed, range, Arrays.hashCode(cuts));
  }

  @Override
  public String toString() {
    return name + " (" + role.wire() + ") " + levels;
  }
}
