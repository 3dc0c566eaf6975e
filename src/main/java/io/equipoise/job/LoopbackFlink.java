package io.equipoise.job;

import java.util.stream.Stream;
import org.apache.flink.client.deployment.executors.LocalExecutor;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.DeploymentOptions;
import org.apache.flink.configuration.JobManagerOptions;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.configuration.WebOptions;
import org.apache.flink.core.execution.PipelineExecutor;
import org.apache.flink.core.execution.PipelineExecutorFactory;
import org.apache.flink.core.execution.PipelineExecutorServiceLoader;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/**
 * Sets the network options of every Flink cluster inside this JVM: its sockets listen on loopback
 * only.
 *
 * <p>Flink's own local executor binds its REST and BLOB servers to all interfaces and accepts jobs
 * there. That allows code execution to everyone on the network. {@link #environment} uses a {@link
 * LoopbackCluster} instead.
 */
public final class LoopbackFlink {
  /** Loopback address of the sockets. */
  public static final String ADDRESS = "127.0.0.1";

  private LoopbackFlink() {}

  /** Returns a copy with the network settings of a cluster inside this JVM. */
  public static Configuration settings(Configuration given) {
    Configuration settings = new Configuration(given);
    // The configuration of a real cluster may name other hosts.
    settings.set(JobManagerOptions.ADDRESS, ADDRESS);
    settings.set(JobManagerOptions.BIND_HOST, ADDRESS);
    settings.set(TaskManagerOptions.HOST, ADDRESS);
    settings.set(TaskManagerOptions.BIND_HOST, ADDRESS);
    settings.set(RestOptions.ADDRESS, ADDRESS);
    settings.set(RestOptions.BIND_ADDRESS, ADDRESS);
    if (!settings.contains(RestOptions.BIND_PORT) && !settings.contains(RestOptions.PORT)) {
      settings.set(RestOptions.BIND_PORT, "0");
    }
    settings.set(WebOptions.SUBMIT_ENABLE, false);
    settings.set(WebOptions.CANCEL_ENABLE, false);
    return settings;
  }

  /**
   * Returns the environment of this process: the cluster that the configuration or the caller of
   * the main class names, otherwise a {@link LoopbackCluster} for each job.
   */
  public static StreamExecutionEnvironment environment(Configuration given) {
    StreamExecutionEnvironment environment =
        StreamExecutionEnvironment.getExecutionEnvironment(given);
    if (!LocalExecutor.NAME.equals(environment.getConfiguration().get(DeploymentOptions.TARGET))) {
      return environment;
    }
    Configuration settings = new Configuration();
    settings.addAll((Configuration) environment.getConfiguration());
    return new StreamExecutionEnvironment(
        new Executors(), settings(settings), Thread.currentThread().getContextClassLoader());
  }

  /** Finds the only available executor. */
  private static final class Executors
      implements PipelineExecutorServiceLoader, PipelineExecutorFactory {
    @Override
    public PipelineExecutorFactory getExecutorFactory(Configuration configuration) {
      return this;
    }

    @Override
    public Stream<String> getExecutorNames() {
      return Stream.of(getName());
    }

    @Override
    public String getName() {
      return LocalExecutor.NAME;
    }

    @Override
    public boolean isCompatibleWith(Configuration configuration) {
      return true;
    }

    @Override
    public PipelineExecutor getExecutor(Configuration configuration) {
      return LocalExecutor.createWithFactory(configuration, LoopbackCluster::new);
    }
  }
}
