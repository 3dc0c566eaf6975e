package io.equipoise.lab.pcb;

import io.equipoise.cli.report.Figure;
import io.equipoise.cli.report.Sample;
import io.equipoise.lab.Runs;
import io.equipoise.lab.pcb.CausalBounds.Interval;
import io.equipoise.lab.pcb.LoggedWorld.Streams;
import io.equipoise.lab.report.Checks;
import io.equipoise.lab.report.Row;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import me.tongfei.progressbar.ProgressBar;
import picocli.CommandLine.Command;

/** Replicates Figure 3 of Huang and Wu, and counts how often bounds contain the truth. */
@Command(
    name = "pcb-figure3",
    description = {
      "Bounds of 16 effects from logs, and how often they contain the truth.",
      "The reference has --trials 1000 logs; the default is 300."
    },
    mixinStandardHelpOptions = true)
public final class PcbFigure3Command extends PcbCommand {
  private static final int LOGS = 300;
  private static final int FEWEST_LOGS = 50;

  /** Rows 3, 4, 7 and 8 of Table 1: (0, x2) in contexts with u1 = 1. */
  private static final List<Integer> EXCLUDED = List.of(2, 3, 6, 7);

  private static final List<CausalBounds> KINDS =
      List.of(
          CausalBounds.TABLE1,
          CausalBounds.SOUND,
          CausalBounds.SOUND_POOLED,
          CausalBounds.SOUND_POOLED_CI);

  /** The bounds of all logs by place, and the true and printed effects. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Coverage(
      Runs<CausalBounds, List<Interval>> logs, double[] truth, double[] printed) {
    Sample sample(CausalBounds kind, int place, ToDoubleFunction<Interval> measure) {
      return logs.sample(kind, intervals -> measure.applyAsDouble(intervals.get(place)));
    }

    /** Returns the share of logs whose interval contains a value at a place. */
    Sample contains(CausalBounds kind, int place, double value) {
      return sample(kind, place, interval -> interval.contains(value) ? 1 : 0);
    }

    /** Returns the share of logs whose intervals contain the truth at all places. */
    Sample containsAll(CausalBounds kind) {
      return logs.sample(
          kind,
          intervals ->
              IntStream.range(0, truth.length)
                      .allMatch(place -> intervals.get(place).contains(truth[place]))
                  ? 1
                  : 0);
    }
  }

  @Override
  public Integer call() throws IOException {
    check();
    int logs = trials(LOGS);
    LoggedWorld world = new LoggedWorld();
    Coverage coverage;
    try (ProgressBar bar = progress(logs)) {
      coverage =
          new Coverage(
              Runs.of(logs, trial -> bounds(world, firstSeed + trial), bar::step),
              world.truth(),
              PointEstimates.PRINTED_TRUTH.of(world.exact()));
    }
    Row settings = new Row().with("trials", logs).with("points", LoggedWorld.POINTS);
    Figure published =
        figure("table1", "Figure 3: bounds of Table 1", coverage, CausalBounds.TABLE1);
    published.curve("printed truth", axis(), coverage.printed());
    Figure sound = figure("sound", "Sound bounds, pooled", coverage, CausalBounds.SOUND_POOLED);
    return publish(settings, rows(coverage), checks(coverage), published, sound);
  }

  private static Map<CausalBounds, List<Interval>> bounds(LoggedWorld world, long seed) {
    LoggedRounds log = world.sample(Streams.LOG.of(seed));
    Map<CausalBounds, List<Interval>> bounds = new EnumMap<>(CausalBounds.class);
    KINDS.forEach(kind -> bounds.put(kind, kind.of(log)));
    return bounds;
  }

  private static List<Row> rows(Coverage coverage) {
    List<Row> rows = new ArrayList<>();
    for (CausalBounds kind : KINDS) {
      for (int place = 0; place < PcbPlace.PLACES; place++) {
        double truth = coverage.truth()[place];
        double printed = coverage.printed()[place];
        Row row = new Row().with("bounds", kind.name());
        row(place).cells().forEach((name, level) -> row.with(name, level));
        rows.add(
            row.with("truth", rounded(truth))
                .with("printed", rounded(printed))
                .with("lower", coverage.sample(kind, place, Interval::lower))
                .with("upper", coverage.sample(kind, place, Interval::upper))
                .with("width", coverage.sample(kind, place, Interval::width))
                .with("holds_truth", coverage.contains(kind, place, truth))
                .with("holds_printed", coverage.contains(kind, place, printed)));
      }
    }
    return rows;
  }

  private static double rounded(double value) {
    return Math.rint(1e6 * value) / 1e6;
  }

  /** Checks shares against limits, widened by three standard errors of the logs. */
  private static Checks checks(Coverage coverage) {
    Checks checks = new Checks();
    if (coverage.logs().of(CausalBounds.TABLE1).size() < FEWEST_LOGS) {
      checks.skip("coverage", "fewer than " + FEWEST_LOGS + " logs say too little");
      return checks;
    }
    for (int place : EXCLUDED) {
      Sample share = coverage.contains(CausalBounds.TABLE1, place, coverage.truth()[place]);
      add(checks, "TABLE1 holds truth, row " + (place + 1), share, 0, .15);
    }
    add(checks, "TABLE1 holds all", coverage.containsAll(CausalBounds.TABLE1), 0, .01);
    add(checks, "SOUND holds all", coverage.containsAll(CausalBounds.SOUND), .25, .35);
    Sample pooled = coverage.containsAll(CausalBounds.SOUND_POOLED);
    add(checks, "SOUND_POOLED holds all", pooled, .84, .94);
    Sample corrected = coverage.containsAll(CausalBounds.SOUND_POOLED_CI);
    checks.add("SOUND_POOLED_CI holds all", corrected.mean(), .99, 1);
    return checks;
  }

  private static void add(Checks checks, String name, Sample share, double least, double most) {
    double wider = 3 * share.error();
    checks.add(name, share.mean(), Math.max(0, least - wider), Math.min(1, most + wider));
  }

  private static Figure figure(String key, String title, Coverage coverage, CausalBounds kind) {
    return new Figure(key, title, "row", "E[Y | do(x), u]")
        .curve("lower", axis(), series(p -> coverage.sample(kind, p, Interval::lower).mean()))
        .curve("upper", axis(), series(p -> coverage.sample(kind, p, Interval::upper).mean()))
        .curve("truth", axis(), coverage.truth());
  }
}
