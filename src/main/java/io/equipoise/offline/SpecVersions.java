package io.equipoise.offline;

import io.equipoise.job.control.PublishedControls;
import io.equipoise.job.options.JobConfig;
import io.equipoise.job.options.JobOptions;
import io.equipoise.job.topics.Brokers;
import io.equipoise.segment.state.CompiledSpec;
import io.equipoise.segmentspec.Arm;
import io.equipoise.segmentspec.SegmentSpec;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.apache.flink.configuration.Configuration;

/** Compares a spec with the published ones, which a log names by hash. */
final class SpecVersions {
  private SpecVersions() {}

  /**
   * Reads the specs topic if a configuration names a deployment.
   *
   * @return a difference by hash, empty if rows of both specs mean the same
   */
  static Map<String, String> of(SegmentSpec spec, Configuration given) throws InterruptedException {
    Map<String, String> differences = new HashMap<>();
    if (given.contains(JobOptions.DEPLOYMENT)) {
      JobConfig config = JobConfig.from(given);
      Brokers.connect(config, config.topics().controls()).close();
      for (CompiledSpec published : PublishedControls.read(config).all()) {
        SegmentSpec other = published.spec();
        String difference = difference(other, spec);
        differences.put(
            other.hash(), difference.isEmpty() ? "" : "is of " + other + ", " + difference);
      }
    }
    return differences;
  }

  private static String difference(SegmentSpec one, SegmentSpec other) {
    List<String> before = meaning(one);
    List<String> after = meaning(other);
    return IntStream.range(0, before.size())
        .filter(i -> !before.get(i).equals(after.get(i)))
        .mapToObj(i -> "with " + before.get(i) + ", not " + after.get(i))
        .findFirst()
        .orElse("");
  }

  /** Returns what rows mean: variables, where bins are levels, arms, rewards and graph. */
  private static List<String> meaning(SegmentSpec spec) {
    return List.of(
        "variables "
            + spec.variables().all().stream().map(it -> it + " missing " + it.missing()).toList(),
        "arms " + new TreeSet<>(spec.arms().list().stream().map(Arm::id).toList()),
        spec.rewardMeaning(),
        "graph " + spec.graph().fingerprint());
  }
}
