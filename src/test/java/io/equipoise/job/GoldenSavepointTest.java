package io.equipoise.job;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.equipoise.Tier;
import io.equipoise.event.CausalBoundSet;
import io.equipoise.event.DecisionLedger;
import io.equipoise.event.SegmentEvent;
import io.equipoise.event.SegmentEventType;
import io.equipoise.event.SegmentMetrics;
import io.equipoise.segment.SpecVariant;
import io.equipoise.segment.TestBounds;
import io.equipoise.segment.TestSpecs;
import io.equipoise.tools.LocalJob;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Restores the committed savepoint, which has a segment of every kind of block: cells, prior
 * bounds, ridge regressions with duals and groups, a logistic regression, allocation matching, an
 * experiment, what an earlier spec's arms and levels meant, and segments that rest.
 */
class GoldenSavepointTest {
  private static final GoldenSavepoint GOLDEN = GoldenSavepoint.ofVersion(1);
  private static final long START = 1_760_000_000_000L;
  private static final String JOIN =
      "{reward-window: 60s, early-reward-timeout: 30s, dedup-window: 60s}";
  private static final Map<String, String> POLICIES =
      new TreeMap<>(
          Map.of(
              "dual", "linucb, constraint: dual",
              "fair", "fair-linucb, groups: {attribute: S, privileged: a, protected: b}",
              "logistic", "eps-cclb, epsilon: 0.1, dual: {schedule: anytime}",
              "matching", "oam, horizon: 50",
              "causal-bounds", TestBounds.policy("ucb-pcb", "ignore"),
              "search", "csr-v2, samples: 20, control: \"A=left\""));
  private static final List<String> RESTING = List.of("resting-model", "resting-none");
  private static final String[] ARMS = {"{id: one, A: left}", "{id: two, A: right}"};
  private static final CausalBoundSet BOUNDS =
      TestBounds.set(1, new double[] {0.25, 0.5}, new double[] {0, 1});

  /** Segments are named after their specs. */
  private static String named(String name, String spec) {
    return spec.replace("name: test", "name: " + name)
        .replace("segments: default", "segments: {exact: [" + name + "]}");
  }

  private static List<String> segments() {
    List<String> segments = new ArrayList<>(POLICIES.keySet());
    segments.add("changed");
    return segments;
  }

  private static List<String> specs() {
    List<String> specs = new ArrayList<>();
    POLICIES.forEach(
        (name, policy) ->
            specs.add(
                named(
                    name,
                    name.equals("search")
                        ? TestSpecs.experiment(policy, 1, JOIN, "{range: [0, 1]}", "reject")
                        : SpecVariant.of(policy).text())));
    for (String name : RESTING) {
      String keep = name.substring(name.indexOf('-') + 1);
      specs.add(
          named(name, SpecVariant.of("ucb").text())
              + "idle-state: {after: 120s, retain: %s}\n".formatted(keep));
    }
    specs.add(named("changed", SpecVariant.of("ucb").arms(ARMS).text()));
    return specs;
  }

  private static String changed() {
    SpecVariant spec = SpecVariant.of("ucb").version(2).arms(ARMS[1]);
    return named("changed", spec.levels("X", "mid", "low", "high").text());
  }

  /** Writes the savepoint anew, which only a new version of it justifies. */
  @Test
  @EnabledIfSystemProperty(named = "equipoise.write-savepoint", matches = "1")
  void write(@TempDir Path directory) throws Exception {
    try (TestCluster cluster = new TestCluster().start();
        TestDeployment deployment =
            deployment(cluster).publish(specs().toArray(new String[0])).publish(BOUNDS)) {
      LocalJob job = deployment.start(1, null);
      long longAgo = START - 1_000_000;
      for (String segment : RESTING) {
        deployment.context(segment, "d", longAgo, person(0));
        deployment.reward(segment, "d", longAgo + 1, 1, Map.of("M", "1"));
      }
      deployment.awaitDecisions(RESTING.size());
      for (String segment : segments()) {
        for (int i = 0; i < 9; i++) {
          deployment.context(segment, "d" + i, START + i, person(i));
        }
      }
      deployment.awaitDecisions(RESTING.size() + 9 * segments().size());
      deployment.republish(changed());
      TestDeployment.await(
          () -> {
            deployment.context("changed", "e" + System.nanoTime(), START + 50, person(1));
            return deployment.segmentEvents();
          },
          all ->
              all.stream()
                  .anyMatch(
                      o -> o.adoption() != null && !o.adoption().extendedVariables().isEmpty()));
      for (String segment : segments()) {
        for (int i = 0; i < 4; i++) {
          deployment.reward(segment, "d" + i, START + 100, i % 2, Map.of("M", "" + i / 2));
        }
        deployment.reward(segment, "early", START + 100, 1, Map.of("M", "0"));
      }
      TestDeployment.await(
          deployment::segmentEvents, all -> applied(all).size() == 4 * segments().size());
      TestDeployment.await(
          deployment::segmentEvents,
          all -> count(all, SegmentEventType.SEGMENT_PASSIVATED) == RESTING.size());
      GOLDEN.write(deployment, job, directory);
    }
  }

