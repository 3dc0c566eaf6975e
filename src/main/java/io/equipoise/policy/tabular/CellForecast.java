package io.equipoise.policy.tabular;

import io.equipoise.fairness.EffectFinding;
import io.equipoise.policy.CellLayout;
import io.equipoise.policy.CertificateForecast;
import io.equipoise.policy.MemoryModelState;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.SpecVariable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Forecasts when the joint region certifies effects over cells:
 * docs/math/weighted-sums.md#forecasts. Each cell gets the rewards that it can expect, all at the
 * base rate, and the model says what it would say of them. People have the stated shares of the
 * attribute's levels and are uniform otherwise. Of some people and arms the median counts. Not
 * thread-safe.
 */
final class CellForecast implements CertificateForecast {
  private static final int MOST_PEOPLE = 4096;
  private static final int MOST_ASKED = 4;

  private final SegmentSpec spec;
  private final TabularModel model;
  private final Expected expected;
  private final Map<Levels, Expectation> expectations = new HashMap<>();

  CellForecast(TabularPolicy policy, TabularModel model, Expected expected) {
    spec = policy.spec();
    this.model = model;
    this.expected = expected;
  }

  /**
   * The people of one comparison.
   *
   * @param weights by block, the share of a decision that each cell gets if every arm were played
   * @param asked contexts of people with the one level
   */
  private record Expectation(Map<Long, double[]> weights, List<int[]> asked) {}

  @Override
  public double decisions(Question question, double limit, double quantile) {
    List<Double> all = new ArrayList<>();
    for (int[] context : expectation(question.levels()).asked()) {
      for (int arm : arms()) {
        all.add(decisions(question, limit, quantile, context, arm));
      }
    }
    all.sort(null);
    return all.get(all.size() / 2);
  }

  private double decisions(
      Question question, double limit, double quantile, int[] context, int arm) {
    return CertificateForecast.fewest(
        at -> {
          Reach reach = reach(question, at, context, arm);
          return reach.halfWidth() + quantile * reach.deviation() + question.effect() <= limit;
        });
  }

  @Override
  public double certified(Question question, double decisions) {
    double sum = 0;
    int count = 0;
    for (int[] context : expectation(question.levels()).asked()) {
      for (int arm : arms()) {
        Reach reach = reach(question, decisions, context, arm);
        sum +=
            CertificateForecast.within(
                expected.tau(), question.effect(), reach.halfWidth(), reach.deviation());
        count++;
      }
    }
    return sum / count;
  }

  /**
   * Measures how far an interval reaches and how far its estimate varies, in units of the limit.
   */
  private record Reach(double halfWidth, double deviation) {}

  private Reach reach(EffectFinding effect, KindLimit limit) {
    double mean = expected.baseRate();
    Double leverage = effect.leverage();
    double deviation = leverage == null ? 0 : Math.sqrt(mean * (1 - mean) * leverage);
    return new Reach(
        limit.scaled(effect.worst()) / width(), deviation * (limit.greatest() / limit.tau()));
  }

  private double width() {
    return spec.reward().range().width();
  }

  private List<Integer> arms() {
    return spread(spec.arms().size());
  }

  /** Returns some of so many places, evenly apart. */
  private static List<Integer> spread(int size) {
    int count = Math.min(MOST_ASKED, size);
    List<Integer> places = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      places.add((int) ((long) i * size / count));
    }
    return places;
  }

  /** Returns the reach of the kind of effect that is certified last. */
  private Reach reach(Question question, double decisions, int[] context, int arm) {
    Levels levels = question.levels();
    MemoryModelState state = new MemoryModelState();
    double rewards = decisions * expected.answered() * question.armShare();
    double mean = spec.reward().range().low() + expected.baseRate() * width();
    expectation(levels)
        .weights()
        .forEach((key, cells) -> state.put(key, CellBlock.of(counts(cells, rewards), mean)));
    Reach greatest = new Reach(0, 0);
    for (EffectBound bound : model.bounds(state, context, 1)) {
      EffectFinding effect = model.effect(bound, arm);
      if (effect.attribute() == levels.attribute() && effect.counterfactual() == levels.other()) {
        Reach reach = reach(effect, bound.limit());
        greatest = reach.halfWidth() > greatest.halfWidth() ? reach : greatest;
      }
    }
    return greatest;
  }

  private static long[] counts(double[] weights, double rewards) {
    long[] counts = new long[weights.length];
    for (int cell = 0; cell < counts.length; cell++) {
      counts[cell] = Math.round(rewards * weights[cell]);
    }
    return counts;
  }

  private Expectation expectation(Levels levels) {
    return expectations.computeIfAbsent(levels, this::expect);
  }

  private Expectation expect(Levels levels) {
    List<SpecVariable> features = spec.variables().features();
    int[] sizes = new int[features.size()];
    double all = 1;
    for (int place = 0; place < sizes.length; place++) {
      boolean isUsed = place == levels.attribute() || model.dependsOn(place);
      sizes[place] = isUsed ? features.get(place).disclosedLevels() : 1;
      all *= sizes[place];
    }
    int people = (int) Math.min(all, MOST_PEOPLE);
    Map<Long, double[]> weights = new HashMap<>();
    List<int[]> asked = new ArrayList<>();
    double total = 0;
    for (int person = 0; person < people; person++) {
      int[] context = context(sizes, person * (all / people));
      double weight = share(levels, context[levels.attribute()], sizes[levels.attribute()]);
      total += weight;
      add(weights, context, weight);
      if (context[levels.attribute()] == levels.one()) {
        asked.add(context);
      }
    }
    for (double[] cells : weights.values()) {
      for (int cell = 0; cell < cells.length; cell++) {
        cells[cell] /= total;
      }
    }
    return new Expectation(weights, spread(asked.size()).stream().map(asked::get).toList());
  }

  /** Returns the levels of the person with a number in the order of all, the last the fastest. */
  private static int[] context(int[] sizes, double number) {
    int[] context = new int[sizes.length];
    double left = Math.floor(number);
    for (int place = sizes.length - 1; place >= 0; place--) {
      context[place] = (int) (left % sizes[place]);
      left = Math.floor(left / sizes[place]);
    }
    return context;
  }

  private static double share(Levels levels, int level, int count) {
    double rest = Math.max(0, 1 - levels.oneShare() - levels.otherShare());
    return level == levels.one()
        ? levels.oneShare()
        : level == levels.other() ? levels.otherShare() : rest / Math.max(1, count - 2);
  }

  private void add(Map<Long, double[]> weights, int[] context, double weight) {
    CellLayout layout = model.layout();
    double[] cells =
        weights.computeIfAbsent(
            layout.blockKey(context), key -> new double[layout.cellsPerBlock()]);
    boolean[] isAdded = new boolean[cells.length];
    for (int arm = 0; arm < spec.arms().size(); arm++) {
      int first = layout.firstCell(arm);
      if (!isAdded[first]) {
        isAdded[first] = true;
        double[] p = model.mediators(context, arm);
        for (int z = 0; z < p.length; z++) {
          cells[first + z] += weight * p[z];
        }
      }
    }
  }
}
