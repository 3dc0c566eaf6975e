package io.equipoise.offline;

import io.equipoise.job.control.PublishedControls;
import io.equipoise.job.options.JobConfig;
import io.equipoise.job.options.JobOptions;
import io.equipoise.job.topics.Brokers;
import io.equipoise.segment.state.CompiledSpec;
import io.equipoise.segmentspec.Arm;
import io.equipoise.segmentspec.SegmentSpec;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
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
      Brokers.check(config.kafka());
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
    List<String> before = variables(one);
    List<String> after = variables(other);
    if (!before.equals(after)) {
      return "whose variables differ: "
          + (Set.copyOf(before).equals(Set.copyOf(after)) ? "their order" : beside(before, after));
    }
    List<String> arms = one.arms().list().stream().map(Arm::id).toList();
    List<String> others = other.arms().list().stream().map(Arm::id).toList();
    if (!Set.copyOf(arms).equals(Set.copyOf(others))) {
      return "whose arms differ: " + beside(arms, others);
    }
    if (!one.rewardMeaning().equals(other.rewardMeaning())) {
      return "whose rewards have another range or meaning";
    }
    return one.graph().equals(other.graph()) ? "" : "whose graph differs";
  }

  /** Returns a text for each variable; the levels of a number are its bins. */
  private static List<String> variables(SegmentSpec spec) {
    return spec.variables().all().stream().map(it -> it + " missing: " + it.missing()).toList();
  }

  private static String beside(List<String> one, List<String> other) {
    Set<String> both = new HashSet<>(one);
    both.retainAll(other);
    return new TreeSet<>(one)
            .stream()
                .filter(it -> !both.contains(it))
                .collect(Collectors.joining("; ", "there ", ""))
        + new TreeSet<>(other)
            .stream()
                .filter(it -> !both.contains(it))
                .collect(Collectors.joining("; ", ", in --spec ", ""));
  }
}
