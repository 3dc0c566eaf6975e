package io.equipoise.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.event.DeadLetter;
import io.equipoise.event.Decision;
import io.equipoise.event.DecisionReason;
import io.equipoise.event.SegmentEvent;
import io.equipoise.event.SegmentEventType;
import io.equipoise.job.options.JobConfig;
import io.equipoise.job.options.StartRefusedException;
import io.equipoise.segment.SpecVariant;
import io.equipoise.segment.TestSpecs;
import io.equipoise.segmentspec.SpecParser;
import io.equipoise.tools.LocalJob;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import org.apache.flink.api.common.JobStatus;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Specs that change, are refused and are retired under a running job with pending decisions. */
class SpecLifeTest {
  private static final Map<String, Object> PERSON = Map.of("S", "a", "X", "low");
  private static final String JOIN =
      "{reward-window: 60s, early-reward-timeout: 30s, dedup-window: 60s}";
  private static final String SILENCE =
      "{range: [0, 1], default: {value: 0, mediators: {M: \"0\"}}}";
  private static final String FIRST = TestSpecs.ucb();

  @RegisterExtension static final TestCluster CLUSTER = new TestCluster();

  private int probes;

  @Test
  void aSpecOfTheSameMeaningTakesOverWithThePendingDecisionsAndOneOfAnotherDoesNot()
      throws Exception {
    String second = numbered(2, "{range: [0, 1]}", "reject").replace("tau: 0.2", "tau: 0.3");
    try (TestDeployment deployment = CLUSTER.deployment("same-meaning").publish(FIRST)) {
      LocalJob job = deployment.start(2, null);
      deployment.context("s", "d1", now(), PERSON);
      assertEquals(hash(FIRST), deployment.awaitDecisions(1).get(0).specHash());
      deployment.republish(second);
      Decision decision = probe(deployment, found -> hash(second).equals(found.specHash()));
      assertEquals(2L, decision.specVersion());
      deployment.reward("s", "d1", now(), 1.0, Map.of());
      await(deployment, SegmentEventType.REWARD_APPLIED);
      SegmentEvent adopted = last(deployment, SegmentEventType.SPEC_ADOPTED);
      assertEquals(hash(FIRST), adopted.adoption().previousSpecHash());
      assertEquals(List.of(), adopted.adoption().extendedVariables());
      assertEquals(List.of(), adopted.stateReset());
      StartRefusedException refused =
          assertThrows(StartRefusedException.class, () -> deployment.republish(FIRST + "\n# 1b"));
      assertTrue(refused.getMessage().contains("has gone on to version 2;"));
      assertEquals(List.of(), deployment.deadLetters());
      aSpecOfAnotherMeaningIsRefusedUnlessItMayReset(deployment, job, second);
    }
  }

  private void aSpecOfAnotherMeaningIsRefusedUnlessItMayReset(
      TestDeployment deployment, LocalJob job, String second) throws Exception {
    String refused = numbered(3, "{range: [0, 2]}", "reject");
    String reset = numbered(4, "{range: [0, 2]}", "reset");
    deployment.context("s", "d2", now(), PERSON);
    deployment.republish(refused);
    probe(deployment, decision -> !deployment.deadLetters().isEmpty());
    List<DeadLetter> letters = deployment.deadLetters();
    assertEquals(1, letters.size());
    assertEquals("SPEC_REJECTED", letters.get(0).code());
    assertNull(
        letters.get(0).input().value(), "its text is on its topic, and not once a segment more");
    assertTrue(letters.get(0).message().contains(hash(refused)), letters.get(0).message());
    assertEquals(hash(second), probe(deployment, any -> true).specHash(), "the old one goes on");

    deployment.republish(reset);
    probe(deployment, decision -> hash(reset).equals(decision.specHash()));
    assertEquals(
        List.of("model", "audit"), last(deployment, SegmentEventType.SPEC_ADOPTED).stateReset());
    deployment.reward("s", "d2", now(), 1.0, Map.of());
    TestDeployment.await(deployment::deadLetters, found -> found.size() == 2);
    assertEquals(
        1,
        deployment.deadLetters().stream()
            .filter(letter -> letter.code().equals("MODEL_CHANGED"))
            .count());
    assertEquals(JobStatus.RUNNING, job.status());
    job.cancel();
    StreamingJobTest.check(deployment, FIRST, second, refused, reset);
  }

