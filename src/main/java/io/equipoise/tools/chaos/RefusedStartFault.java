package io.equipoise.tools.chaos;

import io.equipoise.job.options.Delivery;
import io.equipoise.tools.cluster.Cluster;
import io.equipoise.tools.cluster.ClusterException;
import io.equipoise.tools.cluster.FlinkRest;
import io.equipoise.tools.cluster.FlinkRest.JobState;
import io.equipoise.tools.cluster.Plan;
import io.equipoise.tools.cluster.Waiting;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Starts a job that must be refused. A start that is not refused is a violation, with or without
 * effect. Such a job runs for a while, so that the auditor also sees its output.
 *
 * @param refusal required part of the refusal's reason
 * @param isIdle whether the load stops meanwhile, so that the first job has nothing to write
 */
record RefusedStartFault(String name, Kind kind, String refusal, boolean isIdle) implements Fault {
  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final Duration BOTH = Duration.ofSeconds(30);

  /** What is wrong with the start. */
  enum Kind {
    /** The deployment already has a running job. Both would have the same transactional ids. */
    SECOND_JOB,
    /**
     * The savepoint belongs to a deployment with a running job. Both would read the same topics.
     */
    FOREIGN_SAVEPOINT,
    /** The deployment continued after the savepoint. The start would repeat decisions. */
    OLD_SAVEPOINT
  }

  @Override
  public FaultEffect inject(ChaosContext context) throws InterruptedException {
    return switch (kind) {
      case SECOND_JOB -> besideTheFirst(context, null);
      case FOREIGN_SAVEPOINT -> fromForeignSavepoint(context);
      case OLD_SAVEPOINT -> fromOldSavepoint(context);
    };
  }

  private FaultEffect fromForeignSavepoint(ChaosContext context) throws InterruptedException {
    Cluster cluster = context.cluster();
    String savepoint = stopAndResume(context);
    Plan plan = cluster.file().plan();
    String other = context.config().topics().deployment() + "-clone";
    cluster.replan(plan.with(Map.of("equipoise.deployment", other), Map.of()));
    try {
      return besideTheFirst(context, savepoint);
    } finally {
      cluster.replan(plan);
    }
  }

  private FaultEffect besideTheFirst(ChaosContext context, @Nullable String savepoint)
      throws InterruptedException {
    Cluster cluster = context.cluster();
    String first = context.job().id();
    FaultEffect effect = start(() -> submit(cluster, savepoint));
    if (effect.violations().isEmpty()) {
      return effect;
    }
    Thread.sleep(BOTH.toMillis());
    List<String> others =
        cluster.rest().jobs().stream().map(JobState::id).filter(id -> !id.equals(first)).toList();
    others.forEach(cluster.rest()::cancel);
    return new FaultEffect(System.nanoTime(), effect.violations());
  }

  /** At-least-once delivery accepts the older savepoint and repeats the decisions since then. */
  private FaultEffect fromOldSavepoint(ChaosContext context) {
    Cluster cluster = context.cluster();
    String old = stopAndResume(context);
    String newest = context.stopJob();
    if (context.config().delivery() == Delivery.AT_LEAST_ONCE) {
      long started = System.nanoTime();
      submit(cluster, old);
      return FaultEffect.at(started);
    }
    FaultEffect effect = start(() -> submit(cluster, old));
    if (effect.violations().isEmpty()) {
      cluster.submit(newest);
    }
    return effect;
  }

  /** Returns the savepoint from which the job runs and repeats decisions. */
  private static String stopAndResume(ChaosContext context) {
    String savepoint = context.stopJob();
    context.cluster().submit(savepoint);
    context.awaitSteady();
    return savepoint;
  }

  /** Submits a job and waits until all of it runs; throws with the reason if it fails for good. */
  private static void submit(Cluster cluster, @Nullable String savepoint) {
    long since = Clock.systemUTC().millis();
    cluster.submit(savepoint);
    FlinkRest rest = cluster.rest();
    boolean isKnown =
        Waiting.until(
            () ->
                rest.failure(since).isPresent()
                    || rest.jobs().stream()
                        .anyMatch(job -> job.startMillis() >= since && job.isWhole()),
            PATIENCE);
    Optional<String> failure = rest.failure(since);
    if (failure.isPresent()) {
      throw new ClusterException("the job failed: " + failure.get());
    }
    if (!isKnown) {
      throw new ClusterException("the job neither runs nor fails within " + PATIENCE);
    }
  }

  /**
   * Starts the job.
   *
   * @throws ClusterException if the start failed for another reason than the refusal
   */
  FaultEffect start(Runnable job) {
    try {
      job.run();
    } catch (ClusterException e) {
      if (String.valueOf(e.getMessage()).contains(refusal)) {
        return FaultEffect.at(System.nanoTime());
      }
      throw e;
    }
    return new FaultEffect(System.nanoTime(), List.of(accepted()));
  }

  String accepted() {
    return "a start was accepted that must be refused with: " + refusal;
  }
}
