package io.equipoise.local.chaos;

import io.equipoise.local.chaos.ChaosResult.Row;
import io.equipoise.local.cluster.Bringup;
import io.equipoise.local.cluster.Cluster;
import io.equipoise.spec.SegmentSpec;
import io.equipoise.spec.SpecFiles;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/** One run: a cluster comes up, is loaded, faulted kind by kind, and judged after each kind. */
final class ChaosRun {
  /** Longer than any recovery on a machine that has other work; a lost answer ends here. */
  private static final Duration PATIENCE = Duration.ofMinutes(4);

  private final Cluster cluster;
  private final Judge judge;
  private final Plan plan;
  private final Consumer<String> news;
  private final long startedAt = System.nanoTime();

  /**
   * What to do.
   *
   * @param perSecond contexts a second
   */
  record Plan(List<Injection> injections, int perSecond, long seed) {
    Plan {
      injections = List.copyOf(injections);
    }
  }

  ChaosRun(Cluster cluster, Judge judge, Plan plan, Consumer<String> news) {
    this.cluster = cluster;
    this.judge = judge;
    this.plan = plan;
    this.news = news;
  }

  ChaosResult run() throws InterruptedException {
    new Bringup(cluster, news).run();
    List<SegmentSpec> specs = SpecFiles.load(Path.of(cluster.file().plan().specs()));
    List<Row> rows = new ArrayList<>();
    Judgement last = new Judgement(List.of(), 0, 0, 0);
    try (Supervisor supervisor = new Supervisor(cluster);
        Traffic traffic = new Traffic(cluster.jobConfig(), specs, plan.seed())) {
      supervisor.start();
      traffic.start(plan.perSecond(), PATIENCE);
      Theatre theatre =
          new Theatre(
              cluster, supervisor, new SplittableRandom(plan.seed()), cluster.jobConfig());
      for (Injection injection : plan.injections()) {
        List<Double> recoveries = inject(injection, theatre, traffic);
        theatre.awaitSteady();
        Judgement judgement = judged(traffic);
        rows.add(row(injection, recoveries, judgement, last));
        last = judgement;
        traffic.resume();
      }
    }
    return new ChaosResult(
        plan.seed(),
        plan.perSecond(),
        rows,
        last.contexts(),
        last.decisions(),
        last.applied(),
        (System.nanoTime() - startedAt) / 1e9);
  }

  private List<Double> inject(Injection injection, Theatre theatre, Traffic traffic)
      throws InterruptedException {
    List<Double> recoveries = new ArrayList<>();
    for (int i = 1; i <= injection.times(); i++) {
      theatre.awaitSteady();
      theatre.awaitAnyMoment();
      traffic.watch(System.nanoTime());
      long harmed = injection.fault().inject(theatre);
      traffic.rewatch(harmed);
      double seconds = recovery(traffic, injection.fault(), harmed);
      injection.fault().heal(theatre);
      recoveries.add(seconds);
      news.accept(
          String.format(
              Locale.ROOT,
              "%s %d of %d: recovered in %.1f s",
              injection.fault().name(),
              i,
              injection.times(),
              seconds));
    }
    return recoveries;
  }

  private static double recovery(Traffic traffic, Fault fault, long harmed) {
    long answered =
        traffic
            .awaitAnswer(PATIENCE)
            .orElseThrow(
                () ->
                    new IllegalStateException(
                        "no new answer within " + PATIENCE + " after " + fault.name()));
    return (answered - harmed) / 1e9;
  }

  private Judgement judged(Traffic traffic) {
    String missing = traffic.drain(PATIENCE);
    Judgement judgement = judge.judge(cluster.jobConfig());
    if (missing.isEmpty()) {
      return judgement;
    }
    List<String> all = new ArrayList<>(judgement.violations());
    all.add("not drained within " + PATIENCE + ": " + missing);
    return new Judgement(all, judgement.contexts(), judgement.decisions(), judgement.applied());
  }

  private static Row row(
      Injection injection, List<Double> recoveries, Judgement judgement, Judgement before) {
    List<String> fresh = new ArrayList<>(judgement.violations());
    fresh.removeAll(before.violations());
    return new Row(
        injection.fault().name(),
        injection.times(),
        injection.fault().budget().map(Duration::toSeconds).orElse(null),
        recoveries,
        fresh,
        injection.fault().isBeyondPromise());
  }
}
