package io.equipoise.tools.demo;

import io.equipoise.gateway.Gateway;
import io.equipoise.gateway.GatewayConfig;
import io.equipoise.job.options.Delivery;
import io.equipoise.job.options.JobOptions;
import io.equipoise.segmentspec.PolicyName;
import io.equipoise.tools.EmbeddedDeployment;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.CoreOptions;
import org.apache.flink.configuration.ExecutionOptions;
import org.jspecify.annotations.Nullable;

/** Configures the demo's deployment. */
final class DemoCluster {
  static final String DEPLOYMENT = "demo";
  static final int PARTITIONS = 2;

  /** The demo has its own event time, {@link SimulatedTime}, which alone moves it on. */
  private static final Duration MAX_LAG = Duration.ofDays(36_500);

  /** The approximate latency of an exactly-once decision. */
  private static final Duration CHECKPOINT_INTERVAL = Duration.ofMillis(250);

  private static final Duration BUFFER_TIMEOUT = Duration.ofMillis(10);

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private DemoCluster() {}

  /** Starts everything and waits until the job runs; specs are in the order of the policies. */
  static EmbeddedDeployment start(
      List<PolicyName> policies, @Nullable Double tau, Delivery delivery)
      throws InterruptedException {
    Configuration settings = new Configuration();
    settings.set(CoreOptions.DEFAULT_PARALLELISM, PARTITIONS);
    settings.set(JobOptions.PARTITIONS, PARTITIONS);
    settings.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, CHECKPOINT_INTERVAL);
    settings.set(JobOptions.MAX_LAG, MAX_LAG);
    settings.set(JobOptions.IDLE_TIMEOUT, MAX_LAG);
    settings.set(JobOptions.MAX_APPEND_DELAY, MAX_LAG);
    settings.set(JobOptions.DELIVERY, delivery);
    settings.set(JobOptions.WARM_UP, Duration.ZERO); // somebody waits for the first decision
    if (delivery == Delivery.EXACTLY_ONCE) {
      settings.set(ExecutionOptions.BUFFER_TIMEOUT, BUFFER_TIMEOUT);
    }
    return EmbeddedDeployment.start(
        DEPLOYMENT, settings, directory -> ShippedSpecs.writeTo(directory, policies, tau));
  }

  /** Starts a gateway on a free port. It waits for exactly-once decisions too. */
  static Gateway gateway(EmbeddedDeployment cluster) throws InterruptedException {
    Configuration settings = cluster.settings();
    settings.setString("gateway.port", "0");
    settings.setString("gateway.deadline", "10 s");
    Gateway gateway = Gateway.start(GatewayConfig.from(settings), Clock.systemUTC());
    boolean unused = gateway.awaitReady(PATIENCE);
    return gateway;
  }
}
