package io.equipoise.lab.chaos;

import io.equipoise.job.options.Delivery;
import io.equipoise.job.options.JobConfig;
import io.equipoise.lab.chaos.ChaosResult.Row;
import io.equipoise.lab.chaos.Fault.FaultEffect;
import io.equipoise.lab.chaos.FaultCatalog.Injection;
import io.equipoise.lab.chaos.LogVerifier.VerifiedLog;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.SpecFiles;
import io.equipoise.tools.cluster.Cluster;
import io.equipoise.tools.cluster.ClusterStart;
import io.equipoise.tools.cluster.ClusterStop;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs the chaos test once: starts a cluster, sends load, injects one kind of fault after the
 * other, and verifies the log after each.
 */
final class ChaosRun {
  /** Longer than any recovery on a machine with other work; ends the wait for a lost decision. */
  private static final Duration PATIENCE = Duration.ofMinutes(4);

  /** Long enough for all effects that were not lost. */
  private static final Duration LOSS_PATIENCE = Duration.ofSeconds(45);

  /** Within this time every segment has a context. */
  private static final Duration EVERY_SEGMENT = Duration.ofSeconds(2);

  /** Decisions that callers ask the gateway for. */
  private static final int CALLS_PER_SECOND = 10;

  private final Cluster cluster;
  private final Plan plan;
  private final Consumer<String> progress;
  private final long startedAt = System.nanoTime();

  /**
   * The plan of a run.
   *
   * @param perSecond contexts per second
   * @param visitsPerSecond visits of the site per second, 0 for no site
   * @param changing specs that change meanwhile
   * @param token of the gateways, null if they need none
   * @param network of the hosts, null if all processes are on loopback
   */
  record Plan(
      List<Injection> injections,
      Delivery delivery,
      int perSecond,
      int visitsPerSecond,
      long seed,
      List<ChangingSpec> changing,
      @Nullable String token,
      @Nullable HostNetwork network) {
    Plan {
      injections = List.copyOf(injections);
      changing = List.copyOf(changing);
    }
  }

  /**
   * The result of one kind of fault.
   *
   * @param recoveries of every injection, seconds
   * @param seen violations that the fault itself observed
   */
  record FaultResult(List<Double> recoveries, List<String> seen) {
    FaultResult {
      recoveries = List.copyOf(recoveries);
      seen = List.copyOf(seen);
    }
  }

  ChaosRun(Cluster cluster, Plan plan, Consumer<String> progress) {
    this.cluster = cluster;
    this.plan = plan;
    this.progress = progress;
  }

  /** Runs to the end and leaves the processes running. */
  ChaosResult run() throws InterruptedException {
    List<Row> rows = new ArrayList<>();
    List<VerifiedLog> ends = new ArrayList<>();
    Path watched = cluster.layout().specs();
    WatchedSpecs.write(Path.of(cluster.file().plan().specs()), watched);
    cluster.replan(cluster.file().plan().withSpecs(watched.toString()));
    new ClusterStart(cluster, progress).processes();
    try (Supervisor supervisor = new Supervisor(cluster)) {
      supervisor.start();
      List<Injection> within =
          plan.injections().stream().filter(it -> !it.fault().exceedsGuarantee()).toList();
      if (!within.isEmpty()) {
        ends.add(runDeployment("chaos", within, supervisor, rows));
      }
      for (Injection injection : plan.injections()) {
        if (injection.fault().exceedsGuarantee()) {
          String deployment = "chaos-" + injection.fault().name();
          ends.add(runDeployment(deployment, List.of(injection), supervisor, rows));
        }
      }
    }
    return new ChaosResult(
        plan.delivery().toString(),
        plan.seed(),
        plan.perSecond(),
        rows,
        ends.stream().mapToLong(VerifiedLog::contexts).sum(),
        ends.stream().mapToLong(VerifiedLog::rewards).sum(),
        ends.stream().mapToLong(VerifiedLog::snapshots).sum(),
        (System.nanoTime() - startedAt) / 1e9);
  }

