package io.equipoise.policy.split;

import io.equipoise.causal.effect.GapParts;
import io.equipoise.event.GapPart;
import io.equipoise.event.GapPartKind;
import io.equipoise.event.GapSplit;
import io.equipoise.event.Sha256;
import io.equipoise.policy.Experience;
import io.equipoise.policy.ModelState;
import io.equipoise.policy.StateBlock;
import io.equipoise.policy.constraint.ContrastBoundary;
import io.equipoise.policy.kernel.Logarithm;
import io.equipoise.segmentspec.NumberRange;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.SpecException;
import io.equipoise.segmentspec.SpecFault;
import io.equipoise.segmentspec.SpecVariable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * Keeps the splits of all sensitive attributes of a spec; none without {@code fairness.split}.
 * Immutable; what was counted is in {@link ModelState}.
 */
public final class LiveSplits {
  private static final int MOST_PAIRS = 32;
  private static final int MANY_STRATA = 2_000;

  private final List<GapSums> splits = new ArrayList<>();
  private final double delta;

  /**
   * Reads a spec.
   *
   * @throws SpecException if the graph does not identify the parts, or there are too many strata or
   *     pairs
   */
  public LiveSplits(SegmentSpec spec) {
    delta = spec.fairness().delta();
    List<SplitLevels> levels = new ArrayList<>();
    if (spec.fairness().split() != null) {
      spec.variables().sensitive().forEach(place -> levels.add(new SplitLevels(spec, place)));
    }
    int pairs = levels.stream().mapToInt(it -> it.attribute.disclosedLevels() - 1).sum();
    if (pairs > MOST_PAIRS) {
      String allowed = "at most " + MOST_PAIRS + ": fewer sensitive attributes or levels";
      throw new SpecException(
          List.of(new SpecFault("fairness.split", pairs + " pairs of levels", allowed)));
    }
    for (SplitLevels one : levels) {
      splits.add(new GapSums(spec, one, splits.size(), pairs));
    }
  }

  /**
   * Counts a learned reward. After an exception the counts are not usable: {@link #stop} them.
   *
   * @param time event time of its decision, ms
   */
  public void observe(ModelState state, Experience experience, long time) {
    splits.forEach(split -> split.observe(state, experience, time));
  }

  /** Drops the sums of all splits, which then count and report nothing more. */
  public void stop(ModelState state) {
    splits.forEach(split -> state.put(split.sumsKey, new SplitBlock(split.meaning, 0)));
  }

  /** Returns the splits of all pairs whose groups both have a reward. */
  public List<GapSplit> report(ModelState state) {
    return splits.stream().flatMap(split -> split.report(state).stream()).toList();
  }

  public boolean isAny() {
    return !splits.isEmpty();
  }

  /** Returns whether all that the splits of an earlier spec have counted goes on to count. */
  public boolean continues(LiveSplits before) {
    return before.splits.stream()
        .allMatch(it -> splits.stream().anyMatch(own -> own.meaning == it.meaning));
  }

  /** Drops what was counted of splits with another meaning. */
  public void succeed(ModelState state) {
    List<Long> others = new ArrayList<>();
    for (Map.Entry<Long, StateBlock> entry : state.entries()) {
      if (entry.getValue() instanceof SplitBlock block
          && splits.stream().noneMatch(it -> it.meaning == block.meaning())) {
        others.add(entry.getKey());
      }
    }
    others.forEach(state::remove);
  }

  /** Describes the splits for people, one line each. */
  public List<String> lines() {
    List<String> lines = new ArrayList<>();
    for (GapSums split : splits) {
      SplitLevels levels = split.levels;
      List<String> parts =
          levels.levels.stream().map(it -> it.matched().name() + " " + it.strata()).toList();
      lines.add(
          "split %s: %s strata; delta %s once more over %d sums%s"
              .formatted(
                  levels.attribute.name(),
                  String.join(", +", parts),
                  delta,
                  split.parts * split.others,
                  levels.strata(split.deepest) > MANY_STRATA
                      ? "; with so many strata many people may have no counterpart"
                      : ""));
    }
    return lines;
  }

