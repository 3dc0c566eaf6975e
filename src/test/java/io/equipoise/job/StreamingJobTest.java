package io.equipoise.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.Tier;
import io.equipoise.event.Decision;
import io.equipoise.event.DecisionReason;
import io.equipoise.event.SegmentEvent;
import io.equipoise.event.SegmentEventType;
import io.equipoise.event.SegmentMetrics;
import io.equipoise.segment.TestBook;
import io.equipoise.segment.TestSpecs;
import io.equipoise.segment.log.SegmentWithoutSpec;
import io.equipoise.segment.replay.ReplayOracle;
import io.equipoise.segment.state.BoundsRegistry;
import io.equipoise.tools.LocalJob;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The whole job on a real broker and a real cluster, in this JVM. */
class StreamingJobTest {
  private static final Map<String, Object> PERSON = Map.of("S", "a", "X", "low");
  private static final Map<String, Object> OTHER = Map.of("S", "b", "X", "low");

  /** With so many strata that those by M are in blocks of their own. */
  private static final String SPLIT =
      TestSpecs.dUcb()
          .replace("[low, high]", "[low, high, other]")
          .replace("delta: 0.05}", "delta: 0.05, split: all}");

  private static final long SECOND = Duration.ofSeconds(1).toMillis();
  private static final int CRASHES = Tier.count(1, 3);
  private static final int SENT_BEFORE_A_CRASH = 50;

  /** Each segment takes 24 samples of the 39 of its first phase. */
  private static final String IN_ITS_FIRST_PHASE =
      TestSpecs.experiment(
          "csr-v2, samples: 100, control: \"A=left\"",
          1,
          "{reward-window: 60s, early-reward-timeout: 30s, dedup-window: 60s}",
          "{range: [0, 1]}",
          "reject");

  @RegisterExtension static final TestCluster CLUSTER = TestCluster.withMortalTaskManagers();

  @TempDir private Path directory;

  @Test
  void contextsThatWaitInTheTopicsFindTheirSpecAndEverythingExpires() throws Exception {
    try (TestDeployment deployment = deployment("waiting").publish(TestSpecs.ucb())) {
      long now = System.currentTimeMillis() - 1000 * SECOND;
      for (int i = 0; i < 200; i++) {
        deployment.context("s" + i % 7, "d" + i, now + i, PERSON);
        if (i % 2 == 0) {
          deployment.reward("s" + i % 7, "d" + i, now + i + 1, i % 3 / 2.0, Map.of());
        }
      }
      deployment.runToTheEnd(4);
      List<Decision> decisions = deployment.decisions();
      assertEquals(200, decisions.size());
      assertTrue(decisions.stream().noneMatch(d -> d.reason() == DecisionReason.REJECTED));
      assertEquals(100, count(deployment, SegmentEventType.REWARD_APPLIED));
      assertEquals(100, count(deployment, SegmentEventType.REWARD_TIMEOUT));
      assertEquals(List.of(), deployment.deadLetters());
      check(deployment, TestSpecs.ucb());
    }
  }

  @Test
  void aRunningJobAnswersAndLearnsWhileControlTopicsAndPartitionsAreSilent() throws Exception {
    try (TestDeployment deployment =
        deployment("live").with("equipoise.partitions", "3").publish(TestSpecs.ucb())) {
      LocalJob job = deployment.start(4, null);
      long now = System.currentTimeMillis();
      deployment.context("s", "d1", now, PERSON);
      Decision decision = deployment.awaitDecisions(1).get(0);
      assertEquals("A=left", decision.arm());
      deployment.reward("s", "d1", now + 1, 1.0, Map.of());
      TestDeployment.await(
          deployment::segmentEvents,
          segmentEvents ->
              segmentEvents.stream().anyMatch(o -> o.type() == SegmentEventType.REWARD_APPLIED));
      job.cancel();
      check(deployment, TestSpecs.ucb());
    }
  }

  /**
   * The full tier restores each backend from itself and from the other, on more tasks and on fewer;
   * CI restores each from the other.
   */
  static Stream<Arguments> rescales() {
    return Stream.of(
            Arguments.of("d-ucb", "hashmap rocksdb hashmap"),
            Arguments.of("csr-v2", "hashmap rocksdb hashmap"),
            Arguments.of("d-ucb", "hashmap hashmap hashmap rocksdb rocksdb rocksdb hashmap"))
        .skip(Tier.count(0, 1))
        .limit(Tier.count(1, 2));
  }

