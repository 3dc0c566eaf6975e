package io.equipoise.offline.count;

import io.equipoise.causal.Variable;
import io.equipoise.event.Decimal;
import io.equipoise.segmentspec.SpecVariable;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;

/**
 * Maps the text of a variable in a row to its level: the text names a level or, with cuts, is a
 * number in a range.
 *
 * @param levels at least one; the list is copied
 * @param cuts increasing; empty unless cuts divide numbers into levels
 * @param low smallest number, if there are cuts
 * @param high largest number, if there are cuts
 */
public record CountedVariable(
    String name, List<String> levels, List<Double> cuts, double low, double high)
    implements Serializable {
  private static final int NONE = -1;
  private static final String MISSING = "(missing)";

  public CountedVariable {
    levels = new ArrayList<>(levels); // Java can serialize this list
    cuts = new ArrayList<>(cuts);
  }

  /** Returns a variable of a spec, with the cuts and the range of numbers; NaN without a range. */
  public static CountedVariable of(SpecVariable variable) {
    List<Double> cuts = new ArrayList<>();
    if (variable.isNumeric()) {
      for (double cut : variable.cuts()) {
        cuts.add(cut);
      }
    }
    double low = variable.range() == null ? Double.NaN : variable.range().low();
    double high = variable.range() == null ? Double.NaN : variable.range().high();
    return new CountedVariable(variable.name(), variable.levels(), cuts, low, high);
  }

  /** Returns a reward with two values, as the levels 0 and 1. */
  public static CountedVariable binary(String name, double low, double high) {
    return new CountedVariable(name, List.of("0", "1"), List.of(), low, high);
  }

  /**
   * Returns a copy with one more level, the last, for rows without a value. If the first variable
   * of a layout has it, rows without a mean or a weight get it too.
   */
  public CountedVariable orMissing() {
    List<String> more = new ArrayList<>(levels);
    more.add(MISSING);
    return new CountedVariable(name, more, cuts, low, high);
  }

  /** Returns the level of a row without a value, or -1. */
  int missing() {
    return levels.lastIndexOf(MISSING);
  }

  public int size() {
    return levels.size();
  }

  Variable variable() {
    return new Variable(name, levels);
  }

  /** Returns the level of a text, or -1. */
  public int level(String text) {
    if (isReward()) {
      return rewardLevel(number(text));
    }
    int level = levels.indexOf(text);
    if (level >= 0) {
      return level;
    }
    double number = number(text);
    if (!Double.isFinite(number)) {
      return NONE;
    }
    return cuts.isEmpty() ? levels.indexOf(shown(number)) : bin(number);
  }

  /** Returns the level of a reward: 0 at the minimum, 1 at the maximum, else -1. */
  public int rewardLevel(double reward) {
    return reward == low ? 0 : reward == high ? 1 : NONE;
  }

  /**
   * Returns the position of a reward in its range, in units of {@link CountLayout#UNIT}; -1
   * outside.
   */
  int share(double reward) {
    return reward >= low && reward <= high
        ? (int) Math.rint(CountLayout.UNIT * ((reward - low) / (high - low)))
        : NONE;
  }

  /** Returns the position of a reward text. */
  int share(String text) {
    return share(number(text));
  }

  String allowedMean() {
    return "it must be a number from " + shown(low) + " to " + shown(high);
  }

  String allowed() {
    if (isReward()) {
      return "a reward must be "
          + shown(low)
          + " or "
          + shown(high)
          + ": bounds are on a binary one unless --mean-reward is given";
    }
    return cuts.isEmpty()
        ? "its levels are " + levels
        : "it must be a number from " + shown(low) + " to " + shown(high);
  }

  private boolean isReward() {
    return cuts.isEmpty() && !Double.isNaN(low);
  }

  private int bin(double number) {
    if (number < low || number > high) {
      return NONE;
    }
    int bin = 0;
    while (bin < cuts.size() && number >= cuts.get(bin)) {
      bin++;
    }
    return bin;
  }

  private static double number(String text) {
    return Decimal.of(text);
  }

  private static String shown(double number) {
    boolean isWhole = number == Math.rint(number) && Math.abs(number) < 1e15;
    return isWhole ? Long.toString((long) number) : Double.toString(number);
  }
}
