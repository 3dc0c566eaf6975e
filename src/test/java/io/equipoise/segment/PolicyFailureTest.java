package io.equipoise.segment;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.event.Account;
import io.equipoise.event.Decision;
import io.equipoise.event.DecisionReason;
import io.equipoise.event.ErrorCode;
import io.equipoise.event.SegmentEvent;
import io.equipoise.event.SegmentEventType;
import io.equipoise.layout.Layout;
import io.equipoise.layout.StoredBytes;
import io.equipoise.policy.ModelState;
import io.equipoise.policy.PhasedPolicy;
import io.equipoise.policy.StateBlock;
import io.equipoise.policy.constraint.DualBlock;
import io.equipoise.policy.refutation.Assumptions;
import io.equipoise.policy.split.SplitBlock;
import io.equipoise.policy.tabular.DualState;
import io.equipoise.segmentspec.SpecException;
import io.equipoise.segmentspec.SpecParser;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A policy that throws; here because a block is of another policy, a ClassCastException. */
class PolicyFailureTest {
  private static final String JOIN = "{reward-window: 60s, dedup-window: 60s, fallback: A=left%s}";
  private static final StateBlock FOREIGN = new DualState(new DualBlock(1));

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ucb",
        "linucb, constraint: hard, features: [{one-hot: S}]",
        "glm-ucb, features: [intercept]"
      })
  void aDecisionIsAnsweredWithTheFallbackAndADeadLetter(String policy) {
    Scenario scenario = learned(policy, "");
    List<Long> keys = new ArrayList<>();
    scenario.state.blocks().entries().forEach(entry -> keys.add(entry.getKey()));
    keys.forEach(key -> scenario.state.blocks().put(key, FOREIGN));

    scenario.context("c", 3);

    Decision answer = scenario.log.decisions.get(1);
    assertEquals(DecisionReason.REJECTED, answer.reason());
    assertEquals("A=left", answer.arm());
    assertEquals(ErrorCode.POLICY_FAILED.name(), answer.errorCode());
    assertEquals(List.of(ErrorCode.POLICY_FAILED.name()), scenario.deadLetterCodes());
    String why = scenario.log.deadLetters.get(0).message();
    assertTrue(why.contains("failed: java.lang.ClassCastException"), why);
    assertEquals(1, scenario.count(Account.CONTEXT_REJECTED));
  }

  /** A jar of someone else may throw anything, also without a declaration. */
  @Test
  void whatAPolicyThrowsIsContainedWhateverItsClass() {
    List<Throwable> all =
        List.of(
            new StackOverflowError("deep"),
            new NoClassDefFoundError("evil/Missing"),
            new AssertionError("assertion"),
            new InterruptedException("sneaky"),
            new IllegalStateException("no text") {
              private static final long serialVersionUID = 1L;

              @Override
              public String toString() {
                throw new IllegalStateException("of this one");
              }
            });
    for (Throwable thrown : all) {
      Scenario scenario = learned("linucb, features: [intercept]", "").context("b", 3);
      scenario.state.blocks().put(Assumptions.EVIDENCE, new ThrowingBlock(thrown));

      scenario.reward("b", null, 4, 1, Map.of("M", "1"));

      assertEquals(List.of(ErrorCode.POLICY_FAILED.name()), scenario.deadLetterCodes());
      String why = scenario.log.deadLetters.get(0).message();
      assertTrue(why.contains("linucb failed: " + thrown.getClass().getName()), why);
      assertEquals(1, scenario.count(Account.DECISION_AWAITING));
    }
  }

  private static final class ThrowingBlock extends StateBlock {
    private final Throwable thrown;

    ThrowingBlock(Throwable thrown) {
      this.thrown = thrown;
    }

    @Override
    public StateBlock copy() {
      throw ThrowingBlock.<RuntimeException>undeclared(thrown);
    }

    @Override
    protected void layout(Layout bytes) {}

    @SuppressWarnings("unchecked") // the compiler sees an unchecked exception
    private static <T extends Throwable> T undeclared(Throwable thrown) throws T {
      throw (T) thrown;
    }
  }

  /** It would fail at every start, before the first context. */
  @Test
  void aPolicyThatThrowsWhenItTakesOverIsRejectedAndTheSegmentGoesOn() {
    Scenario scenario = learned("linucb, features: [intercept, one-hot: X]", "");
    List<Long> keys = new ArrayList<>();
    scenario.state.blocks().entries().forEach(entry -> keys.add(entry.getKey()));
    StateBlock throwing = new ThrowingBlock(new AssertionError("moved"));
    keys.forEach(key -> scenario.state.blocks().put(key, throwing));
    scenario.book.publish(
        SpecVariant.of("linucb, features: [intercept, one-hot: X]")
            .version(2)
            .join(JOIN.formatted(""))
            .levels("X", "low", "mid", "high")
            .text());

    scenario.context("c", 203);

    assertEquals(ErrorCode.SPEC_REJECTED.name(), scenario.deadLetterCodes().get(0));
    String why = scenario.log.deadLetters.get(0).message();
    assertTrue(why.contains("its policy failed: java.lang.AssertionError: moved"), why);
    assertEquals("A=left", scenario.log.decisions.get(1).arm());
  }

  /** Else each reward is refused while the job runs, and the model learns nothing. */
  @Test
  void aSpecWhosePolicyRefusesRewardsWithinTheRangeIsRefused() {
    String text =
        TestSpecs.text(
                "linucb, features: [intercept, {number: {of: X, scale: 0.001}}]",
                1,
                JOIN.formatted(""),
                "{range: [0, 1]}",
                "reject")
            .replace("context, levels: [low, high]", "context, range: [0, 1], cuts: [0.5]");
    SpecException refused =
        assertThrows(SpecException.class, () -> SpecTrial.passed(SpecParser.parse(text)));
    assertTrue(String.valueOf(refused.getMessage()).contains("too large"), refused::getMessage);
  }

  @Test
  void aRewardThatFailsHalfWayChangesNothing() {
    Scenario scenario = learned("linucb, features: [intercept]", "").context("b", 3);
    ModelState blocks = scenario.state.blocks();
    blocks.put(Assumptions.EVIDENCE, FOREIGN); // read after the regression has learned
    byte[] before = bytes(blocks);

    scenario.reward("b", null, 4, 1, Map.of("M", "1"));

    assertArrayEquals(before, bytes(blocks));
    assertEquals(List.of(ErrorCode.POLICY_FAILED.name()), scenario.deadLetterCodes());
    assertEquals(1, scenario.count(Account.REWARD_INVALID));
    assertEquals(1, scenario.count(Account.DECISION_AWAITING));
  }

  @Test
  void aWindowThatClosesWithAFailureEndsTheDecision() {
    Scenario scenario =
        learned("linucb, features: [intercept]", ", aggregate: max").context("b", 300);
    scenario.reward("b", "r", 301, 1, Map.of("M", "1"));
    ModelState blocks = scenario.state.blocks();
    blocks.put(Assumptions.EVIDENCE, FOREIGN);
    byte[] before = bytes(blocks);

    scenario.passTo(370);

    assertArrayEquals(before, bytes(blocks));
    assertEquals(1, scenario.count(Account.DECISION_CLOSED_NOT_LEARNABLE));
    SegmentEvent closed = scenario.log.segmentEvents.get(scenario.log.segmentEvents.size() - 1);
    assertEquals(SegmentEventType.WINDOW_CLOSED, closed.type());
    assertEquals(ErrorCode.POLICY_FAILED.name(), closed.reason());
  }

  @Test
  void aLossThatFailsIsCounted() {
    String spec =
        TestSpecs.experiment(
            "csr-v1, samples: 100, control: \"A=left\"",
            1,
            JOIN.formatted(", learn: on-window-close"),
            "{range: [0, 1]}",
            "reject");
    Scenario scenario =
        Scenario.under(spec).context("a", 1).reward("a", "r", 2, 1, Map.of("M", "1")).passTo(100);
    scenario.context("b", 101);
    ModelState blocks = scenario.state.blocks();
    StateBlock progress = blocks.get(PhasedPolicy.PROGRESS);
    blocks
        .entries()
        .forEach(
            entry -> {
              boolean isSums =
                  entry.getKey() != PhasedPolicy.PROGRESS
                      && entry.getValue().getClass() == progress.getClass();
              if (isSums) {
                blocks.put(PhasedPolicy.PROGRESS, entry.getValue());
              }
            });

    scenario.passTo(200);

    assertEquals(1, scenario.count(Account.DECISION_CLOSED_NOT_LEARNABLE));
    assertEquals(1, scenario.log.policyFailures.size(), scenario.log.policyFailures::toString);
    assertTrue(scenario.log.policyFailures.get(0).contains("csr-v1 failed: "));
  }

  /** The last decision before a rest is of another policy's block. */
  @Test
  void aForecastThatFailsIsCountedAndLeftOutOfTheSnapshot() {
    Scenario scenario =
        Scenario.under(
                TestSpecs.text(
                        "linucb, constraint: hard, features: [{one-hot: S}]",
                        1,
                        JOIN.formatted(""),
                        "{range: [0, 1]}",
                        "reject")
                    + "idle-state: {after: 300s, retain: none}\n")
            .context("a", 1)
            .reward("a", "r", 2, 1, Map.of("M", "1"));
    List<Long> keys = new ArrayList<>();
    scenario.state.blocks().entries().forEach(entry -> keys.add(entry.getKey()));
    keys.forEach(key -> scenario.state.blocks().put(key, FOREIGN));

    scenario.passTo(2_000);

    assertFalse(scenario.log.metrics.isEmpty());
    assertTrue(scenario.log.metrics.get(0).fairness().certificates().isEmpty());
    assertTrue(scenario.log.policyFailures.get(0).contains("ClassCastException"));
  }

  /** Else the job restarts at the same reward again and again. */
  @Test
  void aSplitThatFailsHalfWayStopsAndTheRewardIsLearned() {
    Scenario failing = split(", split: all");
    Scenario plain = split("");
    replaceSums(failing.state.blocks(), true);
    for (Scenario scenario : List.of(failing, plain)) {
      scenario.reward("b", null, 4, 1, Map.of("M", "1"));
      scenario.context("c", 5, Map.of("S", "b", "X", "low"));
      scenario.reward("c", null, 6, 0, Map.of("M", "0"));
      for (int i = 0; i < 10; i++) {
        scenario.context("d" + i, 7 + i);
      }
      assertEquals(List.of(), scenario.deadLetterCodes());
      assertEquals(3, scenario.count(Account.DECISION_SETTLED));
      assertEquals(3, scenario.count(Account.REWARD_APPLIED));
      assertEquals(List.of(), scenario.log.metrics.get(0).splits());
    }
    assertEquals(1, failing.log.policyFailures.size(), failing.log.policyFailures::toString);
    String why = failing.log.policyFailures.get(0);
    assertTrue(why.startsWith("fairness.split stopped: java.lang.ArrayIndexOutOfBounds"), why);
    for (Map.Entry<Long, StateBlock> block : failing.state.blocks().entries()) {
      boolean isOfSplit = block.getValue() instanceof SplitBlock;
      assertTrue(isOfSplit || block.getValue().equals(plain.state.blocks().get(block.getKey())));
    }
  }

  @Test
  void aSplitThatCannotBeReportedIsCountedAndLeftOutOfTheSnapshot() {
    Scenario scenario = split(", split: all").reward("b", null, 4, 1, Map.of("M", "1"));
    replaceSums(scenario.state.blocks(), false);
    for (int i = 0; i < 10; i++) {
      scenario.context("c" + i, 5 + i);
    }
    assertEquals(List.of(), scenario.log.metrics.get(0).splits());
    assertEquals(1, scenario.log.policyFailures.size(), scenario.log.policyFailures::toString);
  }

  /** Returns a segment that has learned a reward of the reference and awaits another. */
  private static Scenario split(String split) {
    String text = TestSpecs.ucb().replace("delta: 0.05}", "delta: 0.05" + split + "}");
    return Scenario.under(text)
        .context("a", 1)
        .reward("a", null, 2, 1, Map.of("M", "1"))
        .context("b", 3);
  }

  /**
   * Replaces the sums, and the strata of X (2), arm (4) and M (8) behind them, which are counted
   * before the sums: the first 6 numbers are 1, the others 0.
   */
  private static void replaceSums(ModelState blocks, boolean areLastStrataMissing) {
    long key = blocks.entries().iterator().next().getKey();
    ByteBuffer bytes = StoredBytes.of(blocks.get(key));
    int count = areLastStrataMissing ? bytes.getInt(9) - 8 * 3 : 6;
    ByteBuffer others = ByteBuffer.allocate(13 + (count + 7) / 8 + 6 * Double.BYTES);
    others.put(bytes.flip().slice(0, 9)).putInt(count).put((byte) 0x3F);
    others.position(13 + (count + 7) / 8);
    for (int i = 0; i < 6; i++) {
      others.putDouble(1);
    }
    blocks.put(key, StoredBytes.read(new SplitBlock(), others.flip()));
  }

  private static Scenario learned(String policy, String join) {
    return Scenario.under(
            TestSpecs.text(policy, 1, JOIN.formatted(join), "{range: [0, 1]}", "reject"))
        .context("a", 1)
        .reward("a", "r", 2, 1, Map.of("M", "1"))
        .passTo(200);
  }

  private static byte[] bytes(ModelState blocks) {
    ByteBuffer bytes = ByteBuffer.allocate(1 << 16);
    blocks
        .entries()
        .forEach(
            entry -> {
              bytes.putLong(entry.getKey());
              bytes.put(entry.getValue().toBytes());
            });
    return bytes.array();
  }
}