  /** Injects some faults on one deployment; returns the verified log at its end. */
  private VerifiedLog runDeployment(
      String deployment, List<Injection> injections, Supervisor supervisor, List<Row> rows)
      throws InterruptedException {
    Map<String, String> settings = new TreeMap<>();
    injections.forEach(injection -> settings.putAll(injection.fault().settings()));
    settings.put("equipoise.deployment", deployment);
    settings.put("equipoise.delivery", plan.delivery().toString());
    cluster.replan(cluster.file().plan().with(settings, Map.of()));
    new ClusterStart(cluster, progress).job();
    JobConfig config = cluster.jobConfig();
    List<SegmentSpec> specs = SpecFiles.load(Path.of(cluster.file().plan().specs()));
    Set<String> retired = new HashSet<>();
    injections.forEach(injection -> retired.addAll(injection.fault().retiredSpecs()));
    VerifiedLog last = new VerifiedLog(List.of(), 0, 0, 0);
    try (Traffic traffic =
            new Traffic(config, specs, plan.perSecond(), plan.seed(), Clock.systemUTC());
        GatewayTraffic callers =
            new GatewayTraffic(
                config,
                new PersistentCaller(cluster.gatewayAddresses(), plan.token()),
                specs.stream().filter(spec -> !retired.contains(spec.name())).toList(),
                CALLS_PER_SECOND,
                nanos -> {},
                Clock.systemUTC());
        SiteTraffic site =
            new SiteTraffic(
                config,
                new PersistentCaller(cluster.gatewayAddresses(), plan.token()),
                plan.visitsPerSecond(),
                plan.seed(),
                Clock.systemUTC());
        SpecChurn churn = new SpecChurn(config, cluster.layout(), plan.changing())) {
      traffic.start(0, PATIENCE);
      callers.start();
      site.start();
      churn.start();
      ChaosContext context =
          new ChaosContext(
              cluster,
              supervisor,
              new SplittableRandom(plan.seed()),
              config,
              progress,
              plan.network());
      for (Injection injection : injections) {
        FaultResult result = inject(injection, context, traffic, callers);
        context.awaitSteady();
        boolean isLossExpected = injection.fault().exceedsGuarantee();
        churn.pause();
        callers.drain();
        site.drain();
        progress.accept(callers.summary());
        if (!plan.changing().isEmpty()) {
          progress.accept("specs: version " + churn.versions() + " is published");
        }
        VerifiedLog verified = verified(config, traffic, isLossExpected ? LOSS_PATIENCE : PATIENCE);
        if (!isLossExpected) {
          verified = with(callers.verify(), with(site.verify(), verified));
        }
        if (plan.visitsPerSecond() > 0) {
          progress.accept(site.summary());
        }
        Row row = row(injection, result, verified, last);
        progress.accept(row.summary());
        row.firstViolations().forEach(progress);
        rows.add(row);
        last = verified;
        traffic.resume();
        callers.resume();
        site.resume();
        churn.resume();
      }
    }
    new ClusterStop(cluster, progress).stopJob();
    cluster.rememberSavepoint(cluster.jobName(), null);
    return last;
  }

  private FaultResult inject(
      Injection injection, ChaosContext context, Traffic traffic, GatewayTraffic callers)
      throws InterruptedException {
    List<String> seen = new ArrayList<>();
    List<Double> recoveries = new ArrayList<>();
    for (int i = 1; i <= injection.times(); i++) {
      context.awaitSteady();
      context.awaitAnyMoment();
      boolean isIdle = injection.fault().isIdle();
      if (isIdle) {
        callers.drain();
        traffic.drain(PATIENCE);
      }
      traffic.truth().watch(System.nanoTime());
      FaultEffect effect = injection.fault().inject(context);
      if (isIdle) {
        traffic.resume();
        callers.resume();
      }
      seen.addAll(effect.violations());
      traffic.truth().rewatch(effect.doneAt());
      double seconds = recovery(traffic, context);
      recoveries.add(seconds);
      progress.accept(
          "%s %d of %d: %s"
              .formatted(
                  injection.fault().name(),
                  i,
                  injection.times(),
                  Double.isInfinite(seconds)
                      ? "not recovered within " + PATIENCE.toMinutes() + " min"
                      : String.format(Locale.ROOT, "recovered in %.1f s", seconds)));
      if (!callers.awaitAnswers(PATIENCE)) {
        seen.add("callers of the gateway are not answered within " + PATIENCE);
      }
    }
    return new FaultResult(recoveries, seen);
  }

  /**
   * Waits until the whole job runs again and all contexts since the fault have their decisions.
   * Returns the longest wait of one of them, seconds; infinity if one gets no decision. The first
   * decision alone would hide what another part of the job leaves waiting, or that it restarts
   * later.
   */
  private static double recovery(Traffic traffic, ChaosContext context)
      throws InterruptedException {
    boolean isBack = traffic.awaitDecision(PATIENCE);
    if (isBack) {
      Thread.sleep(EVERY_SEGMENT.toMillis());
      context.awaitSteady();
      isBack = traffic.awaitDecisions(PATIENCE);
    }
    double seconds = traffic.truth().unwatch().toNanos() / 1e9;
    return isBack ? seconds : Double.POSITIVE_INFINITY;
  }

  private VerifiedLog verified(JobConfig config, Traffic traffic, Duration patience)
      throws InterruptedException {
    String missing = traffic.drain(patience);
    VerifiedLog verified = LogVerifier.verify(config);
    if (missing.isEmpty()) {
      return verified;
    }
    return with(List.of("not drained within " + patience + ": " + missing), verified);
  }

  private static VerifiedLog with(List<String> more, VerifiedLog verified) {
    List<String> all = new ArrayList<>(verified.violations());
    all.addAll(more);
    return new VerifiedLog(all, verified.contexts(), verified.rewards(), verified.snapshots());
  }

  /** Summarizes one kind: violations that the fault observed, and new violations of the log. */
  static Row row(
      Injection injection, FaultResult result, VerifiedLog verified, VerifiedLog before) {
    List<String> found = new ArrayList<>(verified.violations());
    found.removeAll(before.violations());
    List<String> violations = new ArrayList<>(result.seen());
    violations.addAll(found);
    return new Row(
        injection.fault().name(),
        injection.times(),
        injection.fault().budget().map(Duration::toSeconds).orElse(null),
        result.recoveries(),
        violations,
        injection.fault().exceedsGuarantee());
  }
}
