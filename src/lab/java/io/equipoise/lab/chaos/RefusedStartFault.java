package io.equipoise.lab.chaos;

import io.equipoise.job.options.Delivery;
import io.equipoise.job.options.JobOptions;
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
import java.util.concurrent.ExecutionException;
import java.util.regex.Pattern;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.errors.TopicExistsException;
import org.jspecify.annotations.Nullable;

/**
 * Starts a job that must be refused. A start that is not refused is a violation, with or without
 * effect. Such a job runs for a while, so that the auditor also sees its output.
 *
 * @param refusal pattern of a part of the refusal's reason
 * @param isIdle whether the load stops meanwhile, so that the first job has nothing to write
 */
record RefusedStartFault(String name, Kind kind, String refusal, boolean isIdle) implements Fault {
  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final Duration BOTH = Duration.ofSeconds(30);

  /** Names the error of the start. */
  enum Kind {
    /** The deployment already has a running job. Both would have the same transactional ids. */
    SECOND_JOB,
    /**
     * The savepoint belongs to a deployment with a running job. Both would read the same topics.
     */
    FOREIGN_SAVEPOINT,
    /** The deployment continued after the savepoint. The start would repeat decisions. */
    OLD_SAVEPOINT,
    /**
     * The topic of contexts was deleted and created again after the savepoint. The start would skip
     * contexts. After the refusal the job starts with the option that accepts this.
     */
    REPLACED_CONTEXTS
  }

  @Override
  public boolean exceedsGuarantee() {
    return kind == Kind.REPLACED_CONTEXTS;
  }

  @Override
  public FaultEffect inject(ChaosContext context) throws InterruptedException {
    return switch (kind) {
      case SECOND_JOB -> besideTheFirst(context, null);
      case FOREIGN_SAVEPOINT -> fromForeignSavepoint(context);
      case OLD_SAVEPOINT -> fromOldSavepoint(context);
      case REPLACED_CONTEXTS -> afterReplacement(context);
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

  private FaultEffect afterReplacement(ChaosContext context) throws InterruptedException {
    Cluster cluster = context.cluster();
    String savepoint = context.stopJob();
    String topic = context.config().topics().contexts();
    try (Admin admin = Admin.create(context.config().kafka())) {
      int partitions =
          admin.describeTopics(List.of(topic)).allTopicNames().get().get(topic).partitions().size();
      admin.deleteTopics(List.of(topic)).all().get();
      if (!Waiting.until(() -> isCreated(admin, topic, partitions), PATIENCE)) {
        throw new ClusterException("the brokers do not create " + topic + " again");
      }
    } catch (ExecutionException e) {
      throw new IllegalStateException("cannot replace " + topic, e.getCause());
    }
    FaultEffect effect = start(() -> submit(cluster, savepoint));
    if (!effect.violations().isEmpty()) {
      throw new ClusterException(accepted()); // the auditor's findings are expected and hide it
    }
    Plan plan = cluster.file().plan();
    cluster.replan(plan.with(Map.of(JobOptions.ALLOW_REPLACED_INPUTS.key(), "true"), Map.of()));
    long started = System.nanoTime();
    cluster.submit(savepoint);
    cluster.replan(plan);
    return FaultEffect.at(started);
  }

  /** Creates a topic unless it exists; brokers delete the one before it a little later. */
  private static boolean isCreated(Admin admin, String topic, int partitions) {
    try {
      admin
          .createTopics(List.of(new NewTopic(topic, Optional.of(partitions), Optional.empty())))
          .all()
          .get();
      return true;
    } catch (ExecutionException e) {
      if (e.getCause() instanceof TopicExistsException) {
        return false;
      }
      throw new IllegalStateException("cannot create " + topic, e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
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
      if (Pattern.compile(refusal).matcher(String.valueOf(e.getMessage())).find()) {
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
