package io.equipoise.bandit;

import io.equipoise.fairness.Effect;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The reward model over the cells of W: E[R|x,a] = sum_z p(z|x,a) E[R|w(x,a,z)]. Answers mean,
 * index and counterfactual effects of arms from the statistics in {@link Blocks}. Immutable.
 */
final class TabularModel {
  private final CellLayout layout;
  private final MediatorWeights weights;
  private final ConfidenceSequence confidence;
  private final Counterfactuals counterfactuals;
  private final double span;

  /**
   * Puts the parts together.
   *
   * @param span greatest minus least reward
   */
  TabularModel(
      CellLayout layout,
      MediatorWeights weights,
      ConfidenceSequence confidence,
      Counterfactuals counterfactuals,
      double span) {
    this.layout = layout;
    this.weights = weights;
    this.confidence = confidence;
    this.counterfactuals = counterfactuals;
    this.span = span;
  }

  CellLayout layout() {
    return layout;
  }

  ConfidenceSequence confidence() {
    return confidence;
  }

  /**
   * Carries blocks over from a model with the same meaning and fewer levels: what a cell knows goes
   * to the cell of the same names, and all other cells begin empty.
   */
  void carryOver(TabularModel before, LevelMap levels, Blocks blocks) {
    int[] cells = new int[before.layout.cellsPerBlock()];
    for (int cell = 0; cell < cells.length; cell++) {
      cells[cell] = before.layout.cellIn(layout, levels, cell);
    }
    Map<Long, CellBlock> old = new TreeMap<>();
    for (Map.Entry<Long, Block> entry : blocks.entries()) {
      if (entry.getValue() instanceof CellBlock block) {
        old.put(entry.getKey(), block);
      }
    }
    old.keySet().forEach(blocks::remove);
    for (Map.Entry<Long, CellBlock> entry : old.entrySet()) {
      CellBlock block = new CellBlock(layout.cellsPerBlock(), confidence.needsSums());
      for (int cell = 0; cell < cells.length; cell++) {
        block.take(cells[cell], entry.getValue(), cell);
      }
      blocks.put(before.layout.keyIn(layout, levels, entry.getKey()), block);
    }
  }

  /** Says whether a sensitive attribute can change anything: a cell, or p(z|x,a). */
  boolean hasEffects() {
    return counterfactuals.hasEffects();
  }

  /** Says whether p(z|x,a) is estimated from counts. */
  boolean isEstimated() {
    return weights.isEstimated();
  }

  private static @Nullable CellBlock cells(Blocks blocks, long key) {
    return (CellBlock) blocks.get(key);
  }

  /**
   * Adds one reward to the cell that context, arm and mediators name.
   *
   * @param firstCell of the arm, at z = 0
   */
  void learn(Blocks blocks, int[] context, int firstCell, int[] mediators, double reward) {
    int z = layout.mediatorCell(mediators);
    if (z < 0) {
      throw new IllegalArgumentException("a mediator of W is missing: ask canLearn first");
    }
    long key = layout.blockKey(context);
    CellBlock block = cells(blocks, key);
    if (block == null) {
      block = new CellBlock(layout.cellsPerBlock(), confidence.needsSums());
    }
    confidence.observe(block, firstCell + z, reward);
    blocks.put(key, block);
  }

  /**
   * Fills in the sample mean of eq. 7 and the index of eq. 5 and 6 of every arm: sum_z p(z|x,a)
   * (m_w + bonus_w(N_w)). A cell without an observation counts as N = 1, m = 0, or as {@code
   * whenUnseen} if that is given: then an arm is one cell and is to be tried first.
   */
  void score(
      Blocks blocks,
      int[] context,
      double bonusOfOne,
      double whenUnseen,
      double[] mean,
      double[] index) {
    CellBlock block = cells(blocks, layout.blockKey(context));
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
  CellLimits limits(Blocks blocks, int[] context, long t, ConfidenceSequence by) {
    return new CellLimits(cells(blocks, layout.blockKey(context)), layout.cellsPerBlock(), by, t);
  }

  /**
   * Limits E[R|x,a] by its cells: sum_z p(z|x,a) [L_w, H_w]; and by half of what p may be wrong
   * times the cells' range, where p is estimated.
   */
  Refutation interval(CellLimits limits, int[] context, int row, int arm) {
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
    double width = limits.width(first, p.length) * table.error()[weights.row(arm)] / 2;
    return new Refutation(row, arm, estimate, lower - width, upper + width);
  }

  /** Returns the bounds of every effect that this context has, ready to be asked for arms. */
  List<EffectBound> bounds(Blocks blocks, int[] context, long t) {
    List<EffectBound> bounds = new ArrayList<>();
    Seen seen = new Seen(blocks, t);
    for (Comparison comparison : counterfactuals.of(context)) {
      int pairs = comparison.worlds().size();
      World[] factuals = new World[pairs];
      World[] others = new World[pairs];
      int[] known = null;
      for (int i = 0; i < pairs; i++) {
        int[] factual = comparison.worlds().get(i).factual();
        factuals[i] = factual == known ? factuals[i - 1] : seen.world(factual, factual);
        others[i] = seen.world(comparison.worlds().get(i).other(), factual);
        known = factual;
      }
      bounds.add(new EffectBound(comparison, factuals, others, span));
    }
    return bounds;
  }

  /** Returns the certificate of an arm: the largest effect that any comparison allows. */
  double certificate(List<EffectBound> bounds, int arm) {
    double worst = 0;
    for (EffectBound bound : bounds) {
      worst = Math.max(worst, bound.worst(layout.firstCell(arm), weights.row(arm)));
    }
    return worst;
  }

  Effect effect(EffectBound bound, int arm) {
    return bound.effect(layout.firstCell(arm), weights.row(arm));
  }

  /** Limits every block that one call needs once; worlds with equal cells share the limits. */
  private final class Seen {
    private final Blocks blocks;
    private final long t;
    private final List<Long> keys = new ArrayList<>();
    private final List<CellLimits> limits = new ArrayList<>();

    Seen(Blocks blocks, long t) {
      this.blocks = blocks;
      this.t = t;
    }

    World world(int[] context, int[] evidence) {
      return new World(limits(layout.blockKey(context)), weights.table(context, evidence));
    }

    private CellLimits limits(long key) {
      int known = keys.indexOf(key);
      if (known >= 0) {
        return limits.get(known);
      }
      @Nullable CellBlock block = cells(blocks, key);
      CellLimits made = new CellLimits(block, layout.cellsPerBlock(), confidence, t);
      keys.add(key);
      limits.add(made);
      return made;
    }
  }
}