  /** Both read the same format; other suites of the CI tier restore RocksDB from the heap. */
  static Stream<Arguments> backends() {
    return Stream.of(Arguments.of("hashmap", 2), Arguments.of("rocksdb", 1))
        .limit(Tier.count(1, 2));
  }

  @ParameterizedTest
  @MethodSource("backends")
  void aJobOfTodayGoesOnFromTheSavepoint(String backend, int parallelism) throws Exception {
    try (TestCluster cluster = new TestCluster().start();
        TestDeployment deployment =
            deployment(cluster).with("state.backend.type", backend).publish()) {
      GOLDEN.replay(deployment);
      LocalJob job = deployment.start(parallelism, GOLDEN.location());
      for (String segment : segments()) {
        deployment.reward(segment, "d4", START + 200, 1, Map.of("M", "1"));
        deployment.context(segment, "early", START + 10, person(1));
      }
      TestDeployment.await(
          deployment::segmentEvents, all -> applied(all).size() == 6 * segments().size() - 1);
      for (String segment : RESTING) {
        deployment.context(segment, "back", START + 300, person(1));
        deployment.reward(segment, "back", START + 301, 1, Map.of("M", "1"));
      }
      deployment.context("clock", "tick", START + 400_000, person(0));
      deployment.reward("clock", "tock", START + 400_000, 0, Map.of());
      TestDeployment.await(deployment::metrics, GoldenSavepointTest::isSettled);
      job.cancel();
      last(deployment.metrics())
          .forEach(
              (segment, metrics) -> assertEquals(ended(metrics), metrics.dedupEntries(), segment));
      TestBounds causalBounds = new TestBounds();
      causalBounds.publish(BOUNDS);
      List<String> specs = new ArrayList<>(specs());
      specs.add(changed());
      StreamingJobTest.check(deployment, causalBounds, specs.toArray(new String[0]));
      assertEquals(
          List.of("DECISION_NOT_LEARNABLE", "UNKNOWN_SEGMENT"),
          deployment.deadLetters().stream()
              .map(letter -> letter.code())
              .distinct()
              .sorted()
              .toList(),
          "the clock's context, and the search's tenth decision, which is no sample");
      assertEquals(
          RESTING.size(), count(deployment.segmentEvents(), SegmentEventType.SEGMENT_ACTIVATED));
      SegmentEvent changed =
          applied(deployment.segmentEvents()).stream()
              .filter(o -> o.segment().equals("changed") && "d4".equals(o.decisionId()))
              .findFirst()
              .orElseThrow();
      assertEquals("one", changed.arm(), "retired before the savepoint");
      assertEquals(List.of(0.0, 2.0), changed.features(), "high moved before the savepoint");
    }
  }

  private static TestDeployment deployment(TestCluster cluster) {
    return cluster
        .deployment("golden")
        .with("equipoise.partitions", "1")
        .with("equipoise.allow-replaced-inputs", "true"); // copies with the same offsets
  }

  private static Map<String, Object> person(int number) {
    return Map.of("S", number % 2 == 0 ? "a" : "b", "X", number % 3 == 0 ? "low" : "high");
  }

  private static List<SegmentEvent> applied(List<SegmentEvent> all) {
    return all.stream()
        .filter(segmentEvent -> segmentEvent.type() == SegmentEventType.REWARD_APPLIED)
        .filter(segmentEvent -> !RESTING.contains(segmentEvent.segment()))
        .toList();
  }

  private static long count(List<SegmentEvent> all, SegmentEventType kind) {
    return all.stream().filter(segmentEvent -> segmentEvent.type() == kind).count();
  }

  /** Returns each segment's newest record. */
  private static Map<String, SegmentMetrics> last(List<SegmentMetrics> all) {
    Map<String, SegmentMetrics> last = new TreeMap<>();
    all.forEach(metrics -> last.put(metrics.segment(), metrics));
    last.keySet().retainAll(segments());
    return last;
  }

  /** Returns the number of decisions that ended and refused contexts, none of which expired. */
  private static long ended(SegmentMetrics metrics) {
    DecisionLedger decisions = metrics.decisions();
    return decisions.settled()
        + decisions.timedOut()
        + decisions.closedNotLearnable()
        + metrics.contexts().rejected();
  }

  private static boolean isSettled(List<SegmentMetrics> all) {
    Map<String, SegmentMetrics> last = last(all);
    return segments().stream()
        .allMatch(
            segment -> {
              SegmentMetrics metrics = last.get(segment);
              return metrics != null && metrics.decisions().awaiting() == 0;
            });
  }
}
