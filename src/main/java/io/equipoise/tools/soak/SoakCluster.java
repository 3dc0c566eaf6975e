package io.equipoise.tools.soak;

import io.equipoise.job.options.JobOptions;
import io.equipoise.policy.tabular.TabularPolicyName;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.SpecFiles;
import io.equipoise.tools.EmbeddedDeployment;
import io.equipoise.tools.demo.ShippedSpecs;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.CoreOptions;

/** The settings of the soak's deployment, and its one spec, which covers all segments. */
final class SoakCluster {
  private static final int PARALLELISM = 2;

  private SoakCluster() {}

  /** Starts everything and waits until the job runs. */
  static EmbeddedDeployment start(SoakPlan plan, Configuration given) throws InterruptedException {
    Configuration settings = new Configuration();
    settings.set(CoreOptions.DEFAULT_PARALLELISM, PARALLELISM);
    settings.set(JobOptions.PARTITIONS, PARALLELISM);
    settings.addAll(given);
    return EmbeddedDeployment.start("soak", settings, directory -> specs(plan, directory));
  }

  /** Changes the campaign's UCB spec: all segments, short windows and the idle-state rule. */
  private static List<SegmentSpec> specs(SoakPlan plan, Path directory) {
    ShippedSpecs.writeTo(directory, List.of(TabularPolicyName.UCB), null);
    Path file = directory.resolve("email-ucb.yaml");
    try {
      String text = Files.readString(file).replaceFirst("(?m)^segments:.*$", "segments: default");
      Files.writeString(
          file, ShippedSpecs.withIdleState(text, SoakPlan.HORIZON, plan.idleAfter(), plan.keep()));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write the spec to " + file, e);
    }
    return SpecFiles.load(file);
  }
}
