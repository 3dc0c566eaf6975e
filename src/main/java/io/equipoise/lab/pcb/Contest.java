package io.equipoise.lab.pcb;

import io.equipoise.lab.Parallel;
import io.equipoise.lab.report.Sample;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * Plays all contenders of Figure 4 in a number of trials, each with a log of its own, in two
 * worlds: where rewards follow the true effects, and where they follow the column that the paper
 * prints as "Truth".
 */
final class Contest {
  private final List<Map<Contender, Curves>> trials;

  private Contest(List<Map<Contender, Curves>> trials) {
    this.trials = trials;
  }

  /** Regret after every {@value PcbLinearPlay#STEP} rounds, in both worlds. */
  @SuppressWarnings("ArrayRecordComponent") // compared by nobody
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

  /** Plays; {@code onDone} is called after each trial, from several threads. */
  static Contest play(LoggedWorld world, int trials, int rounds, long firstSeed, Runnable onDone) {
    double[] truth = world.truth();
    double[] printed = PointEstimates.PRINTED_TRUTH.of(world.exact());
    double[] shares = world.contextShares();
    return new Contest(
        Parallel.trials(
            trials,
            trial -> {
              long seed = firstSeed + trial;
              LoggedRounds loggedRounds = world.sample(Streams.LOG.of(seed), LoggedWorld.POINTS);
              Visits visits = new Visits(Streams.VISITS.of(seed), shares, rounds);
              Map<Contender, Curves> curves = new LinkedHashMap<>();
              for (Contender contender : Contender.ALL) {
                double[] upper = contender.upper(loggedRounds);
                double[] real = play(contender, upper, loggedRounds, visits, truth, seed);
                double[] other = play(contender, upper, loggedRounds, visits, printed, seed);
                curves.put(contender, new Curves(real, other));
              }
              return curves;
            },
            onDone));
  }

  private static double[] play(
      Contender contender,
      double[] upper,
      LoggedRounds loggedRounds,
      Visits visits,
      double[] means,
      long seed) {
    PcbLinearPlay play = new PcbLinearPlay(upper, Streams.TIES.of(seed));
    @Nullable PointEstimates warmth = contender.warmth();
    if (warmth != null) {
      play.warm(warmth.of(loggedRounds), loggedRounds.counts());
    }
    return play.play(visits, means);
  }

  int size() {
    return trials.size();
  }

  /** Returns a measure of each trial, in their order. */
  List<Double> values(Contender contender, ToDoubleFunction<Curves> measure) {
    List<Double> values = new ArrayList<>();
    for (Map<Contender, Curves> trial : trials) {
      Curves curves = trial.get(contender);
      if (curves == null) {
        throw new IllegalArgumentException("not played: " + contender);
      }
      values.add(measure.applyAsDouble(curves));
    }
    return values;
  }

  Sample sample(Contender contender, ToDoubleFunction<Curves> measure) {
    return Sample.of(values(contender, measure));
  }

  /** Returns one contender's regret minus a multiple of another's, trial by trial. */
  Sample difference(Contender one, double factor, Contender other) {
    List<Double> first = values(one, Curves::regret);
    List<Double> second = values(other, Curves::regret);
    List<Double> differences = new ArrayList<>();
    for (int trial = 0; trial < first.size(); trial++) {
      differences.add(first.get(trial) - factor * second.get(trial));
    }
    return Sample.of(differences);
  }
}
