package io.equipoise.causal.bounds;

import io.equipoise.causal.estimand.Estimand;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The formula of a bound: a lower and an upper end, computed together from the inside out.
 * Immutable, equal by value.
 */
public sealed interface BoundFormula {
  /** Both ends are the value of an estimand. */
  record Value(Estimand estimand) implements BoundFormula {
    @Override
    public SortedSet<String> free() {
      return new TreeSet<>(estimand.free());
    }

    @Override
    public String toText() {
      return estimand.toText();
    }
  }

  /** The mean over the levels of a variable with known distribution. */
  record Average(String variable, Estimand weights, BoundFormula inner) implements BoundFormula {
    @Override
    public SortedSet<String> free() {
      SortedSet<String> free = inner.free();
      free.addAll(weights.free());
      free.remove(variable);
      return free;
    }

    @Override
    public String toText() {
      return "Σ_" + variable + " " + weights.toText() + " · " + inner.toText();
    }
  }

  /** The smallest lower and the largest upper end over the levels of a variable. */
  record Extremes(String variable, BoundFormula inner) implements BoundFormula {
    @Override
    public SortedSet<String> free() {
      SortedSet<String> free = inner.free();
      free.remove(variable);
      return free;
    }

    @Override
    public String toText() {
      return "min/max_" + variable + " " + inner.toText();
    }
  }

  /** Both ends times an estimand. */
  record Scaled(Estimand factor, BoundFormula inner) implements BoundFormula {
    @Override
    public SortedSet<String> free() {
      SortedSet<String> free = inner.free();
      free.addAll(factor.free());
      return free;
    }

    @Override
    public String toText() {
      return "[" + factor.toText() + "] · " + inner.toText();
    }
  }

  /** The vacuous bound from 0 to 1. */
  record Vacuous() implements BoundFormula {
    @Override
    public SortedSet<String> free() {
      return new TreeSet<>();
    }

    @Override
    public String toText() {
      return "[0, 1]";
    }
  }

  /** Returns the variables that it depends on, as a new set. */
  SortedSet<String> free();

  String toText();
}
