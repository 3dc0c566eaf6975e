package io.equipoise.tools;

import io.equipoise.job.LoopbackCluster;
import io.equipoise.job.LoopbackFlink;
import java.net.URI;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.CoreOptions;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/**
 * Runs a Flink cluster in this JVM, on loopback: one job manager and one task manager with the
 * given number of slots. Jobs run until they are cancelled, stopped or the cluster is closed.
 *
 * <p>Memory sizes come from the configuration. The defaults are small enough for a cluster beside
 * an embedded broker in one gigabyte of heap.
 */
public final class LocalCluster implements AutoCloseable {
  private static final String NETWORK_MEMORY = "64m";
  private static final String MANAGED_MEMORY = "64m";

  private final MiniCluster cluster;
  private final Configuration configuration;

  /** Index of the running task manager: the cluster keeps ended ones in its list. */
  private int taskManager;

  private LocalCluster(MiniCluster cluster, Configuration configuration) {
    this.cluster = cluster;
    this.configuration = configuration;
  }

  /** Starts a cluster with a number of slots, which is also its jobs' default parallelism. */
  public static LocalCluster start(Configuration given, int slots) {
    var configuration = withDefaults(given, slots);
    var cluster =
        new LoopbackCluster(
            new MiniClusterConfiguration.Builder()
                .setConfiguration(configuration)
                .setNumTaskManagers(1)
                .setNumSlotsPerTaskManager(slots)
                .setCommonBindAddress(LoopbackFlink.ADDRESS)
                .build());
    try {
      cluster.start();
    } catch (Exception e) { // start() declares no subclass, and has closed the cluster
      throw new IllegalStateException("the local Flink cluster did not start", e);
    }
    return new LocalCluster(cluster, configuration);
  }

  /** Creates an environment with the cluster's configuration and parallelism. */
  public StreamExecutionEnvironment environment() {
    return environment(new Configuration());
  }

  /** As {@link #environment()}, with settings that override the cluster's. */
  public StreamExecutionEnvironment environment(Configuration settings) {
    var merged = new Configuration(configuration);
    merged.addAll(settings);
    return new StreamExecutionEnvironment(merged);
  }

  /**
   * Submits the environment's job and returns when the cluster has accepted it, before the job
   * runs: see {@link LocalJob#awaitRunning}.
   */
  public LocalJob submit(StreamExecutionEnvironment environment, String name) {
    var graph = environment.getStreamGraph();
    graph.setJobName(name);
    var submitted = Futures.get(cluster.submitJob(graph.getJobGraph()), "submitting " + name);
    return new LocalJob(cluster, submitted.getJobID());
  }

  /** Ends the task manager abruptly and starts another: its jobs fail and restart. */
  public void replaceTaskManager() {
    endTaskManager();
    try {
      cluster.startTaskManager();
    } catch (Exception e) { // startTaskManager() declares no subclass
      throw new IllegalStateException("the replacement task manager did not start", e);
    }
  }

  /** Returns the number of task managers that the cluster has. */
  public int taskManagers() {
    return Futures.get(cluster.requestClusterOverview(), "requesting the cluster's task managers")
        .getNumTaskManagersConnected();
  }

  /** Ends the task manager and starts no other. */
  void endTaskManager() {
    Futures.get(cluster.terminateTaskManager(taskManager++), "ending the task manager");
  }

  /** Returns the address of Flink's web page and REST interface. */
  public URI webInterface() {
    return Futures.get(cluster.getRestAddress(), "requesting the REST address");
  }

  /** Stops every job without a savepoint and waits until the cluster is down. */
  @Override
  public void close() {
    Futures.get(cluster.closeAsync(), "closing the local Flink cluster");
  }

  private static Configuration withDefaults(Configuration given, int slots) {
    var configuration = new Configuration();
    configuration.set(RestOptions.BIND_PORT, "0");
    configuration.set(CoreOptions.DEFAULT_PARALLELISM, slots);
    configuration.setString(TaskManagerOptions.NETWORK_MEMORY_MIN.key(), NETWORK_MEMORY);
    configuration.setString(TaskManagerOptions.NETWORK_MEMORY_MAX.key(), NETWORK_MEMORY);
    configuration.setString(TaskManagerOptions.MANAGED_MEMORY_SIZE.key(), MANAGED_MEMORY);
    configuration.addAll(given);
    return LoopbackFlink.settings(configuration);
  }
}
