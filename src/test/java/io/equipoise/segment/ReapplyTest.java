package io.equipoise.segment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.Tier;
import io.equipoise.audit.verify.Tamper;
import io.equipoise.event.ContextEvent;
import io.equipoise.event.Decision;
import io.equipoise.event.DecisionReason;
import io.equipoise.event.Origin;
import io.equipoise.event.RewardEvent;
import io.equipoise.policy.StateBlock;
import io.equipoise.segment.log.WriterEpoch;
import io.equipoise.segment.state.BoundsRegistry;
import io.equipoise.segment.state.ModelDigest;
import io.equipoise.segment.state.SegmentHeader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Answers that were given by an attempt whose state is lost. */
@Tag("slow")
class ReapplyTest {
  private static final long SEED = 20_261_121;
  private static final int ROUNDS = Tier.count(120, 300);
  private static final long START = 1_700_000_000_000L;
  private static final String SEGMENT = "s";
  private static final String JOIN =
      "{reward-window: 60s, early-reward-timeout: 30s, dedup-window: 60s}";
  private static final String REWARD = "{range: [0, 1]}";

  private final SplittableRandom random = new SplittableRandom(SEED);
  private @Nullable Decision given;
  private int number;

  /** Whatever a policy keeps moves as if it had chosen that arm itself. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "ucb, ties: seeded",
        "d-ucb",
        "f-ucb",
        "f-ucb, explore: {share: 0.4, over: all}",
        "f-ucb, explore: balanced",
        "ucb, constraint: screen, explore: balanced, ties: seeded",
        "ucb, constraint: dual",
        "ucb, constraint: dual, explore: {share: 0.4, over: all}",
        "ucb, constraint: screen",
        "linucb, explore: {share: 0.3, over: all}",
        "lin-ts, sample: {draws: 20}, explore: {share: 0.3, over: all}",
        "linucb, constraint: dual",
        "fair-linucb, groups: {attribute: S, privileged: a, protected: b}",
        "cclb, explore: {share: 0.2, over: all}",
        "glm-ucb",
        "forced-exploration, ties: seeded",
        "forced-exploration, explore: {share: 0.4, over: all}",
        "forced-exploration, explore: balanced, ties: seeded",
        "screen, explore: balanced",
        "oam, horizon: 1000",
        "oam, horizon: 1000, explore: {share: 0.4, over: all}"
      })
  void takingOverWhatWouldBeChosenChangesTheStateAsChoosingItDoes(String policy) {
    takesOver(TestSpecs.text(policy, 1, JOIN, REWARD, "reject"));
  }

  @Test
  void takingOverASampleLeavesTheUrnAsDrawingItDoes() {
    takesOver(
        TestSpecs.experiment(
            "csr-v2, samples: 60, control: \"A=left\"", 1, JOIN, REWARD, "reject"));
  }

  private void takesOver(String spec) {
    TestBook book = new TestBook().publish(spec);
    ByteSegmentState state = new ByteSegmentState();
    for (int round = 0; round < ROUNDS; round++) {
      ContextEvent context = context();
      ByteSegmentState lost = state.copy();
      Decision chosen = answer(book, context, state, null);
      Decision again = answer(book, context, lost, chosen);
      assertTrue(again.recovered());
      assertEquals(withoutFlag(chosen), withoutFlag(again), "seed " + SEED + ", round " + round);
      assertEquals(digests(state), digests(lost), "seed " + SEED + ", round " + round);
      reward(book, chosen, state);
    }
  }

  /** The dual variable pays for the effect of the arm that people saw. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "ucb, constraint: dual",
        "linucb, constraint: dual",
        "eps-cclb, epsilon: 0.1",
        "glm-ucb"
      })
  void whatMovesAtADecisionMovesByTheArmThatWasShown(String policy) {
    TestBook book = new TestBook().publish(TestSpecs.text(policy, 1, JOIN, REWARD, "reject"));
    ByteSegmentState state = new ByteSegmentState();
    int moved = 0;
    for (int round = 0; round < ROUNDS; round++) {
      ContextEvent context = context();
      ByteSegmentState lost = state.copy();
      Decision chosen = answer(book, context, state, null);
      Decision again = answer(book, context, lost, withArm(chosen, other(chosen)));
      assertEquals(other(chosen), again.arm());
      moved += blocks(state).equals(blocks(lost)) ? 0 : 1;
      reward(book, chosen, state);
    }
    assertTrue(moved > ROUNDS / 10, moved + " of " + ROUNDS);
  }

  @Test
  void aSampleThatTheUrnDoesNotHoldAnyMoreIsNone() {
    String spec =
        TestSpecs.experiment("csr-v2, samples: 60, control: \"A=left\"", 1, JOIN, REWARD, "reject");
    TestBook book = new TestBook().publish(spec);
    ByteSegmentState state = new ByteSegmentState();
    Decision pulled = answer(book, context("first", null), state, null);
    Decision later = later(pulled);
    Decision again = answer(book, context(later.decisionId(), null), state, later);
    assertEquals(DecisionReason.NOT_SAMPLED, again.reason());
    assertEquals(later.arm(), again.arm());
    assertEquals(null, again.sample());
  }

  @Test
  void anAnswerUnderAnotherMeaningKeepsItsArmAndIsNotLearnedFrom() {
    TestBook book = new TestBook().publish(TestSpecs.ucb());
    ByteSegmentState state = new ByteSegmentState();
    ContextEvent context = context();
    Decision chosen = answer(book, context, state.copy(), null);
    Decision other = new DecisionCopy(chosen).fingerprint("another").arm("A=gone").made();
    Decision again = answer(book, context, state, other);
    assertEquals("A=gone", again.arm());
    assertEquals(DecisionReason.REJECTED, again.reason());
    assertEquals("MODEL_CHANGED", again.errorCode());
    assertTrue(again.recovered());
  }

  @Test
  void anAnswerThatLeavesItsFeaturesOffIsTakenOverForTheSameRecordOnly() {
    TestBook book = new TestBook().publish(TestSpecs.ucb());
    ByteSegmentState state = new ByteSegmentState();
    ContextEvent context = context();
    Decision chosen = answer(book, context, state.copy(), null);
    Decision bare = chosen.withFeatures(null, null);
    Decision again = answer(book, context, state.copy(), bare);
    assertEquals(withoutFlag(chosen), withoutFlag(again));
    Decision elsewhere = Tamper.with(bare, "source.offset", bare.source().offset() + 1);
    assertEquals(DecisionReason.REJECTED, answer(book, context, state, elsewhere).reason());
  }

  /** What linear and tabular models keep means the same whatever arms there are. */
  @ParameterizedTest
  @ValueSource(strings = {"ucb", "linucb", "glm-ucb"})
  void anAnswerIsNotLearnedFromWhereTheArmOfThatIdSetsSomethingElseNow(String policy) {
    String before = twoArms(policy, 1, "left", "right");
    String swapped = twoArms(policy, 2, "right", "left");
    String renumbered = twoArms(policy, 3, "left", "right");
    ByteSegmentState state = new ByteSegmentState();
    ContextEvent context = context();
    TestBook book = new TestBook().publish(before);
    Decision chosen = answer(book, context, state.copy(), null);
    Decision named = answer(book.publish(swapped), context, state.copy(), chosen);
    assertEquals(chosen.reason(), named.reason(), "a new state takes the spec that it names");
    ByteSegmentState running = state.copy();
    answer(book, context("other", START), running, null);
    Decision again = answer(book, context, running.copy(), chosen);
    assertEquals("MODEL_CHANGED", again.errorCode());
    assertEquals(chosen.arm(), again.arm());
    TestBook alike = new TestBook().publish(before).publish(renumbered);
    running = state.copy();
    answer(alike, context("other", START), running, null);
    Decision same = answer(alike, context, running, chosen);
    assertEquals(chosen.reason(), same.reason());
    Decision unknown = answer(new TestBook().publish(renumbered), context, state, chosen);
    assertEquals("MODEL_CHANGED", unknown.errorCode());
  }

