package io.equipoise.lab.chaos;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.Tier;
import io.equipoise.job.options.JobOptions;
import io.equipoise.policy.logistic.LogisticPolicyName;
import io.equipoise.policy.tabular.TabularPolicyName;
import io.equipoise.segmentspec.PolicyName;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.SpecFiles;
import io.equipoise.tools.EmbeddedDeployment;
import io.equipoise.tools.cluster.Waiting;
import io.equipoise.tools.demo.ShippedSpecs;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.CoreOptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The traffic that every run of {@code chaos} has, without a fault. */
@Tag("full")
class TrafficTest {
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  @Test
  void everyContextIsDecidedAndEveryRewardLearnedBeforeAndAfterAPause() throws Exception {
    Configuration settings = new Configuration();
    settings.set(CoreOptions.DEFAULT_PARALLELISM, 1);
    settings.set(JobOptions.PARTITIONS, 1);
    settings.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, Duration.ofMillis(250));
    List<PolicyName> policies = List.of(TabularPolicyName.UCB, LogisticPolicyName.SCREEN);
    try (EmbeddedDeployment deployment =
            EmbeddedDeployment.start(
                "traffic", settings, directory -> ShippedSpecs.writeTo(directory, policies, null));
        Traffic traffic =
            new Traffic(deployment.config(), deployment.specs(), 200, 1, Clock.systemUTC())) {
      traffic.start(0, PATIENCE);
      assertEquals("", traffic.drain(PATIENCE));
      traffic.truth().watch(System.nanoTime());
      assertTrue(traffic.truth().isSettled());
      traffic.resume();
      assertTrue(traffic.awaitDecision(PATIENCE));
      assertEquals("", traffic.drain(PATIENCE));
    }
  }

  /** As after an outage that is longer than the windows. */
  @Test
  void rewardsThatComeAfterTheirWindowMustBeDeadLettersAndAllOthersLearned() throws Exception {
    Configuration settings = new Configuration();
    settings.set(CoreOptions.DEFAULT_PARALLELISM, 1);
    settings.set(JobOptions.PARTITIONS, 1);
    settings.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, Duration.ofMillis(250));
    List<PolicyName> policies = List.of(TabularPolicyName.UCB, LogisticPolicyName.SCREEN);
    try (EmbeddedDeployment deployment =
            EmbeddedDeployment.start(
                "late-traffic", settings, directory -> shortened(directory, policies));
        Traffic traffic =
            new Traffic(deployment.config(), deployment.specs(), 100, 1, Clock.systemUTC())) {
      traffic.start(0, PATIENCE);
      assertTrue(Waiting.until(() -> late(traffic) >= 50, PATIENCE));
      assertEquals("", traffic.drain(PATIENCE));
      Tier.found(getClass(), "late rewards", late(traffic));
    }
  }

  private static int late(Traffic traffic) {
    traffic.check();
    return traffic.truth().late().values().stream().mapToInt(Integer::intValue).sum();
  }

  private static List<SegmentSpec> shortened(Path directory, List<PolicyName> policies) {
    ShippedSpecs.writeTo(directory, policies, null);
    try (DirectoryStream<Path> specs = Files.newDirectoryStream(directory, "*.yaml")) {
      for (Path spec : specs) {
        Files.writeString(
            spec,
            Files.readString(spec)
                .replaceAll("(reward-window|dedup-window|early-reward-timeout): \\d+m", "$1: 1s"));
      }
      return SpecFiles.load(directory);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
