package io.equipoise.job;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.equipoise.event.ContextLedger;
import io.equipoise.event.DecisionLedger;
import io.equipoise.event.OutcomeKind;
import io.equipoise.event.RewardLedger;
import io.equipoise.event.SegmentMetrics;
import io.equipoise.join.TestSpecs;
import io.equipoise.local.LocalJob;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Restores a savepoint of the first version that wrote one: no change of code may lose what jobs
 * have learnt.
 *
 * <p>The job is started from {@code savepoint-v1} and goes on, and the oracle replays both halves
 * of the log: the digests of what is learnt and of what is pending must come out bit for bit.
 */
class GoldenSavepointTest {
  private static final GoldenSavepoint GOLDEN = GoldenSavepoint.ofVersion(1);
  private static final long START = 1_760_000_000_000L;
  private static final List<String> SEGMENTS = List.of("a", "b", "d");

  private static final String PLAIN = TestSpecs.ucb();
  private static final String PATHS =
      TestSpecs.dUcb()
          .replace("name: test", "name: paths")
          .replace("segments: default", "segments: {exact: [d]}");

  /** Writes the savepoint anew, which only a new version of it justifies. */
  @Test
  @EnabledIfSystemProperty(named = "equipoise.write-savepoint", matches = "1")
  void write(@TempDir Path directory) throws Exception {
    try (TestCluster cluster = new TestCluster().start();
        TestDeployment deployment = deployment(cluster).publish(PLAIN, PATHS)) {
      LocalJob job = deployment.start(1, null);
      for (String segment : SEGMENTS) {
        for (int i = 0; i < 9; i++) {
          deployment.context(segment, "d" + i, START + i, person(i));
        }
        deployment.context(segment, "rejected", START, Map.of("S", "a", "X", "mid"));
      }
      deployment.awaitDecisions(10 * SEGMENTS.size());
      for (String segment : SEGMENTS) {
        for (int i = 0; i < 4; i++) {
          deployment.reward(segment, "d" + i, START + 100, i / 4.0, Map.of("M", "" + i % 2));
        }
        deployment.reward(segment, "early", START + 100, 0.75, Map.of("M", "0"));
      }
      TestDeployment.await(
          deployment::outcomes, outcomes -> outcomes.size() == 5 * SEGMENTS.size());
      GOLDEN.write(deployment, job, directory);
    }
  }

  @ParameterizedTest
  @CsvSource({"hashmap, 1", "rocksdb, 2"})
  void aJobOfTodayGoesOnFromTheFirstSavepoint(String backend, int parallelism) throws Exception {
    try (TestCluster cluster = new TestCluster().start();
        TestDeployment deployment =
            deployment(cluster).with("state.backend.type", backend).publish()) {
      GOLDEN.replay(deployment);
      LocalJob job = deployment.start(parallelism, GOLDEN.location());
      for (String segment : SEGMENTS) {
        deployment.context(segment, "d0", START, person(0)); // settled: a duplicate
        deployment.reward(segment, "d4", START + 200, 1.0, Map.of("M", "1"));
        deployment.context(segment, "early", START, person(1));
      }
      deployment.awaitDecisions(11 * SEGMENTS.size());
      TestDeployment.await(
          deployment::outcomes,
          all -> all.stream().filter(o -> o.kind() == OutcomeKind.APPLIED).count() == 6 * 3);
      passTime(deployment);
      TestDeployment.await(
          deployment::outcomes,
          all -> all.stream().filter(o -> o.kind() == OutcomeKind.EXPIRED).count() == 4 * 3);
      TestDeployment.await(deployment::metrics, all -> isSettled(last(all)));
      job.cancel();
      StreamingJobTest.judge(deployment, PLAIN, PATHS);
      assertEquals(
          List.of("DUPLICATE_CONTEXT", "UNKNOWN_LEVEL"),
          deployment.deadLetters().stream()
              .map(letter -> letter.code())
              .distinct()
              .sorted()
              .toList());
      for (SegmentMetrics metrics : last(deployment.metrics()).values()) {
        assertEquals(new ContextLedger(10, 1, 0, 1, 0), metrics.contexts(), metrics.segment());
        assertEquals(new DecisionLedger(0, 6, 4, 0, 0), metrics.decisions(), metrics.segment());
        assertEquals(
            new RewardLedger(6, 0, 0, 0, 0, 0, 0, 0, 0), metrics.rewards(), metrics.segment());
      }
    }
  }

  private static TestDeployment deployment(TestCluster cluster) {
    return cluster.deployment("golden").with("equipoise.partitions", "1");
  }

  private static Map<String, Object> person(int number) {
    return Map.of("S", number % 2 == 0 ? "a" : "b", "X", number % 3 == 0 ? "low" : "high");
  }

  /** Sends what moves event time past every window: a context and a reward of another segment. */
  private static void passTime(TestDeployment deployment) {
    long later = START + 400_000;
    deployment.context("clock", "tick", later, Map.of("S", "a", "X", "mid"));
    deployment.reward("clock", "tock", later, 0, Map.of());
  }

  private static boolean isSettled(Map<String, SegmentMetrics> last) {
    return last.size() == SEGMENTS.size()
        && last.values().stream().allMatch(metrics -> metrics.decisions().awaiting() == 0);
  }

  /** Returns the newest snapshot of each of the golden segments. */
  private static Map<String, SegmentMetrics> last(List<SegmentMetrics> all) {
    Map<String, SegmentMetrics> last = new TreeMap<>();
    for (SegmentMetrics metrics : all) {
      if (SEGMENTS.contains(metrics.segment())) {
        last.put(metrics.segment(), metrics);
      }
    }
    return last;
  }
}