  private static String twoArms(String policy, int number, String one, String two) {
    return SpecVariant.of(policy)
        .version(number)
        .arms("{id: one, A: " + one + "}", "{id: two, A: " + two + "}")
        .text();
  }

  @Test
  void norWhereItSetsAnotherNumber() {
    TestBook book = new TestBook().publish(NumericArmTest.spec("linucb", 1, prices("2")));
    ByteSegmentState state = new ByteSegmentState();
    ContextEvent context = context();
    Decision chosen = answer(book, context, state.copy(), null);
    book.publish(NumericArmTest.spec("linucb", 2, prices("3.5")));
    answer(book, context("other", START), state, null);
    Decision again = answer(book, context, state.copy(), chosen);
    assertEquals("MODEL_CHANGED", again.errorCode());
    book.publish(NumericArmTest.spec("linucb", 3, prices("2.0")));
    state = new ByteSegmentState();
    answer(book, context("other", START), state, null);
    assertEquals(chosen.reason(), answer(book, context, state, chosen).reason());
  }

  private static String prices(String cheap) {
    return "[{id: cheap, topic: news, price: " + cheap + "}, {id: dear, topic: news, price: 8.5}]";
  }

  @Test
  void aStaleAnswerStaysStaleAndAnAnswerInTimeStaysOne() {
    TestBook book = new TestBook().publish(TestSpecs.ucb());
    ByteSegmentState state = new ByteSegmentState();
    ContextEvent late = context("late", START - 1);
    Decision stale = answer(book, late, state.copy(), null);
    assertEquals(DecisionReason.DEADLINE_EXCEEDED, stale.reason());
    assertEquals(DecisionReason.DEADLINE_EXCEEDED, answer(book, late, state, stale).reason());
    ContextEvent same = context("intime", START - 1);
    Decision inTime = answer(book, context("intime", START + 1), state.copy(), null);
    Decision again = answer(book, same, state, inTime);
    assertEquals(inTime.reason(), again.reason());
    assertEquals(inTime.arm(), again.arm());
  }

