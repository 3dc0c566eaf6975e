package io.equipoise.lab.pcb;

import io.equipoise.lab.Runs;
import io.equipoise.lab.pcb.CausalBounds.Interval;
import io.equipoise.lab.pcb.LoggedWorld.Streams;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Plays all contenders of Figure 4 over trials, each with its own log, in two worlds: rewards
 * follow the true effects, or the column that the paper prints as "Truth".
 */
final class Contest {
  private Contest() {}

  /**
   * Defines a row of Figure 4: a disjoint LinUCB with causal bounds, with a warm start, or with
   * neither.
   *
   * @param policy its name in reports
   * @param warmth the estimate of a warm start, which learns each logged row once with the estimate
   *     as its reward
   */
  record Contender(String policy, CausalBounds bounds, @Nullable PointEstimates warmth) {
    static final Contender LINUCB = new Contender("linucb", CausalBounds.NONE, null);
    static final Contender BIASED = warm("linucb-biased", PointEstimates.BIASED);
    static final Contender BIASED_ADJUSTED =
        warm("linucb-biased-adjusted", PointEstimates.BIASED_ADJUSTED);
    static final Contender CP = warm("linucb-cp", PointEstimates.CP);
    static final List<Contender> ALL =
        List.of(
            LINUCB,
            pcb(CausalBounds.TABLE1),
            pcb(CausalBounds.SOUND),
            pcb(CausalBounds.SOUND_POOLED),
            pcb(CausalBounds.SOUND_POOLED_CI),
            BIASED,
            BIASED_ADJUSTED,
            CP);

    static Contender pcb(CausalBounds bounds) {
      return new Contender("linucb-pcb", bounds, null);
    }

    private static Contender warm(String policy, PointEstimates warmth) {
      return new Contender(policy, CausalBounds.NONE, warmth);
    }

    String title() {
      return bounds == CausalBounds.NONE ? policy : policy + " " + bounds;
    }

    /** Returns the upper ends by place; Algorithm 4 ignores the lower ends. */
    double[] upper(LoggedRounds log) {
      double[] upper = new double[PcbPlace.PLACES];
      Arrays.fill(upper, Double.POSITIVE_INFINITY);
      if (bounds != CausalBounds.NONE) {
        List<Interval> intervals = bounds.of(log);
        Arrays.setAll(upper, place -> intervals.get(place).upper());
      }
      return upper;
    }
  }

  /** Regret after every {@value PcbLinearPlay#STEP} rounds, in both worlds. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Curves(double[] real, double[] printed) {
    double regret() {
      return real[real.length - 1];
    }

    double regretAt(int round) {
      return real[round / PcbLinearPlay.STEP - 1];
    }

    double printedRegret() {
      return printed[printed.length - 1];
    }
  }

  /** Plays; calls {@code onDone} after each trial, from several threads. */
  static Runs<Contender, Curves> play(
      LoggedWorld world, int count, int rounds, long firstSeed, Runnable onDone) {
    double[] truth = world.truth();
    double[] printed = PointEstimates.PRINTED_TRUTH.of(world.exact());
    double[] shares = world.contextShares();
    return Runs.of(
        count,
        trial -> {
          long seed = firstSeed + trial;
          LoggedRounds log = world.sample(Streams.LOG.of(seed));
          Visits visits = new Visits(Streams.VISITS.of(seed), shares, rounds);
          Map<Contender, Curves> curves = new LinkedHashMap<>();
          for (Contender contender : Contender.ALL) {
            double[] real = play(contender, log, visits, truth, seed);
            curves.put(contender, new Curves(real, play(contender, log, visits, printed, seed)));
          }
          return curves;
        },
        onDone);
  }

  private static double[] play(
      Contender contender, LoggedRounds log, Visits visits, double[] means, long seed) {
    PcbLinearPlay play = new PcbLinearPlay(contender.upper(log), Streams.TIES.of(seed));
    PointEstimates warmth = contender.warmth();
    if (warmth != null) {
      play.warm(warmth.of(log), log.counts());
    }
    return play.play(visits, means);
  }
}