  /**
   * Splits the gap of one attribute by sequential matching (docs/math/effect-split.md#live).
   * Immutable; what is counted is in {@link ModelState}.
   *
   * <pre>
   * The numbers of the sums:   N0  S  R  left out  since, then for each other level:
   *   N1   C of each level   A of each level   unreported at each level   for GAP, REST, each level, DIRECT: T  V  if bounded: P (12)  Q (12)
   *   then the first strata
   * The numbers of a stratum:  n0, then for each other level:  n1  W
   * A split that is stopped has no sums.
   * </pre>
   */
  private static final class GapSums {
    private static final int GRID = 12;
    private static final double[] LAMBDAS =
        DoubleStream.iterate(.9, it -> it / 2).limit(GRID).toArray();
    private static final int V = 1;
    private static final int P = 2;
    private static final int Q = 2 + GRID;

    private static final int N0 = 0;
    private static final int S = 1;
    private static final int R = 2;
    private static final int LEFT_OUT = 3;
    private static final int SINCE = 4;
    private static final int PAIRS = 5;

    private static final int GAP = 0;
    private static final int REST = 1;
    private static final int PARTS = 2;

    /** The largest lambda b; a penalty beyond it is infinite for good. */
    private static final double LARGEST = .95;

    private static final double LEAST_GUESS = .02;

    /** The divisor of a stratum's debt: the next person pays that part. */
    private static final double DEBT = 4;

    /** One person of another level stands for at most this share of the reference, as a divisor. */
    private static final double MOST = 50;

    /** Part of the meaning of what is counted: raised with each change of the numbers. */
    private static final int LAYOUT = 3;

    private static final int STRATA_OF_BLOCK = 16;
    private static final long FIRST_KEY = -(1L << 32) - 1;
    private static final int LEVEL_BITS = 17;
    private static final int ATTRIBUTE_BITS = 22;

    private final SegmentSpec spec;
    final SplitLevels levels;
    private final long sumsKey;
    private final int deepest;
    private final int others;
    private final int penaltySize;
    private final int parts;
    private final int pairSize;
    private final int stratumSize;
    private final double alpha;
    private final long meaning;

    /** The sums of all pairs to which a person of the reference belongs. */
    private final int[] ofReference;

    /**
     * Places a level's strata in blocks: a stratum of a root level, or some, with all that are
     * below it at the next levels, as many levels as fit. The first block has the sums too.
     *
     * @param width strata of the level below one of the root
     * @param offset of the first of them among the strata that are together
     */
    private record Place(int root, int width, int offset) {}

    private final List<Place> places = new ArrayList<>();

    /** By root level, the strata that are together with one of it. */
    private final int[] together;

    /**
     * Prepares the split of an attribute, by its number among those that are split.
     *
     * @param pairs of levels of all attributes, among which delta is divided
     */
    GapSums(SegmentSpec spec, SplitLevels levels, int number, int pairs) {
      this.spec = spec;
      this.levels = levels;
      sumsKey = FIRST_KEY - ((long) number << ATTRIBUTE_BITS);
      deepest = levels.levels.size();
      others = levels.attribute.disclosedLevels() - 1;
      penaltySize = spec.reward().bounded() ? 2 * GRID : 0;
      parts = PARTS + deepest + 1;
      pairSize = sum(0, parts);
      stratumSize = 1 + 2 * others;
      together = new int[deepest + 1];
      int root = 0;
      for (int at = 0; at <= deepest; at++) {
        if (together[root] + levels.strata(at) / levels.strata(root) > STRATA_OF_BLOCK) {
          root = at;
        }
        Place place = new Place(root, levels.strata(at) / levels.strata(root), together[root]);
        places.add(place);
        together[root] += place.width();
      }
      alpha = spec.fairness().delta() / (2.0 * parts * pairs);
      ofReference =
          IntStream.range(0, others)
              .map(other -> PAIRS + other * pairSize)
              .flatMap(pair -> IntStream.of(GAP, REST, PARTS + deepest).map(it -> sum(pair, it)))
              .toArray();
      String rewards = "" + spec.reward().range() + spec.reward().bounded() + alpha;
      List<String> arms = spec.arms().list().stream().map(it -> it.id()).toList();
      List<SpecVariable> matched =
          levels.levels.stream()
              .flatMap(it -> it.slots().stream())
              .filter(it -> spec.variables().has(it.name()))
              .map(it -> spec.variables().named(it.name()))
              .toList();
      String people = levels.attribute + " " + levels.matched() + matched;
      meaning = Sha256.longOf(LAYOUT + rewards + ' ' + spec.fairness().scale() + arms + people);
    }

    private SplitBlock block(ModelState state, long key, int size) {
      return state.get(key) instanceof SplitBlock known && known.meaning() == meaning
          ? known
          : new SplitBlock(meaning, size);
    }