  @ParameterizedTest
  @MethodSource("rescales")
  void aSavepointCarriesEverythingThroughARescaleUpAndDown(String policy, String stages)
      throws Exception {
    String spec = policy.equals("d-ucb") ? SPLIT : IN_ITS_FIRST_PHASE;
    List<String> backends = List.of(stages.split(" ", -1));
    try (TestDeployment deployment = deployment("rescaled-" + policy).publish(spec)) {
      long now = System.currentTimeMillis();
      String savepoint = null;
      int sent = 0;
      for (int stage = 0; stage < backends.size(); stage++) {
        deployment.with("state.backend.type", backends.get(stage));
        LocalJob job = deployment.start(1 + stage % 2, savepoint);
        for (int i = 0; i < 40; i++, sent++) {
          Map<String, Object> person = sent % 2 == 0 ? PERSON : OTHER;
          deployment.context("s" + sent % 5, "d" + sent, now + sent, person);
          if (sent >= 20) {
            int earlier = sent - 20;
            deployment.reward("s" + earlier % 5, "d" + earlier, now + sent, 0.5, Map.of("M", "1"));
          }
        }
        int settled = sent - 20;
        deployment.awaitDecisions(sent);
        TestDeployment.await(
            () -> count(deployment, SegmentEventType.REWARD_APPLIED), all -> all >= settled);
        savepoint = job.stopWithSavepoint(directory);
      }
      assertEquals(sent, deployment.decisions().size());
      assertEquals(List.of(), deployment.deadLetters());
      check(deployment, spec);
      assertEquals(
          spec.equals(SPLIT),
          deployment.metrics().stream().anyMatch(metrics -> !metrics.splits().isEmpty()));
      assertEquals(sent - 20, count(deployment, SegmentEventType.REWARD_APPLIED));
    }
  }

  @Test
  void aCrashInTheMiddleLosesNothingAndDoublesNothing() throws Exception {
    try (TestDeployment deployment =
        deployment("crash")
            .with("restart-strategy.type", "fixed-delay")
            .with("restart-strategy.fixed-delay.attempts", "10")
            .with("restart-strategy.fixed-delay.delay", "100 ms")
            .publish(SPLIT)) {
      LocalJob job = deployment.start(2, null);
      long now = System.currentTimeMillis();
      int sent = 0;
      for (int crash = 0; crash < CRASHES; crash++) {
        for (int i = 0; i < SENT_BEFORE_A_CRASH; i++, sent++) {
          Map<String, Object> person = sent % 2 == 0 ? PERSON : OTHER;
          deployment.context("s" + sent % 3, "d" + sent, now + sent, person);
          deployment.reward("s" + sent % 3, "d" + sent, now + sent, 0.25, Map.of("M", "1"));
        }
        CLUSTER.kill(job);
      }
      deployment.awaitDecisions(sent);
      int all = sent;
      TestDeployment.await(
          () -> count(deployment, SegmentEventType.REWARD_APPLIED), applied -> applied >= all);
      job.cancel();
      List<Decision> decisions = deployment.decisions();
      assertEquals(all, decisions.size());
      Set<String> ids = new HashSet<>();
      decisions.forEach(decision -> ids.add(decision.decisionId()));
      assertEquals(all, ids.size());
      check(deployment, SPLIT);
    }
  }

  private static TestDeployment deployment(String name) {
    return CLUSTER.deployment(name).withoutWaiting();
  }

  private static long count(TestDeployment deployment, SegmentEventType kind) {
    return deployment.segmentEvents().stream()
        .filter(segmentEvent -> segmentEvent.type() == kind)
        .count();
  }

  /** Replays the committed log of every segment and compares arms and digests, bit for bit. */
  static void check(TestDeployment deployment, String... specs) {
    check(deployment, BoundsRegistry.NONE, specs);
  }

  /** Replays as {@link #check}, with the causal bounds that the log names. */
  static void check(TestDeployment deployment, BoundsRegistry causalBounds, String... specs) {
    List<Decision> decisions = new ArrayList<>(deployment.decisions());
    decisions.removeIf(SegmentWithoutSpec::isAnswer); // they change nothing
    List<SegmentEvent> segmentEvents = deployment.segmentEvents();
    List<SegmentMetrics> metrics = deployment.metrics();
    List<Logged> log = new ArrayList<>();
    decisions.stream()
        .filter(d -> !d.isRepeated())
        .forEach(d -> log.add(new Logged(d.segment(), d.seq(), 0, d)));
    segmentEvents.forEach(o -> log.add(new Logged(o.segment(), o.seq(), 0, o)));
    metrics.forEach(m -> log.add(new Logged(m.segment(), m.seq(), 1, m)));
    log.sort(
        Comparator.comparing(Logged::segment)
            .thenComparing(Logged::seq)
            .thenComparing(Logged::rank));
    TestBook book = new TestBook();
    List.of(specs).forEach(book::publish);
    ReplayOracle replayOracle = new ReplayOracle(book, causalBounds);
    for (Logged logged : log) {
      if (logged.record() instanceof Decision decision) {
        replayOracle.onDecision(decision);
      } else if (logged.record() instanceof SegmentEvent segmentEvent) {
        replayOracle.onSegmentEvent(segmentEvent);
      } else {
        replayOracle.onMetrics((SegmentMetrics) logged.record());
      }
    }
  }

  private record Logged(String segment, long seq, int rank, Record record) {}
}
