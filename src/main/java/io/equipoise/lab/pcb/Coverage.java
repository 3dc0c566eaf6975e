package io.equipoise.lab.pcb;

import io.equipoise.lab.Parallel;
import io.equipoise.lab.report.Sample;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** How often bounds from logs hold the truth, by kind of bounds. */
final class Coverage {
  /** The kinds that are compared. */
  static final List<CausalBounds> KINDS =
      List.of(
          CausalBounds.TABLE1,
          CausalBounds.SOUND,
          CausalBounds.SOUND_POOLED,
          CausalBounds.SOUND_POOLED_CI);

  private final double[] truth;
  private final double[] printed;
  private final List<Map<CausalBounds, List<Interval>>> logs;

  private Coverage(LoggedWorld world, List<Map<CausalBounds, List<Interval>>> logs) {
    truth = world.truth();
    printed = PointEstimates.PRINTED_TRUTH.of(world.exact());
    this.logs = logs;
  }

  /** Draws logs; {@code onDone} is called after each, from several threads. */
  static Coverage draw(LoggedWorld world, int logs, long firstSeed, Runnable onDone) {
    return new Coverage(
        world,
        Parallel.trials(
            logs,
            trial -> {
              LoggedRounds loggedRounds =
                  world.sample(Streams.LOG.of(firstSeed + trial), LoggedWorld.POINTS);
              Map<CausalBounds, List<Interval>> bounds = new LinkedHashMap<>();
              KINDS.forEach(kind -> bounds.put(kind, kind.of(loggedRounds)));
              return bounds;
            },
            onDone));
  }

  int logs() {
    return logs.size();
  }

  double truth(int place) {
    return truth[place];
  }

  double printed(int place) {
    return printed[place];
  }

  /** Returns the share of logs whose interval holds the truth at a place. */
  Sample holdsTruth(CausalBounds kind, int place) {
    return sample(kind, place, interval -> interval.holds(truth[place]) ? 1 : 0);
  }

  /** Returns the share of logs whose interval holds what the paper prints as the truth. */
  Sample holdsPrinted(CausalBounds kind, int place) {
    return sample(kind, place, interval -> interval.holds(printed[place]) ? 1 : 0);
  }

  /** Returns the share of logs whose intervals hold the truth at all places. */
  Sample holdsAll(CausalBounds kind) {
    List<Double> all = new ArrayList<>();
    for (Map<CausalBounds, List<Interval>> log : logs) {
      boolean holds = true;
      for (int place = 0; place < truth.length; place++) {
        holds &= of(log, kind).get(place).holds(truth[place]);
      }
      all.add(holds ? 1.0 : 0.0);
    }
    return Sample.of(all);
  }

  Sample sample(CausalBounds kind, int place, ToDoubleFunction<Interval> measure) {
    return Sample.of(
        logs.stream().map(log -> measure.applyAsDouble(of(log, kind).get(place))).toList());
  }

  private static List<Interval> of(Map<CausalBounds, List<Interval>> log, CausalBounds kind) {
    List<Interval> intervals = log.get(kind);
    if (intervals == null) {
      throw new IllegalArgumentException("not drawn: " + kind);
    }
    return intervals;
  }
}