    void observe(ModelState state, Experience experience, long time) {
      int size = PAIRS + others * pairSize + together[0] * stratumSize;
      SplitBlock block = block(state, sumsKey, size);
      double[] sums = block.values();
      if (sums.length == 0) {
        return; // stopped
      }
      if (sums[R] + sums[LEFT_OUT] == 0) {
        sums[SINCE] = time;
      }
      int[] strata = levels.strata(experience);
      int level = experience.person()[levels.place];
      if (strata == null || level < 0 || level > others) {
        sums[LEFT_OUT]++;
      } else {
        NumberRange range = spec.reward().range();
        count(state, block, strata, level, (experience.reward() - range.low()) / range.width());
      }
      state.put(sumsKey, block);
    }

    private void count(ModelState state, SplitBlock top, int[] strata, int level, double reward) {
      double[] sums = top.values();
      int pair = PAIRS + (level - 1) * pairSize;
      double ratio = level == 0 ? 0 : sums[N0] / (sums[pair] + 1);
      double most = Math.max(DEBT * (1 + ratio), sums[N0] / MOST);
      double[] omega = new double[deepest + 1];
      SplitBlock block = top;
      long key = sumsKey;
      int first = PAIRS + others * pairSize;
      for (int at = 0; at < strata.length; at++) {
        Place place = places.get(at);
        if (place.root() == at && at > 0) {
          int roots = STRATA_OF_BLOCK / together[at];
          key = sumsKey - (((long) at << LEVEL_BITS) | (strata[at] / roots));
          block = block(state, key, STRATA_OF_BLOCK * stratumSize);
          first = strata[at] % roots * together[at] * stratumSize;
        }
        double[] n = block.values();
        int below = strata[at] - strata[place.root()] * place.width();
        int reference = first + (place.offset() + below) * stratumSize;
        if (level == 0) {
          for (int other = 0; other < others; other++) {
            double debt = n[reference] - n[reference + 2 + 2 * other];
            owe(sums, PAIRS + other * pairSize, at, debt, debt + 1);
          }
          n[reference]++;
        } else {
          int own = reference + 2 * level - 1;
          double debt = n[reference] - n[own + 1];
          double odds = (n[reference] + ratio) / (n[own] + 2);
          omega[at] = Math.max(0, Math.min(most, odds + debt / DEBT));
          n[own]++;
          n[own + 1] += omega[at];
          owe(sums, pair, at, debt, debt - omega[at]);
        }
        if (place.root() > 0 && (at + 1 == strata.length || places.get(at + 1).root() > at)) {
          state.put(key, block);
        }
      }
      for (int at = strata.length; at <= deepest; at++) { // without a counterpart
        for (int other = 0; level == 0 && other < others; other++) {
          owe(sums, PAIRS + other * pairSize, at, 0, 1);
        }
        if (level > 0) {
          sums[pair + 1 + 2 * (deepest + 1) + at]++;
        }
      }
      double guess = (sums[S] + .5) / (sums[R] + 1);
      guess = Math.max(LEAST_GUESS, Math.min(1 - LEAST_GUESS, guess));
      if (level == 0) {
        sums[N0]++;
        add(sums, -1, reward, guess, ofReference);
      } else {
        sums[pair]++;
        add(sums, omega[0], reward, guess, sum(pair, GAP));
        add(sums, omega[levels.arm], reward, guess, sum(pair, REST));
        for (int at = 0; at < deepest; at++) {
          add(sums, omega[at] - omega[at + 1], reward, guess, sum(pair, PARTS + at));
        }
        add(sums, omega[deepest], reward, guess, sum(pair, PARTS + deepest));
      }
      sums[S] += reward;
      sums[R]++;
    }

    /** Changes what one stratum of a level owes: the sum C, and the sum of sizes A. */
    private void owe(double[] sums, int pair, int level, double before, double after) {
      sums[pair + 1 + level] += after - before;
      sums[pair + 2 + deepest + level] += Math.abs(after) - Math.abs(before);
    }

    private int sum(int pair, int sum) {
      return pair + 1 + 3 * (deepest + 1) + sum * (P + penaltySize);
    }

