package io.equipoise.tools.evaluate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.Tier;
import io.equipoise.audit.log.LogRecord;
import io.equipoise.audit.verify.MemoryLog;
import io.equipoise.audit.verify.Tamper;
import io.equipoise.event.Decision;
import io.equipoise.event.LogTopic;
import io.equipoise.event.SegmentEvent;
import io.equipoise.event.Wire;
import io.equipoise.layout.Layout;
import io.equipoise.layout.LayoutException;
import io.equipoise.policy.MemoryModelState;
import io.equipoise.policy.ScratchModelState;
import io.equipoise.policy.StateBlock;
import io.equipoise.segment.state.CompiledSpec;
import io.equipoise.segmentspec.NumberRange;
import io.equipoise.segmentspec.SpecParser;
import io.equipoise.tools.evaluate.OffPolicy.Estimate;
import io.equipoise.tools.simulate.Person;
import io.equipoise.tools.simulate.SimulationSpecs;
import io.equipoise.tools.simulate.World;
import io.equipoise.tools.simulate.WorldFile;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class EvaluationTest {
  private static final int RUNS = Tier.count(60, 200);

  /** 95 % less three standard errors. */
  private static final double COVERED_AT_LEAST = 0.95 - 3 * Math.sqrt(0.95 * 0.05 / RUNS);

  private static final OffPolicy METHOD = new OffPolicy(new NumberRange(0, 1), 0.95, 10, 0.05);
  private static final WorldFile WORLD = WorldFile.parse("world", SimulationSpecs.WORLD);
  private static final double[] SKEWED = {0.6, 0.3, 0.1};

  /** A log of a fixed policy, and its people. */
  private record Log(List<LoggedDecision> rows, List<Person> people) {}

  private static Log log(World world, CompiledSpec spec, long seed, int count, double[] shares) {
    World.People people = world.people(seed);
    SplittableRandom random = new SplittableRandom(seed);
    List<LoggedDecision> rows = new ArrayList<>();
    List<Person> persons = new ArrayList<>();
    for (int number = 0; number < count; number++) {
      Person person = people.next();
      double unit = random.nextDouble();
      int arm = unit < shares[0] ? 0 : unit < shares[0] + shares[1] ? 1 : 2;
      double reward = people.consequence(person, arm).reward();
      Map<String, Double> propensities = new LinkedHashMap<>();
      for (int place = 0; place < shares.length; place++) {
        propensities.put(spec.armIds().get(place), shares[place]);
      }
      long time = LoggedRun.START + 1_000L * number;
      rows.add(
          new LoggedDecision(
              "log",
              "d-" + number,
              time,
              person.attributes(),
              spec.armIds().get(arm),
              propensities,
              true,
              reward,
              time + 5_500,
              Map.of()));
      persons.add(person);
    }
    return new Log(rows, persons);
  }

  private static TargetReplay replay(CompiledSpec spec, Log log) {
    TargetReplay replay = new TargetReplay(spec, "log", new TargetReplay.Counts());
    log.rows().forEach(row -> replay.on(row, any -> true));
    return replay;
  }

  /** Returns the mean of the target's true means, of all people or of one gender. */
  private static double truth(World world, TargetReplay replay, Log log, int gender) {
    double sum = 0;
    int count = 0;
    for (int i = 0; i < log.people().size(); i++) {
      Person person = log.people().get(i);
      if (gender < 0 || person.levels()[0] == gender) {
        double[] means = world.truth(person).means();
        double[] probabilities = replay.rows().get(i).probabilities();
        for (int arm = 0; arm < means.length; arm++) {
          sum += means[arm] * probabilities[arm];
        }
        count++;
      }
    }
    return sum / count;
  }

  private static boolean covers(Estimate estimate, double truth) {
    return estimate.value() != null && estimate.low() <= truth && truth <= estimate.high();
  }

  /** Learners change their choices along the log; the last one hardly agrees with the log. */
  static Stream<CompiledSpec> targets() {
    return Stream.of(
        SimulationSpecs.of("{name: linucb, explore: {share: 0.1, over: all}}"),
        SimulationSpecs.of("{name: ucb}"),
        SimulationSpecs.of("{name: linucb, alpha: 0.01}"));
  }

  @ParameterizedTest
  @MethodSource("targets")
  void intervalsCoverTheTruth(CompiledSpec spec) {
    World world = World.of(spec.spec(), WORLD, null);
    int snips = 0;
    int doublyRobust = 0;
    int women = 0;
    double error = 0;
    double robustError = 0;
    for (int run = 0; run < RUNS; run++) {
      Log log = log(world, spec, run, 250, SKEWED);
      Evaluation evaluation = Evaluation.of(spec, log.rows(), METHOD);
      TargetReplay replay = replay(spec, log);
      double truth = truth(world, replay, log, -1);
      snips += covers(evaluation.snips(), truth) ? 1 : 0;
      doublyRobust += covers(evaluation.doublyRobust(), truth) ? 1 : 0;
      women += covers(evaluation.groups().get(0).snips(), truth(world, replay, log, 0)) ? 1 : 0;
      error += (evaluation.snips().value() - truth) / RUNS;
      robustError += (evaluation.doublyRobust().value() - truth) / RUNS;
    }
    String counts = snips + " " + doublyRobust + " " + women + " " + error + " " + robustError;
    assertTrue(snips >= COVERED_AT_LEAST * RUNS, counts);
    assertTrue(doublyRobust >= COVERED_AT_LEAST * RUNS, counts);
    assertTrue(women >= COVERED_AT_LEAST * RUNS, counts);
    assertTrue(Math.abs(error) < 0.015 && Math.abs(robustError) < 0.015, counts);
  }

  @Test
  void fewEffectiveRowsGiveAWideInterval() {
    CompiledSpec spec = SimulationSpecs.of("{name: ucb}");
    World world = World.of(spec.spec(), WORLD, null);
    Estimate few = Evaluation.of(spec, log(world, spec, 1, 150, SKEWED).rows(), METHOD).snips();
    Estimate many = Evaluation.of(spec, log(world, spec, 1, 3_000, SKEWED).rows(), METHOD).snips();
    assertTrue(few.high() - few.low() > 0.25, few::toString);
    assertTrue(many.high() - many.low() < 0.1, many::toString);
    Estimate none = Evaluation.of(spec, log(world, spec, 1, 8, SKEWED).rows(), METHOD).snips();
    assertNull(none.value());
    assertTrue(
        String.valueOf(none.refusal()).startsWith("too few rows: 4.5 effective ones of 8"),
        none::toString);
  }

  @Test
  void aLogWithoutTheTargetsArmsIsRefused() {
    CompiledSpec spec = SimulationSpecs.of("{name: ucb}");
    World world = World.of(spec.spec(), WORLD, null);
    Evaluation evaluation =
        Evaluation.of(spec, log(world, spec, 1, 500, new double[] {1, 0, 0}).rows(), METHOD);
    assertNull(evaluation.snips().value());
    assertNull(evaluation.doublyRobust().value());
    assertTrue(
        String.valueOf(evaluation.snips().refusal()).startsWith("no overlap: "),
        evaluation::toString);
    Evaluation sure =
        Evaluation.of(spec, log(world, spec, 1, 500, new double[] {0.5, 0.5, 0}).rows(), METHOD);
    assertTrue(sure.snips().unsupported() > 0.05, sure::toString);
  }

  static Stream<CompiledSpec> ownPolicies() {
    return Stream.of(
        SimulationSpecs.cells(),
        SimulationSpecs.ridge(),
        SimulationSpecs.of("{name: linucb, model: disjoint, explore: {share: 0.2, over: all}}"),
        SimulationSpecs.allocation(),
        SimulationSpecs.dual(),
        SimulationSpecs.of("{name: ucb}"));
  }

  /** The replay of a log under the spec that wrote it has the logged propensities. */
  @ParameterizedTest
  @MethodSource("ownPolicies")
  void aSpecOnItsOwnLogHasWeightOne(CompiledSpec spec) {
    World world = World.of(spec.spec(), WORLD, null);
    LoggedRun run = new LoggedRun(spec, world, "own", 600);
    TopicLog topicLog = new TopicLog(run.log, "own"::equals, Instant.MIN, Instant.MAX);
    List<LoggedDecision> rows = topicLog.read();
    assertEquals(600, rows.size());
    assertTrue(rows.stream().filter(row -> row.reward() != null).count() > 590);
    TargetReplay.Counts counts = new TargetReplay.Counts();
    TargetReplay replay = new TargetReplay(spec, "own", counts);
    for (int i = 0; i < rows.size(); i++) {
      replay.on(rows.get(i), any -> true);
      Decision decision = run.decisions.get(i);
      double[] logged =
          decision.propensitiesOf(spec.armIds()).stream().mapToDouble(it -> it).toArray();
      assertEquals(
          Arrays.toString(logged),
          Arrays.toString(replay.rows().get(i).probabilities()),
          "decision " + i);
    }
    assertTrue(counts.learned > 580, () -> "learned " + counts.learned);
    Evaluation evaluation = Evaluation.of(spec, rows, METHOD);
    assertEquals(1, evaluation.snips().meanWeight(), 1e-9);
    assertEquals(evaluation.log().value(), evaluation.snips().value(), 1e-9);
  }

  @Test
  void decisionsAreChosenByTimeAndSegment() {
    CompiledSpec spec = SimulationSpecs.cells();
    LoggedRun run = new LoggedRun(spec, World.of(spec.spec(), WORLD, null), "own", 100);
    Instant start = Instant.ofEpochMilli(LoggedRun.START);
    List<LoggedDecision> rows =
        new TopicLog(run.log, "own"::equals, start.plusSeconds(10), start.plusSeconds(40)).read();
    assertEquals(30, rows.size());
    assertEquals("own-10", rows.get(0).id());
    assertEquals(LoggedRun.START + 12_000 + 7_500, rows.get(2).rewardTime());
    TopicLog other = new TopicLog(run.log, "other"::equals, Instant.MIN, Instant.MAX);
    assertEquals(List.of(), other.read());
  }

  /** The job decides again under an id that it has forgotten. */
  @Test
  void eachDecisionOfAnIdHasItsOwnReward() {
    CompiledSpec spec = SimulationSpecs.cells();
    LoggedRun run = new LoggedRun(spec, World.of(spec.spec(), WORLD, null), "own", 100);
    MemoryLog reused = new MemoryLog();
    for (LogRecord at : run.log.records(LogTopic.CONTEXTS, 0)) {
      reused.append(LogTopic.CONTEXTS, 0, at.timestamp(), at.key(), at.value());
    }
    for (LogRecord at : run.log.records(LogTopic.DECISIONS, 1)) {
      Decision decision = Wire.DECISION.decode(at.value());
      byte[] value =
          Wire.DECISION.encode(Tamper.with(decision, "decisionId", reused(decision.decisionId())));
      reused.append(LogTopic.DECISIONS, 1, at.timestamp(), at.key(), value);
    }
    for (LogRecord at : run.log.records(LogTopic.SEGMENT_EVENTS, 1)) {
      SegmentEvent event = Wire.SEGMENT_EVENT.decode(at.value());
      String id = event.decisionId();
      SegmentEvent same = id == null ? event : Tamper.with(event, "decision.id", reused(id));
      reused.append(
          LogTopic.SEGMENT_EVENTS, 1, at.timestamp(), at.key(), Wire.SEGMENT_EVENT.encode(same));
    }
    List<LoggedDecision> rows = rows(run.log);
    assertEquals(rewards(rows), rewards(rows(reused)));
    assertEquals(100, rows.size());
  }

  private static String reused(String id) {
    return id.replaceAll("\\d+$", "0");
  }

  private static List<Double> rewards(List<LoggedDecision> rows) {
    return rows.stream().map(LoggedDecision::reward).toList();
  }

  private static List<LoggedDecision> rows(MemoryLog log) {
    return new TopicLog(log, "own"::equals, Instant.MIN, Instant.MAX).read();
  }

  @Test
  void decisionsWithoutTheirContextAreLeftOut() {
    CompiledSpec spec = SimulationSpecs.cells();
    LoggedRun run = new LoggedRun(spec, World.of(spec.spec(), WORLD, null), "own", 100);
    run.log.retain(LogTopic.CONTEXTS, 0, 60);
    TopicLog topicLog = new TopicLog(run.log, "own"::equals, Instant.MIN, Instant.MAX);
    assertEquals(40, topicLog.read().size());
    assertEquals(60, topicLog.counts().withoutContext);
  }

  @Test
  void unknownArmsHaveWeightZeroAndInvalidPeopleAreLeftOut() {
    CompiledSpec spec = SimulationSpecs.of("{name: ucb}");
    TargetReplay.Counts counts = new TargetReplay.Counts();
    TargetReplay replay = new TargetReplay(spec, "log", counts);
    replay.on(row("offer=huge", Map.of("income", "low", "gender", "f")), any -> false);
    assertEquals(0, replay.rows().get(0).weight(), 0);
    assertEquals(1, replay.rows().get(0).unsupported(), 0);
    replay.on(row("offer=small", Map.of("gender", "f")), any -> true);
    assertEquals(1, replay.rows().size());
    assertEquals(Map.of("offer=huge", 1), counts.unknownArms);
    assertEquals(1, TargetReplay.Counts.sum(counts.invalid));
  }

  private static LoggedDecision row(String arm, Map<String, Object> attributes) {
    return new LoggedDecision(
        "log", "d-" + arm, 0, attributes, arm, Map.of(arm, 0.5), false, 1.0, 0, Map.of());
  }

  @Test
  void aReadBlockIsACopy() {
    MemoryModelState original = new MemoryModelState();
    Block block = new Block();
    original.put(3, block);
    ScratchModelState scratch = ScratchModelState.forReward(original);
    StateBlock copy = scratch.get(3);
    assertNotSame(block, copy);
    assertEquals(copy, scratch.get(3));
    scratch.put(5, new Block());
    scratch.remove(3);
    assertNull(scratch.get(3));
    assertNull(original.get(5));
    assertEquals(block, original.get(3));
    List<Long> keys = new ArrayList<>();
    scratch.entries().forEach(entry -> keys.add(entry.getKey()));
    assertEquals(List.of(5L), keys);
  }

  /** A block that equals no other. */
  private static final class Block extends StateBlock {
    private final int number = System.identityHashCode(this);

    @Override
    public StateBlock copy() {
      return new Block();
    }

    @Override
    protected void layout(Layout bytes) throws LayoutException {
      bytes.i32(number);
    }
  }

  @Test
  void whatCannotBeEvaluatedIsRefused() {
    List<LoggedDecision> rows = List.of(row("offer=small", Map.of("income", "low")));
    String text =
        SimulationSpecs.cells().spec().text() + "idle-state: {after: 60d, retain: model}\n";
    CompiledSpec idle = CompiledSpec.of(SpecParser.parse(text));
    EvaluationException e =
        assertThrows(EvaluationException.class, () -> Evaluation.of(idle, rows, METHOD));
    assertEquals(
        "spec offers: idle-state given; evaluate a copy of the spec without it", e.getMessage());
    @Nullable String message =
        assertThrows(
                IllegalArgumentException.class,
                () ->
                    new LoggedDecision(
                        "log", "d", 0, Map.of(), "a", Map.of("a", 0.0), true, null, 0, Map.of()))
            .getMessage();
    assertEquals("decision d has the propensity 0.0 for its arm; above 0, at most 1", message);
  }
}
