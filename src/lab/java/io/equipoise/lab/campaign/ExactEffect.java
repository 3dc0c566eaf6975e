package io.equipoise.lab.campaign;

import io.equipoise.simulation.StructuralModel;
import io.equipoise.simulation.StructuralModel.Node;
import io.equipoise.simulation.StructuralModel.Role;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Computes the true effect of an attribute on the expected reward of an arm, given the values that
 * a person discloses. It enumerates abduction (the posterior of the undisclosed values), action and
 * prediction.
 *
 * <p>A descendant of the attribute responds to it with noise of its own, and tables do not
 * determine how the noise of two worlds depends on each other. Two couplings are computed: monotone
 * (a rank, the same in both worlds) and independent (a new draw wherever a cause differs). Both are
 * worlds with the same tables, so a bound must hold in either.
 *
 * <p>The only mutable field keeps computed effects; they depend on the world alone, so they stay
 * valid.
 */
final class ExactEffect {
  /** A level that is not disclosed. */
  static final int UNDISCLOSED = -1;

  private final StructuralModel world;
  private final int action;
  private final boolean isDirect;
  private final Map<List<Integer>, double[]> known = new HashMap<>();

  /**
   * Prepares the effects of a world.
   *
   * @param isDirect whether everything else of the person is held, as for models of features
   */
  ExactEffect(StructuralModel world, boolean isDirect) {
    this.world = world;
    action = world.of(Role.ACTION).get(0).place();
    this.isDirect = isDirect;
  }

  /**
   * Returns the effect under each coupling.
   *
   * @param disclosed levels by place, {@link #UNDISCLOSED} where the person does not disclose it
   * @param attributes places of the attributes that change together
   * @param factual their levels in this world
   * @param other their levels in the other world
   */
  double[] of(int[] disclosed, int[] attributes, int[] factual, int[] other, int arm) {
    List<Integer> key = new ArrayList<>();
    for (int[] part : List.of(disclosed, attributes, factual, other, new int[] {arm})) {
      for (int number : part) {
        key.add(number);
      }
    }
    return known.computeIfAbsent(
        key, absent -> new Enumeration(disclosed, attributes, factual, other, arm).run());
  }

  /** Enumerates all undisclosed values once. */
  private final class Enumeration {
    private final int[] evidence;
    private final int[] changed;
    private final int arm;
    private final int[] levels = new int[world.nodes().size()];
    private final int[] twin = new int[world.nodes().size()];
    private double total;
    private double here;
    private final double[] there = new double[2];

    Enumeration(int[] disclosed, int[] attributes, int[] factual, int[] other, int arm) {
      evidence = disclosed.clone();
      changed = new int[world.nodes().size()];
      Arrays.fill(changed, UNDISCLOSED);
      for (int i = 0; i < attributes.length; i++) {
        evidence[attributes[i]] = factual[i];
        changed[attributes[i]] = other[i];
      }
      this.arm = arm;
    }

    double[] run() {
      person(0, 1);
      return new double[] {(there[0] - here) / total, (there[1] - here) / total};
    }

    private void person(int place, double weight) {
      if (place == action) {
        total += weight;
        here += weight * expected(levels);
        if (isDirect) {
          System.arraycopy(levels, 0, twin, 0, place);
          for (int attribute = 0; attribute < place; attribute++) {
            twin[attribute] =
                changed[attribute] == UNDISCLOSED ? levels[attribute] : changed[attribute];
          }
          there[0] += weight * expected(twin);
          there[1] = there[0];
        } else {
          twin(0, weight, true);
          twin(0, weight, false);
        }
        return;
      }
      Node node = world.node(place);
      double[] row = world.row(node, levels);
      boolean isUnknown = evidence[place] == UNDISCLOSED;
      for (int level = 0; level < row.length; level++) {
        if ((isUnknown || evidence[place] == level) && row[level] > 0) {
          boolean isSelected = isUnknown && node.missing() != null;
          double selected = isSelected ? 1 - node.disclosed()[level] : 1;
          levels[place] = level;
          person(place + 1, weight * row[level] * selected);
        }
      }
    }

    /** Enumerates the values of the person in the other world. */
    private void twin(int place, double weight, boolean isMonotone) {
      if (place == action) {
        there[isMonotone ? 0 : 1] += weight * expected(twin);
        return;
      }
      if (changed[place] != UNDISCLOSED) {
        twin[place] = changed[place];
        twin(place + 1, weight, isMonotone);
        return;
      }
      Node node = world.node(place);
      double[] row = world.row(node, levels);
      double[] twinRow = world.row(node, twin);
      if (row == twinRow) {
        twin[place] = levels[place];
        twin(place + 1, weight, isMonotone);
        return;
      }
      for (int level = 0; level < twinRow.length; level++) {
        double p = isMonotone ? overlap(row, levels[place], twinRow, level) : twinRow[level];
        if (p > 0) {
          twin[place] = level;
          twin(place + 1, weight * p, isMonotone);
        }
      }
    }

    /** Returns the share of a level's ranks that have another level under the other row. */
    private double overlap(double[] row, int level, double[] twinRow, int twinLevel) {
      double low = below(row, level);
      double high = low + row[level];
      double twinLow = below(twinRow, twinLevel);
      double shared = Math.min(high, twinLow + twinRow[twinLevel]) - Math.max(low, twinLow);
      return Math.max(0, shared) / row[level];
    }

    private double below(double[] row, int level) {
      double sum = 0;
      for (int i = 0; i < level; i++) {
        sum += row[i];
      }
      return sum;
    }

    /** Returns the expected reward of the arm, given what comes before it. */
    private double expected(int[] before) {
      int[] all = before.clone();
      all[action] = arm;
      return world.expected(all);
    }
  }
}