    /** Adds a row of weight w to the sums at some places. */
    private void add(double[] sums, double w, double reward, double guess, int... places) {
      if (w == 0) {
        return;
      }
      double[] more = new double[penaltySize];
      if (penaltySize > 0) {
        double y = w * (reward - guess);
        double above = w > 0 ? w * guess : -w * (1 - guess);
        double below = w > 0 ? w * (1 - guess) : -w * guess;
        penalties(more, 0, above, y / above);
        penalties(more, GRID, below, y / below);
      }
      for (int at : places) {
        sums[at] += w * reward;
        sums[at + V] += w * w;
        for (int j = 0; j < penaltySize; j++) {
          sums[at + P + j] += more[j];
        }
      }
    }

    /** Sets the penalties of all lambdas, which fall: of most the series, of the first others. */
    private static void penalties(double[] all, int first, double b, double ratio) {
      double square = ratio * ratio;
      for (int j = 0; j < GRID; j++) {
        all[first + j] = Logarithm.series(LAMBDAS[j] * b) * square;
      }
      for (int j = 0; j < GRID && LAMBDAS[j] * b > Logarithm.LARGEST_OF_SERIES; j++) {
        double t = LAMBDAS[j] * b;
        all[first + j] = t > LARGEST ? Double.POSITIVE_INFINITY : Logarithm.psi(t) * square;
      }
    }

    List<GapSplit> report(ModelState state) {
      List<GapSplit> splits = new ArrayList<>();
      double[] sums = block(state, sumsKey, 0).values();
      for (int other = 0; other < others && sums.length > 0; other++) {
        if (sums[N0] > 0 && sums[PAIRS + other * pairSize] > 0) {
          splits.add(split(sums, other));
        }
      }
      return splits;
    }

    private GapSplit split(double[] sums, int other) {
      int pair = PAIRS + other * pairSize;
      List<GapPart> parts = new ArrayList<>();
      for (int at = 0; at < deepest; at++) {
        GapParts.Level level = levels.levels.get(at).matched();
        parts.add(part(sums, pair, PARTS + at, level.name(), level.kind(), at, at + 1));
      }
      String name = levels.attribute.name();
      parts.add(part(sums, pair, PARTS + deepest, name, GapPartKind.DIRECT, deepest, -1));
      return new GapSplit(
          name,
          levels.attribute.levels().get(0),
          levels.attribute.levels().get(other + 1),
          (long) sums[N0],
          (long) sums[pair],
          (long) sums[LEFT_OUT],
          (long) sums[SINCE],
          part(sums, pair, GAP, name, GapPartKind.GAP, 0, -1),
          part(sums, pair, REST, name, GapPartKind.REST, levels.arm, -1),
          parts);
    }

    /**
     * Returns V of a level less V of a deeper one, or less the reference's mean.
     *
     * @param deeper -1 for the reference
     */
    private GapPart part(
        double[] sums, int pair, int sum, String name, GapPartKind kind, int level, int deeper) {
      int at = sum(pair, sum);
      double mean = Math.max(0, Math.min(1, sums[S] / sums[R]));
      double debt = sums[pair + 1 + level] - (deeper < 0 ? 0 : sums[pair + 1 + deeper]);
      int sizes = pair + 2 + deepest;
      double unmatched = sums[sizes + level] + (deeper < 0 ? 0 : sums[sizes + deeper]);
      int missing = sizes + deepest + 1;
      double unreported = sums[missing + level] + (deeper < 0 ? 0 : sums[missing + deeper]);
      double unreportedShare = unreported / Math.max(1, sums[pair]);
      double slack = unmatched * Math.max(mean, 1 - mean) + unreportedShare * sums[N0];
      double middle = sums[at] + debt * mean;
      double lower = (middle - boundary(sums, at, P) - slack) / sums[N0];
      double upper = (middle + boundary(sums, at, Q) + slack) / sums[N0];
      double span = spec.reward().range().width();
      return new GapPart(
          name,
          kind,
          span * middle / sums[N0],
          span * Math.max(-1, Math.min(1, lower)),
          span * Math.max(-1, Math.min(1, upper)),
          Math.max(unmatched / sums[N0], unreportedShare));
    }

    private double boundary(double[] sums, int at, int penalties) {
      double squares = sums[at + V];
      if (squares == 0) {
        return 0;
      }
      if (!spec.reward().bounded()) {
        double scale = spec.fairness().scale() / spec.reward().range().width();
        return ContrastBoundary.ofSubGaussian(LAMBDAS, scale, squares, alpha);
      }
      double[] p = Arrays.copyOfRange(sums, at + penalties, at + penalties + GRID);
      return ContrastBoundary.of(LAMBDAS, p, squares, alpha);
    }
  }
}
