package io.equipoise.policy.tabular;

import io.equipoise.event.AuditEffectKind;
import io.equipoise.fairness.EffectFinding;
import io.equipoise.policy.CellLayout;
import io.equipoise.policy.LevelMap;
import io.equipoise.policy.ModelState;
import io.equipoise.policy.Refutation;
import io.equipoise.policy.StateBlock;
import io.equipoise.policy.constraint.EffectSize;
import io.equipoise.policy.tabular.EffectBound.CounterfactualWorld;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Models rewards over the cells of W: E[R|x,a] = sum_z p(z|x,a) E[R|w(x,a,z)]. Computes mean, index
 * and counterfactual effects of arms from the statistics in {@link ModelState}. Immutable.
 *
 * @param span greatest minus least reward
 */
record TabularModel(
    CellLayout layout,
    MediatorWeights weights,
    SharedConfidence<? extends CellConfidence> confidence,
    Counterfactuals counterfactuals,
    double span) {
  /**
   * Carries blocks over from a model with the same meaning and other levels: what a cell knows goes
   * to the cell of the same names, if there is one, and all other cells begin empty.
   */
  void carryOver(TabularModel before, LevelMap levels, ModelState modelState) {
    int[] cells = new int[before.layout.cellsPerBlock()];
    for (int cell = 0; cell < cells.length; cell++) {
      cells[cell] = before.layout.cellIn(layout, levels, cell);
    }
    Map<Long, CellBlock> old = new TreeMap<>();
    for (Map.Entry<Long, StateBlock> entry : modelState.entries()) {
      if (entry.getValue() instanceof CellBlock block) {
        old.put(entry.getKey(), block);
      }
    }
    old.keySet().forEach(modelState::remove);
    for (Map.Entry<Long, CellBlock> entry : old.entrySet()) {
      CellBlock block = new CellBlock(layout.cellsPerBlock());
      for (int cell = 0; cell < cells.length; cell++) {
        if (cells[cell] >= 0) {
          block.take(cells[cell], entry.getValue(), cell);
        }
      }
      modelState.put(before.layout.keyIn(layout, levels, entry.getKey()), block);
    }
  }

  /** Returns whether a sensitive attribute can change anything: a cell, or p(z|x,a). */
  boolean hasEffects() {
    return counterfactuals.hasEffects();
  }

  /** Returns whether cells, or p(z|x,a), depend on a feature. */
  boolean dependsOn(int place) {
    return layout.hasContext(place) || weights.dependsOn(place);
  }

  /** Returns p(z|x,a) by z. */
  double[] mediators(int[] context, int arm) {
    return weights.table(context).p()[weights.row(arm)];
  }

  /** Returns the same model whose joint region may be wrong with another probability. */
  TabularModel at(double delta, double low) {
    double share = isEstimated() ? delta / 2 : delta;
    return new TabularModel(
        layout,
        weights,
        new SharedConfidence<>(
            part -> new JointRegion(low, low + span, part * share / sets(), layout.cells())),
        counterfactuals,
        span);
  }

  /** Returns how many sets of cells its comparisons can have. */
  double sets() {
    return counterfactuals.sets(layout);
  }

  /** Returns whether p(z|x,a) is estimated from counts. */
  boolean isEstimated() {
    return weights.isEstimated();
  }

  /** Returns all that the errors of estimated tables depend on. */
  String estimates() {
    return weights.estimates();
  }

  private static @Nullable CellBlock cells(ModelState modelState, long key) {
    return (CellBlock) modelState.get(key);
  }

  /**
   * Adds one reward to the cell that context, arm and mediators name.
   *
   * @param firstCell of the arm, at z = 0
   */
  void learn(ModelState modelState, int[] context, int firstCell, int[] mediators, double reward) {
    int z = layout.mediatorCell(mediators);
    if (z < 0) {
      throw new IllegalArgumentException("a mediator of W is missing: ask canLearn first");
    }
    long key = layout.blockKey(context);
    CellBlock block = cells(modelState, key);
    if (block == null) {
      block = new CellBlock(layout.cellsPerBlock());
    }
    block.observe(firstCell + z, reward);
    modelState.put(key, block);
  }

  /**
   * Fills in the sample mean of eq. 7 and the index of eq. 5 and 6 of every arm: sum_z p(z|x,a)
   * (m_w + bonus_w(N_w)). A cell without an observation counts as N = 1, m = 0, or as {@code
   * whenUnseen} if that is given: then an arm is one cell and is to be tried first.
   */
  void score(
      ModelState modelState,
      int[] context,
      double bonusOfOne,
      double whenUnseen,
      double[] mean,
      double[] index) {
    CellBlock block = cells(modelState, layout.blockKey(context));
    double[] means = new double[layout.cellsPerBlock()];
    double[] optimistic = new double[means.length];
    for (int cell = 0; cell < means.length; cell++) {
      if (block == null || block.n(cell) == 0) {
        optimistic[cell] = Double.isNaN(whenUnseen) ? bonusOfOne : whenUnseen;
      } else {
        means[cell] = block.mean(cell);
        optimistic[cell] = means[cell] + bonusOfOne / Math.sqrt((double) block.n(cell));
      }
    }
    double[][] table = weights.table(context).p();
    for (int arm = 0; arm < index.length; arm++) {
      int first = layout.firstCell(arm);
      double[] p = table[weights.row(arm)];
      double sumOfMeans = 0;
      double sum = 0;
      for (int z = 0; z < p.length; z++) {
        sumOfMeans += p[z] * means[first + z];
        sum += p[z] * optimistic[first + z];
      }
      mean[arm] = sumOfMeans;
      index[arm] = sum;
    }
  }

  /** Limits the cells of a context's block. */
  CellLimits limits(ModelState modelState, int[] context, long t, ConfidenceSequence by) {
    return by.limits(cells(modelState, layout.blockKey(context)), layout.cellsPerBlock(), t);
  }

  /**
   * Limits E[R|x,a] by its cells: sum_z p(z|x,a) [L_w, H_w]; and by half of what p may be wrong
   * times the cells' range, where p is estimated.
   */
  Refutation interval(ModelState modelState, CellLimits limits, int[] context, int row, int arm) {
    int first = layout.firstCell(arm);
    MediatorTable table = weights.table(context);
    double[] p = table.p()[weights.row(arm)];
    double estimate = 0;
    double lower = 0;
    double upper = 0;
    for (int z = 0; z < p.length; z++) {
      estimate += p[z] * limits.estimate(first + z);
      lower += p[z] * limits.lower(first + z);
      upper += p[z] * limits.upper(first + z);
    }
    double error = table.error()[weights.row(arm)] * weights.growth(modelState);
    double width = limits.width(first, p.length) * Math.min(DistributionError.LARGEST, error) / 2;
    return new Refutation(row, arm, estimate, lower - width, upper + width);
  }

  /** Returns the bounds of every effect that this context has, ready to be asked for arms. */
  List<EffectBound> bounds(ModelState modelState, int[] context, long t) {
    List<EffectBound> bounds = new ArrayList<>();
    Seen seen = new Seen(modelState, t);
    double growth = weights.growth(modelState);
    for (Comparison comparison : counterfactuals.of(context)) {
      int pairs = comparison.worlds().size();
      CounterfactualWorld[] factuals = new CounterfactualWorld[pairs];
      CounterfactualWorld[] others = new CounterfactualWorld[pairs];
      int[] known = null;
      for (int i = 0; i < pairs; i++) {
        int[] factual = comparison.worlds().get(i).factual();
        int[] other = comparison.worlds().get(i).other();
        boolean isIndirect = comparison.kind() == AuditEffectKind.INDIRECT;
        int[] cells = isIndirect ? other : factual;
        factuals[i] = cells == known ? factuals[i - 1] : seen.world(cells, factual, factual);
        int[] law = comparison.kind() == AuditEffectKind.DIRECT ? factual : other;
        others[i] = seen.world(other, law, factual);
        known = cells;
      }
      bounds.add(new EffectBound(comparison, factuals, others, growth, span));
    }
    return bounds;
  }

  /**
   * Returns the certificate of an arm: the largest effect that any comparison allows, in units of
   * its limit.
   */
  double certificate(List<EffectBound> bounds, int arm) {
    return certificate(bounds, arm, Double.NaN);
  }

  /**
   * Returns the same, or any number on the same side of a threshold, at most it or above it.
   *
   * @param threshold NaN for the certificate itself
   */
  double certificate(List<EffectBound> bounds, int arm, double threshold) {
    double worst = 0;
    for (EffectBound bound : bounds) {
      if (!(worst > threshold)) {
        double own = bound.worst(layout.firstCell(arm), weights.row(arm), threshold);
        worst = Math.max(worst, own);
      }
    }
    return worst;
  }

  /** Returns the size of the estimate of an arm's largest effect. */
  double estimatedSize(List<EffectBound> bounds, int arm) {
    double largest = 0;
    for (EffectBound bound : bounds) {
      double estimate = bound.estimate(layout.firstCell(arm), weights.row(arm));
      largest = Math.max(largest, bound.limit().scaled(Math.abs(estimate)));
    }
    return largest;
  }

  /** Returns the size of an effect, in units of its limit. */
  EffectSize size(EffectBound bound, int arm) {
    EffectFinding effect = effect(bound, arm);
    EffectSize size = EffectSize.of(effect.estimate(), effect.lower(), effect.upper());
    KindLimit limit = bound.limit();
    return new EffectSize(
        limit.scaled(size.estimate()), limit.scaled(size.low()), limit.scaled(size.high()));
  }

  EffectFinding effect(EffectBound bound, int arm) {
    return bound.effect(layout.firstCell(arm), weights.row(arm));
  }

  /** Returns the size of the weight that a reward of a person and an arm has in an effect. */
  double weight(EffectBound bound, int[] context, int arm) {
    return bound.weight(context, layout.firstCell(arm), weights.row(arm));
  }

  /** Limits every block that one call needs once; worlds with equal cells share the limits. */
  private final class Seen {
    private final ModelState modelState;
    private final long t;
    private final CellConfidence inForce;
    private final Map<Long, CellLimits> limits = new HashMap<>();

    Seen(ModelState modelState, long t) {
      this.modelState = modelState;
      inForce = confidence.of(modelState);
      this.t = t;
    }

    CounterfactualWorld world(int[] cells, int[] law, int[] evidence) {
      return new CounterfactualWorld(limits(layout.blockKey(cells)), weights.table(law, evidence));
    }

    private CellLimits limits(long key) {
      CellLimits known = limits.get(key);
      if (known != null) {
        return known;
      }
      @Nullable CellBlock block = cells(modelState, key);
      CellLimits made = inForce.limits(block, layout.cellsPerBlock(), t);
      limits.put(key, made);
      return made;
    }
  }
}