  @Test
  void aRetiredSpecCoversNoNewSegmentAndGoesOnWhereItRuns(@TempDir Path directory)
      throws Exception {
    try (TestDeployment deployment =
        CLUSTER.deployment("retired").withoutWaiting().publish(FIRST)) {
      LocalJob job = deployment.start(2, null);
      deployment.context("s", "d1", now(), PERSON);
      deployment.awaitDecisions(1);
      deployment.send(deployment.topics.specs(), "test/" + hash(FIRST), null);
      Decision answer =
          probe(deployment, "new", found -> found.reason() == DecisionReason.REJECTED);
      assertEquals("UNKNOWN_SEGMENT", answer.errorCode());
      assertEquals(hash(FIRST), probe(deployment, any -> true).specHash(), "where it runs");
      deployment.reward("s", "d1", now(), 1.0, Map.of());
      await(deployment, SegmentEventType.REWARD_APPLIED);
      deployment.republish(FIRST);
      probe(deployment, "new", found -> found.reason() != DecisionReason.REJECTED);

      String savepoint = job.stopWithSavepoint(directory);
      String second = numbered(2, "{range: [0, 1]}", "reject");
      deployment.republish(second);
      deployment.send(deployment.topics.specs(), "test/" + hash(second), null);
      int before = deployment.decisions().size();
      for (int i = 0; i < 400; i++) {
        deployment.context("away" + i, "away" + i, now(), PERSON);
      }
      job = deployment.start(1, savepoint);
      List<Decision> answers = deployment.awaitDecisions(before + 400);
      assertEquals(
          List.of(1L),
          answers.stream().map(Decision::specVersion).filter(Objects::nonNull).distinct().toList());
      assertEquals(JobStatus.RUNNING, job.status());
      job.cancel();
      StreamingJobTest.check(deployment, FIRST, second);
    }
  }

  @Test
  void aStartWarnsWhereAnOutageWouldBeLearnedAsSilence(@TempDir Path directory) throws Exception {
    String brief =
        TestSpecs.ucb(
            "{reward-window: 29m, early-reward-timeout: 30s, dedup-window: 60s}", SILENCE);
    String lasting =
        TestSpecs.ucb(
            "{reward-window: 30m, early-reward-timeout: 30s, dedup-window: 60s}", SILENCE);
    Files.writeString(directory.resolve("brief.yaml"), brief.replace("name: test", "name: brief"));
    Files.writeString(
        directory.resolve("lasting.yaml"),
        lasting
            .replace("name: test", "name: lasting")
            .replace("segments: default", "segments: {exact: [s9]}"));
    try (TestDeployment deployment =
        CLUSTER
            .deployment("warned")
            .with("equipoise.specs", directory.toString())
            .with("equipoise.max-outage", "10 min")) {
      JobConfig config = deployment.config();
      List<String> said =
          Said.by(
              EquipoiseJob.class,
              () -> EquipoiseJob.prepare(config, CLUSTER.flink().environment(config.flink())));
      List<String> warnings =
          said.stream().filter(line -> line.contains("join.reward-window")).toList();
      assertEquals(1, warnings.size(), said.toString());
      assertTrue(
          warnings
              .get(0)
              .startsWith("WARN Spec brief: join.reward-window is 1740 s, less than 3 times"),
          warnings.get(0));
    }
  }

