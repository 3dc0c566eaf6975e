package io.equipoise.causal.bounds;

import io.equipoise.causal.estimand.Estimand;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.ToIntFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Computes a bound by a formula: a lower and an upper end, together from the inside out. Immutable,
 * equal by value.
 */
public sealed interface BoundFormula {
  /** Both ends are the value of an estimand. */
  record Value(Estimand estimand) implements BoundFormula {
    @Override
    public SortedSet<String> free() {
      return new TreeSet<>(estimand.free());
    }

    @Override
    public String toText(ToIntFunction<String> sizes) {
      return estimand.toText();
    }
  }

  /** Takes the mean over the levels of a variable with known distribution. */
  record Average(String variable, Estimand weights, BoundFormula inner) implements BoundFormula {
    @Override
    public SortedSet<String> free() {
      SortedSet<String> free = inner.free();
      free.addAll(weights.free());
      free.remove(variable);
      return free;
    }

    @Override
    public String toText(ToIntFunction<String> sizes) {
      return "Σ_" + variable + " " + weights.toText() + " · " + inner.toText(sizes);
    }
  }

  /** Takes the smallest lower and the largest upper end over the levels of a variable. */
  record Extremes(String variable, BoundFormula inner) implements BoundFormula {
    @Override
    public SortedSet<String> free() {
      SortedSet<String> free = inner.free();
      free.remove(variable);
      return free;
    }

    @Override
    public String toText(ToIntFunction<String> sizes) {
      return "min/max_" + variable + " " + inner.toText(sizes);
    }
  }

  /** Multiplies both ends by an estimand. */
  record Scaled(Estimand factor, BoundFormula inner) implements BoundFormula {
    @Override
    public SortedSet<String> free() {
      SortedSet<String> free = inner.free();
      free.addAll(factor.free());
      return free;
    }

    @Override
    public String toText(ToIntFunction<String> sizes) {
      return "[" + factor.toText() + "] · " + inner.toText(sizes);
    }
  }

  /**
   * Bounds P(y | do(a)) where nothing is assumed about the rows of other arms: [P(a, y), P(a, y) +
   * 1 - P(a)]. Each level z of an instrument has its own, and all hold, so the result is their
   * intersection.
   *
   * <p>Of a binary arm with a binary outcome, P(y | do(a)) is the sum of the shares of people who
   * have y under both arms and who have y under a alone. Each is at most the share of rows that do
   * not contradict it, at any z: the sharp bounds of Balke and Pearl 1997, for any number of levels
   * (Richardson and Robins 2014).
   *
   * @param joint P(a, y | conditions, z) in the population
   * @param arm the names a
   * @param instruments the names z; empty if there is no instrument
   */
  record NoAssumption(Estimand joint, String outcome, List<String> arm, List<String> instruments)
      implements BoundFormula {
    public NoAssumption {
      arm = List.copyOf(arm);
      instruments = List.copyOf(instruments);
    }

    @Override
    public SortedSet<String> free() {
      SortedSet<String> free = new TreeSet<>(joint.free());
      instruments.forEach(free::remove);
      return free;
    }

    @Override
    public String toText(ToIntFunction<String> sizes) {
      String both = joint.toText();
      String one = joint.summed(List.of(outcome)).toText();
      String interval = "[" + both + ", " + both + " + 1 - " + one + "]";
      if (instruments.isEmpty()) {
        return interval;
      }
      String z = String.join(",", instruments);
      String natural = "∩_" + z + " " + interval;
      return isPaired(sizes) ? "(" + natural + " " + pairs(z) + ", p = " + both + ")" : natural;
    }

    /** Returns the intervals of Balke and Pearl, of two levels of the instruments at a time. */
    private String pairs(String z) {
      String text =
          "∩_z≠z' [1 - p(x,¬y|z) - p(¬x,y|z) - p(x,¬y|z') - p(¬x,¬y|z'),"
              + " p(x,y|z) + p(¬x,¬y|z) + p(x,y|z') + p(¬x,y|z')]";
      Map<String, String> names =
          Map.of("x", arm.get(0), "y", outcome, "z'", z.replace(",", "',") + "'", "z", z);
      return Pattern.compile("[xyz]'?")
          .matcher(text)
          .replaceAll(it -> Matcher.quoteReplacement(String.valueOf(names.get(it.group()))));
    }

    /**
     * Returns whether arm and outcome are binary, so that pairs of levels of the instruments
     * tighten the intersection.
     *
     * @param sizes number of levels by variable
     */
    boolean isPaired(ToIntFunction<String> sizes) {
      return !instruments.isEmpty()
          && arm.size() == 1
          && sizes.applyAsInt(outcome) == 2
          && sizes.applyAsInt(arm.get(0)) == 2;
    }
  }

  /** The vacuous bound from 0 to 1. */
  record Vacuous() implements BoundFormula {
    @Override
    public SortedSet<String> free() {
      return new TreeSet<>();
    }

    @Override
    public String toText(ToIntFunction<String> sizes) {
      return "[0, 1]";
    }
  }

  /** Returns the variables that it depends on, as a new set. */
  SortedSet<String> free();

  /**
   * Returns the formula as text, that which variables of these sizes have.
   *
   * @param sizes number of levels by variable
   */
  String toText(ToIntFunction<String> sizes);
}
