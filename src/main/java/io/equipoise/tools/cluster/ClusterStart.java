package io.equipoise.tools.cluster;

import io.equipoise.job.options.JobConfig;
import io.equipoise.tools.cluster.FlinkRest.JobState;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** Starts the missing processes of a cluster, and the job. */
public record ClusterStart(Cluster cluster, Consumer<String> news) {
  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final int CONNECT_MILLIS = 500;

  /**
   * Starts missing processes, waits until all are ready and the whole job runs. Leaves running ones
   * unchanged. If there is no job then, because it was refused or a process is not ready, ends
   * those that it started.
   *
   * @throws ClusterException if a port is in use, or a process dies or does not become ready, with
   *     the end of its log
   */
  public void run() {
    JobConfig unused = cluster.jobConfig(); // refused before a process starts
    List<ClusterProcess> missing =
        cluster.members().stream().filter(it -> !cluster.isAlive(it)).toList();
    missing.forEach(cluster::requireFree);
    long since;
    try {
      processes();
      since = submit();
    } catch (RuntimeException e) {
      new ClusterStop(cluster, news).end(missing);
      throw e;
    }
    serve(since);
  }

  /** Starts missing processes and waits until all are ready. */
  public void processes() {
    List<String> started = new ArrayList<>();
    for (ClusterProcess clusterProcess : members(false)) {
      if (cluster.start(clusterProcess)) {
        started.add(clusterProcess.name());
      }
      if (clusterProcess.equals(ClusterProcess.ZOOKEEPER)) { // the others connect to it at once
        await(clusterProcess, () -> listens(clusterProcess, cluster.file().ports().zookeeper()));
      }
    }
    news.accept(
        started.isEmpty()
            ? "Kafka and Flink are running already."
            : "Started " + String.join(", ", started) + ".");
    for (ClusterProcess clusterProcess : cluster.members()) {
      switch (clusterProcess.kind()) {
        case KAFKA ->
            await(clusterProcess, () -> listens(clusterProcess, cluster.file().ports().kafka()));
        case JOBMANAGER -> await(clusterProcess, cluster.rest()::answers);
        case TASKMANAGER ->
            await(clusterProcess, () -> cluster.rest().slots().containsKey(clusterProcess.name()));
        default -> {} // awaited before, or started with the job
      }
    }
    news.accept("Kafka and Flink are ready.");
  }

  /**
   * Submits the job, if there is none, waits until all of it runs, and starts gateway and console.
   *
   * @throws ClusterException if it fails for good, with the reason, or does not run in time
   */
  public void job() {
    serve(submit());
  }

  /** Submits the job, if there is none; returns since when it may have failed, epoch ms. */
  private long submit() {
    Optional<JobState> job = cluster.rest().job();
    job.ifPresent(this::refuseOther);
    long since = job.map(JobState::startMillis).orElseGet(System::currentTimeMillis);
    if (job.isEmpty()) {
      members(true).forEach(cluster::kill); // they may serve another deployment
      Optional<String> savepoint =
          Optional.ofNullable(cluster.file().savepoints().get(cluster.jobName()))
              .map(this::present);
      cluster.submit(savepoint.orElse(null));
      news.accept(
          "Submitted the job" + savepoint.map(path -> ", starting from " + path).orElse("") + ".");
    } else {
      news.accept("The job is there already. `equipoise specs publish` changes its specs.");
    }
    return since;
  }

  /** Waits until all of the job runs, and starts gateway and console. */
  private void serve(long since) {
    if (!Waiting.until(() -> isJobWhole(since), PATIENCE)) {
      throw new ClusterException(
          "the job is "
              + cluster.rest().job().map(JobState::state).orElse("gone")
              + " after "
              + PATIENCE.toMinutes()
              + " min, see "
              + cluster.rest().root()
              + "; "
              + cluster.layout().logTail(ClusterProcess.JOB_MANAGER.name()));
    }
    cluster.rememberSavepoint(
        cluster.jobName(), null); // only now: a start that failed needs it again
    news.accept("All tasks of the job run.");
    members(true).forEach(cluster::start);
    for (ClusterProcess service : members(true)) {
      await(service, () -> cluster.isServing(service));
      news.accept("The " + service.name() + " is ready.");
    }
  }

  /** Returns where a savepoint is, also after the cluster's directory was moved. */
  String present(String savepoint) {
    Path stored = Path.of(URI.create(savepoint));
    Path here = cluster.layout().savepoints().resolve(stored.getFileName());
    return Files.exists(stored) || !Files.exists(here) ? savepoint : here.toUri().toString();
  }

  /** Rejects a job that the job manager has recovered and that the configuration does not name. */
  private void refuseOther(JobState job) {
    String name = cluster.jobName();
    if (!job.name().equals(name)) {
      throw new ClusterException(
          "the cluster has the job '%s', which was not stopped with a savepoint, and the configuration names '%s'; set equipoise.deployment back and run up and down first, or use a new --dir"
              .formatted(job.name(), name));
    }
  }

  private List<ClusterProcess> members(boolean serveTopics) {
    return cluster.members().stream().filter(one -> one.servesTopics() == serveTopics).toList();
  }

  private boolean isJobWhole(long since) {
    members(false).forEach(this::requireAlive);
    Optional<String> failure = cluster.rest().failure(since);
    if (failure.isPresent()) {
      throw new ClusterException("the job failed: " + failure.get());
    }
    return cluster.rest().job().map(JobState::isWhole).orElse(false);
  }

  private void await(ClusterProcess clusterProcess, BooleanSupplier isReady) {
    BooleanSupplier isReadyOrDead =
        () -> {
          requireAlive(clusterProcess);
          return isReady.getAsBoolean();
        };
    if (!Waiting.until(isReadyOrDead, PATIENCE)) {
      throw new ClusterException(
          clusterProcess.name()
              + " is not ready after "
              + PATIENCE.toMinutes()
              + " min; "
              + cluster.layout().logTail(clusterProcess.name()));
    }
  }

  private void requireAlive(ClusterProcess clusterProcess) {
    if (!cluster.isAlive(clusterProcess)) {
      throw new ClusterException(
          clusterProcess.name() + " has ended; " + cluster.layout().logTail(clusterProcess.name()));
    }
  }

  private boolean listens(ClusterProcess clusterProcess, int port) {
    try (Socket socket = new Socket()) {
      String address = cluster.hosts().address(clusterProcess);
      socket.connect(new InetSocketAddress(address, port), CONNECT_MILLIS);
      return true;
    } catch (IOException e) {
      return false;
    }
  }
}