  @Test
  void armsGoAndLevelsComeWithDecisionsInFlightAcrossASavepoint(@TempDir Path directory)
      throws Exception {
    SpecVariant spec = SpecVariant.of("ucb");
    String first = spec.arms("{id: one, A: left}", "{id: two, A: right}").text();
    String second = spec.version(2).arms("{id: two, A: right}").text();
    String third = spec.version(3).levels("X", "mid", "low", "high").text();
    String fourth = spec.version(4).arms("{id: one, A: right}", "{id: two, A: right}").text();
    String fifth = spec.version(5).onIncompatibleChange("reset").text();
    try (TestDeployment deployment = CLUSTER.deployment("arms-and-levels").publish(first)) {
      LocalJob job = deployment.start(2, null);
      deployment.context("s", "d1", now(), PERSON);
      assertEquals("one", deployment.awaitDecisions(1).get(0).arm());
      deployment.republish(second);
      assertEquals("two", probe(deployment, by(second)).arm());
      deployment.republish(third);
      probe(deployment, by(third));
      SegmentEvent adopted = last(deployment, SegmentEventType.SPEC_ADOPTED);
      assertEquals(hash(second), adopted.adoption().previousSpecHash());
      assertEquals(List.of("X"), adopted.adoption().extendedVariables());
      String savepoint = job.stopWithSavepoint(directory);

      job = deployment.with("state.backend.type", "rocksdb").start(1, savepoint);
      deployment.reward("s", "d1", now(), 1.0, Map.of());
      await(deployment, SegmentEventType.REWARD_APPLIED);
      SegmentEvent applied = last(deployment, SegmentEventType.REWARD_APPLIED);
      assertEquals("one", applied.arm());
      assertEquals(List.of(0.0, 1.0), applied.features(), "low comes after mid now");
      deployment.republish(fourth);
      probe(deployment, decision -> !deployment.deadLetters().isEmpty());
      assertEquals("SPEC_REJECTED", deployment.deadLetters().get(0).code());
      deployment.republish(fifth);
      probe(deployment, by(fifth));
      assertEquals(
          List.of("model", "audit"), last(deployment, SegmentEventType.SPEC_ADOPTED).stateReset());
      assertEquals(JobStatus.RUNNING, job.status());
      job.cancel();
      StreamingJobTest.check(deployment, first, second, third, fourth, fifth);
    }
  }

  private static Predicate<Decision> by(String spec) {
    String hash = hash(spec);
    return decision -> hash.equals(decision.specHash());
  }

  /** Asks for arms in the running segment until an answer is as wanted. */
  private Decision probe(TestDeployment deployment, Predicate<Decision> isWanted) {
    return probe(deployment, "s", isWanted);
  }

  /** Asks for arms until an answer is as wanted; a new segment is another one each time. */
  private Decision probe(TestDeployment deployment, String segment, Predicate<Decision> isWanted) {
    return TestDeployment.await(
        () -> {
          String id = "probe" + probes++;
          deployment.context(segment.equals("s") ? segment : "new-" + id, id, now(), PERSON);
          return TestDeployment.await(
                  deployment::decisions, found -> found.stream().anyMatch(d -> is(d, id)))
              .stream()
              .filter(decision -> is(decision, id))
              .findFirst()
              .orElseThrow();
        },
        isWanted);
  }

  private static boolean is(Decision decision, String id) {
    return decision.decisionId().equals(id);
  }

  private static void await(TestDeployment deployment, SegmentEventType kind) {
    TestDeployment.await(
        deployment::segmentEvents, found -> found.stream().anyMatch(o -> o.type() == kind));
  }

  private static SegmentEvent last(TestDeployment deployment, SegmentEventType kind) {
    List<SegmentEvent> all =
        deployment.segmentEvents().stream()
            .filter(segmentEvent -> segmentEvent.type() == kind)
            .toList();
    return all.get(all.size() - 1);
  }

  private static String numbered(int number, String reward, String onChange) {
    return TestSpecs.text("ucb", number, JOIN, reward, onChange);
  }

  private static String hash(String text) {
    return SpecParser.parse(text).hash();
  }

  private static long now() {
    return System.currentTimeMillis();
  }
}