  private Decision answer(
      TestBook book, ContextEvent context, ByteSegmentState state, @Nullable Decision before) {
    given = before;
    RecordedLog log = new RecordedLog();
    WriterEpoch writerEpoch =
        new WriterEpoch(
            before == null ? 1 : 2,
            any -> {
              Decision taken = given;
              given = null;
              return taken;
            },
            segment -> 5);
    new SegmentMachine(book, BoundsRegistry.NONE, () -> START, writerEpoch)
        .onContext(context, state, log);
    return log.decisions.get(0);
  }

  private void reward(TestBook book, Decision decision, ByteSegmentState state) {
    if (random.nextInt(5) == 0) {
      return;
    }
    RewardEvent reward =
        new RewardEvent(
            decision.decisionId(),
            null,
            SEGMENT,
            decision.eventTime() + 1,
            random.nextInt(2),
            Map.of("M", random.nextBoolean() ? "1" : "0"),
            null,
            new Origin("rewards", 0, number, START),
            new byte[] {(byte) number});
    new SegmentMachine(book, () -> START, 1).onReward(reward, state, new RecordedLog());
  }

  private ContextEvent context() {
    return context(
        "d" + number,
        random.nextBoolean() ? "a" : "b",
        random.nextBoolean() ? "low" : "high",
        null);
  }

  /** Always the same person. */
  private ContextEvent context(String id, @Nullable Long deadline) {
    return context(id, "a", "low", deadline);
  }

  private ContextEvent context(String id, String s, String x, @Nullable Long deadline) {
    long time = START + 10L * number++;
    return new ContextEvent(
        id,
        SEGMENT,
        time,
        Map.of("S", s, "X", x),
        null,
        deadline,
        new Origin("contexts", 0, number, time),
        id.getBytes(StandardCharsets.UTF_8));
  }

  private static String other(Decision decision) {
    return "A=left".equals(decision.arm()) ? "A=right" : "A=left";
  }

  private static Decision withArm(Decision decision, String arm) {
    return new DecisionCopy(decision).arm(arm).made();
  }

  /** A pull of the next phase, which is not open. */
  private static Decision later(Decision pulled) {
    return new DecisionCopy(pulled).id("later").phase(1).made();
  }

  private static Decision withoutFlag(Decision decision) {
    return new DecisionCopy(decision).made();
  }

  /** What is counted of an arm that was left is lost with the state it was left in. */
  private static List<String> digests(ByteSegmentState state) {
    SegmentHeader head = Objects.requireNonNull(state.head());
    List<String> digests = blocks(state);
    digests.add(ModelDigest.pending(head));
    digests.add(head.ledgers + " " + head.arms + head.armDecisions + " " + head.rounds);
    return digests;
  }

  private static List<String> blocks(ByteSegmentState state) {
    List<String> blocks = new ArrayList<>();
    for (Map.Entry<Long, StateBlock> block : state.blocks().entries()) {
      blocks.add(block.getKey() + "=" + Arrays.toString(block.getValue().toBytes()));
    }
    return blocks;
  }
}
