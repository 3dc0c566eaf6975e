package io.equipoise.privacy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.audit.verify.Tamper;
import io.equipoise.event.AssumptionAudit;
import io.equipoise.event.AssumptionKind;
import io.equipoise.event.CausalBound;
import io.equipoise.event.DeadLetter;
import io.equipoise.event.Decision;
import io.equipoise.event.ErrorCode;
import io.equipoise.event.ExcludedCandidate;
import io.equipoise.event.FairnessAudit;
import io.equipoise.event.InputFault;
import io.equipoise.event.JoinedDecision;
import io.equipoise.event.Origin;
import io.equipoise.event.RefutedBounds;
import io.equipoise.event.RewardEvent;
import io.equipoise.event.SegmentEvent;
import io.equipoise.event.SegmentEventType;
import io.equipoise.event.SegmentMetrics;
import io.equipoise.segment.RecordedLog;
import io.equipoise.segment.SegmentMachine;
import io.equipoise.segment.TestBook;
import io.equipoise.segment.TestBounds;
import io.equipoise.segment.TestSpecs;
import io.equipoise.segment.state.CompiledSpec;
import io.equipoise.segment.state.MemorySegmentState;
import io.equipoise.segmentspec.SegmentSpec;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RedactorTest {
  /** A sensitive level, a sensitive number and one that is not, for a model that reads numbers. */
  private static final String NUMBERS =
      """
      name: test
      version: 1
      segments: default
      variables:
        X: {role: context, range: [0, 10], cuts: [5]}
        gender: {role: sensitive, levels: [f, m], missing: level}
        income: {role: sensitive, range: [0, 100], cuts: [50]}
        A: {role: action, levels: [left, right]}
        R: {role: reward}
      graph: "dag { {gender income X A} -> R }"
      arms: all
      reward: {range: [0, 1]}
      policy: {name: linucb}
      fairness: {tau: 0.2, intersections: true}
      join: {reward-window: 60s, early-reward-timeout: 30s, dedup-window: 60s}
      metrics: {every: 10}
      """;

  private final TestBook book = new TestBook();
  private final RecordedLog log = new RecordedLog();
  private final MemorySegmentState state = new MemorySegmentState();
  private final TestBounds causalBounds = new TestBounds();
  private final SegmentMachine machine = new SegmentMachine(book, causalBounds, () -> 0, 0);
  private final RedactionKey key = TestKeys.of(1);
  private final Unredactor unredactor = new Unredactor(KeyRing.of(key));

  private Redactor redactor(SensitiveValues sensitiveValues) {
    return new Redactor(sensitiveValues, key, 1, this::spec);
  }

  private @Nullable SegmentSpec spec(String hash) {
    CompiledSpec spec = book.byHash(hash);
    return spec == null ? null : spec.spec();
  }

  private void play(String spec, Map<String, Object> person) {
    book.publish(spec);
    machine.onContext(TestContexts.of("d", person), state, log);
  }

  private void reward(double value) {
    reward("d", value);
  }

  private void reward(String decisionId, double value) {
    Origin origin = new Origin("rewards", 0, 0, TestContexts.TIME);
    machine.onReward(
        new RewardEvent(
            decisionId, null, "s", TestContexts.TIME, value, Map.of(), null, origin, new byte[0]),
        state,
        log);
  }

  /** The difference of two snapshots is one person's effect, whose size tells the group. */
  @Test
  void snapshotsTellNoSumsOfEffects() {
    book.publish(NUMBERS.replace("every: 10", "every: 1"));
    machine.onContext(
        TestContexts.of("d", Map.of("X", 7.5, "gender", "m", "income", 41.25)), state, log);
    SegmentMetrics plain = log.metrics.get(0);
    assertNotNull(plain.fairness().cumulativeViolation());
    SegmentMetrics dropped = redactor(SensitiveValues.REDACT).of(plain);
    assertNull(dropped.fairness().cumulativeViolation());
    SegmentMetrics hidden = redactor(SensitiveValues.PSEUDONYMIZE).of(plain);
    assertEquals(plain, unredactor.reveal(hidden));
  }

  @Test
  void splitsOfGapsAreForHoldersOfTheKeyAndOfLargeGroups() {
    book.publish(TestSpecs.ucb().replace("delta: 0.05}", "delta: 0.05, split: all}"));
    for (int i = 0; i < 40; i++) {
      machine.onContext(TestContexts.person("d" + i, i % 4 == 0 ? "a" : "b"), state, log);
      reward("d" + i, i % 3 / 2.0);
    }
    SegmentMetrics plain = log.metrics.get(log.metrics.size() - 1);
    assertEquals(1, plain.splits().size());
    assertEquals(List.of(), redactor(SensitiveValues.REDACT).of(plain).splits());
    assertEquals(plain.splits(), redactor(SensitiveValues.PSEUDONYMIZE).of(plain).splits());
    assertEquals(plain.splits(), redactor(SensitiveValues.PLAIN).of(plain).splits());
    long smaller = plain.splits().get(0).referenceRewards();
    assertEquals(plain.splits(), new SmallCellSuppression(smaller).suppress(plain).splits());
    assertEquals(List.of(), new SmallCellSuppression(smaller + 1).suppress(plain).splits());
  }

  /** Two snapshots one decision and its reward apart tell whose group grew. */
  @Test
  void snapshotsThatAreNearTellNoGroups() {
    book.publish(NUMBERS.replace("every: 10", "every: 1"));
    for (int i = 0; i < 20; i++) {
      String gender = i % 2 == 0 ? "f" : "m";
      Map<String, Object> person = Map.of("X", 7.5, "gender", gender, "income", 60.0 * (i % 2));
      machine.onContext(TestContexts.of("d" + i, person), state, log);
      reward("d" + i, 0.5);
    }
    SegmentMetrics plain = log.metrics.get(19);
    assertEquals(2, plain.seq() - plain.previousSeq());
    SegmentMetrics near = new Redactor(SensitiveValues.REDACT, key, 3, this::spec).of(plain);
    assertTrue(near.groups().means().stream().allMatch(it -> it.rewards() == 0), near::toString);
    assertEquals(4, near.groups().suppressed());
    assertNull(near.groups().difference());
    Redactor far = new Redactor(SensitiveValues.REDACT, key, 2, this::spec);
    assertEquals(plain.groups(), far.of(plain).groups());
    Redactor open = new Redactor(SensitiveValues.PLAIN, null, 3, this::spec);
    assertEquals(plain.groups(), open.of(plain).groups());
    SegmentMetrics hidden =
        new Redactor(SensitiveValues.PSEUDONYMIZE, key, 3, this::spec).of(plain);
    assertEquals(near.groups(), unredactor.reveal(hidden).groups());
  }

  @Test
  void numbersAreHiddenTooAndComeBack() {
    play(NUMBERS, Map.of("X", 7.5, "gender", "m", "income", 41.25));
    Decision plain = log.decisions.get(0);
    assertEquals(List.of(1.0, 1.0, 0.0, 7.5, 41.25), plain.features());
    Decision hidden = redactor(SensitiveValues.PSEUDONYMIZE).of(plain);
    assertEquals(List.of(1.0, -1.0, -1.0, 7.5, Double.NaN), hidden.features());
    assertEquals(plain, unredactor.reveal(hidden));
    Decision dropped = redactor(SensitiveValues.REDACT).of(plain);
    assertEquals(hidden.features(), dropped.features());
    assertFalse(dropped.toString().contains("41.25"));
  }

  @Test
  void whereFeaturesAreLeftOffTheRestIsHiddenAsEver() {
    play(NUMBERS, Map.of("X", 7.5, "gender", "m", "income", 41.25));
    Decision plain = log.decisions.get(0).withFeatures(null, null);
    Redactor silent = new Redactor(SensitiveValues.PSEUDONYMIZE, key, 1, false, this::spec);
    Decision hidden = silent.of(log.decisions.get(0));
    assertNull(hidden.features());
    assertNull(hidden.mean());
    assertNotNull(hidden.redaction());
    assertEquals(plain, unredactor.reveal(hidden));
    Redactor open = new Redactor(SensitiveValues.PLAIN, null, 1, false, this::spec);
    assertEquals(plain, open.of(log.decisions.get(0)));
  }

  @Test
  void whatChangesTogetherHasATokenOfItsOwn() {
    play(NUMBERS, Map.of("X", 7.5, "gender", "m", "income", 41.25));
    TreeSet<String> names = new TreeSet<>();
    for (FairnessAudit plain : log.audits) {
      FairnessAudit hidden = redactor(SensitiveValues.PSEUDONYMIZE).of(plain);
      assertEquals(
          key.token(plain.effect().attribute(), String.valueOf(plain.effect().factual())),
          hidden.effect().factual());
      assertEquals(plain, unredactor.reveal(hidden));
      names.add(plain.effect().attribute());
    }
    assertTrue(names.containsAll(List.of("gender", "gender*income", "income")), names::toString);
  }

  /**
   * Within causal bounds it is an end of a row, and {@code causal bounds} names the row's person.
   */
  @Test
  void theIndexOfTheArmThatWasLeftIsHiddenAndComesBack() {
    double most = 0.875;
    List<CausalBound> rows = new ArrayList<>();
    for (String arm : List.of("A=left", "A=right")) {
      for (String x : List.of("low", "high")) {
        rows.add(TestBounds.row(arm, Map.of("S", "a", "X", x), 0.1, most));
        rows.add(TestBounds.row(arm, Map.of("S", "b", "X", x), 0.1, 0.75));
      }
    }
    causalBounds.publish(TestBounds.of(1, rows.toArray(CausalBound[]::new)));
    book.publish(
        TestSpecs.text(
            TestBounds.policy("ucb-pcb, constraint: screen", "ignore"),
            1,
            "{reward-window: 60s, early-reward-timeout: 30s, dedup-window: 60s}",
            "{range: [0, 1]}",
            "reject"));
    for (int i = 0; i < 300; i++) {
      String x = i % 3 == 0 ? "low" : "high";
      machine.onContext(TestContexts.of("d" + i, Map.of("S", "a", "X", x)), state, log);
      reward("d" + i, i % 7 < 4 ? 1 : 0);
    }
    int told = 0;
    for (FairnessAudit plain : log.audits) {
      ExcludedCandidate excluded = plain.excluded();
      if (excluded == null) {
        continue;
      }
      told += Objects.equals(excluded.reward(), most) ? 1 : 0;
      FairnessAudit hidden = redactor(SensitiveValues.PSEUDONYMIZE).of(plain);
      assertNull(Objects.requireNonNull(hidden.excluded()).reward());
      assertEquals(plain, unredactor.reveal(hidden));
      FairnessAudit dropped = redactor(SensitiveValues.REDACT).of(plain);
      assertNull(Objects.requireNonNull(dropped.excluded()).reward());
    }
    assertTrue(told > 0, "no index is U of a row");
  }

  /** Which row was refuted follows from the interval, and from it who its token is. */
  @Test
  void aRefutedBoundHasNoTokenAndNoNumberAndComesBack() {
    causalBounds.publish(
        TestBounds.of(
            1,
            TestBounds.row("A=left", Map.of("S", "a", "X", "low"), 0.9, 1),
            TestBounds.row("A=left", Map.of("S", "b", "X", "low"), 0, 0.9),
            TestBounds.row("A=right", Map.of(), 0, 0.1)));
    book.publish(TestBounds.spec("ignore"));
    for (int i = 0; i < 200; i++) {
      machine.onContext(TestContexts.of("d" + i, Map.of("S", "a", "X", "low")), state, log);
      reward("d" + i, 0);
    }
    List<SegmentEvent> refuted =
        log.segmentEvents.stream()
            .filter(it -> it.type() == SegmentEventType.BOUNDS_REFUTED)
            .toList();
    assertEquals(1, refuted.size());
    SegmentEvent plain = refuted.get(0);
    assertEquals(
        Map.of("S", "a", "X", "low"), Objects.requireNonNull(plain.refutedBounds()).context());
    for (SensitiveValues sensitiveValues :
        List.of(SensitiveValues.PSEUDONYMIZE, SensitiveValues.REDACT)) {
      SegmentEvent hidden = redactor(sensitiveValues).of(plain);
      assertEquals(
          new RefutedBounds(
              "A=left", Map.of("S", "dropped", "X", "low"), null, null, null, null, null),
          hidden.refutedBounds());
      assertEquals(
          plain,
          Tamper.with(
              Tamper.with(hidden, "refutedBounds", plain.refutedBounds()), "redaction", null));
    }
    assertEquals(plain, unredactor.reveal(redactor(SensitiveValues.PSEUDONYMIZE).of(plain)));
  }

  /** Which verdict stands first would tell which level it is about. */
  @Test
  void theRecordsOfADecisionLeaveInAnOrderThatFollowsFromWhatTheyTell() {
    play(NUMBERS, Map.of("X", 7.5, "gender", "m", "income", 41.25));
    List<FairnessAudit> reversed = new ArrayList<>(log.audits);
    Collections.reverse(reversed);
    for (SensitiveValues sensitiveValues :
        List.of(SensitiveValues.PSEUDONYMIZE, SensitiveValues.REDACT)) {
      Redactor hiding = redactor(sensitiveValues);
      List<FairnessAudit> told = hiding.ofOneDecision(log.audits);
      assertEquals(told, hiding.ofOneDecision(reversed));
      assertEquals(log.audits.size(), told.size());
      assertTrue(told.containsAll(log.audits.stream().map(hiding::of).toList()));
    }
    assertEquals(reversed, redactor(SensitiveValues.PLAIN).ofOneDecision(reversed));
  }

  @Test
  void recordsOfASpecThatNobodyHasHideEverything() {
    play(TestSpecs.ucb(), Map.of("S", "a", "X", "high"));
    reward(1);
    Redactor blind = new Redactor(SensitiveValues.PSEUDONYMIZE, key, 1, hash -> null);
    Decision hidden = blind.of(log.decisions.get(0));
    assertEquals(List.of(-1.0, -1.0), hidden.features());
    assertEquals(log.decisions.get(0), unredactor.reveal(hidden));
    SegmentEvent applied = log.segmentEvents.get(log.segmentEvents.size() - 1);
    assertEquals(SegmentEventType.REWARD_APPLIED, applied.type());
    assertEquals(List.of(-1.0, -1.0), blind.of(applied).features());
  }

  /** The reward before a refutation by one cell is of a person of that cell. */
  @Test
  void theCellThatRefutesAnAssumptionIsHiddenWhereItIsOfASensitiveLevel() {
    play(TestSpecs.ucb(), Map.of("S", "a", "X", "high"));
    reward(1);
    SegmentEvent applied = log.segmentEvents.get(log.segmentEvents.size() - 1);
    AssumptionAudit byCell =
        new AssumptionAudit(
            AssumptionKind.TABLE,
            "P(M | S, X)",
            Map.of("S", "a", "X", "high"),
            9.5,
            7,
            12L,
            "correct it",
            3);
    SegmentEvent plain = applied.with(null, null, byCell, null);
    SegmentEvent hidden = redactor(SensitiveValues.PSEUDONYMIZE).of(plain);
    assertEquals(byCell.with(Map.of("S", "dropped", "X", "high"), null, null), hidden.assumption());
    assertEquals(plain, unredactor.reveal(hidden));
    SegmentEvent dropped = redactor(SensitiveValues.REDACT).of(plain);
    assertEquals(hidden.assumption(), dropped.assumption());
    SegmentEvent byAll = applied.with(null, null, byCell.with(Map.of(), 9.5, 12L), null);
    assertEquals(
        byAll, redactor(SensitiveValues.PSEUDONYMIZE).of(byAll), "all cells name no person");
  }

  /** A spec may have put the variables in another order since the decision was made. */
  @Test
  void segmentEventsThatTaughtNothingHideAllFeatures() {
    play(TestSpecs.ucb(), Map.of("S", "a", "X", "high"));
    reward(1);
    SegmentEvent applied = log.segmentEvents.get(log.segmentEvents.size() - 1);
    SegmentEvent other =
        new SegmentEvent(
            SegmentEventType.REWARD_TIMEOUT,
            applied.place(),
            applied.eventTime(),
            applied.versions(),
            new JoinedDecision(
                null,
                applied.hashOfDecision(),
                applied.decisionSeq(),
                applied.arm(),
                applied.decision().propensity(),
                applied.decision().propensities(),
                applied.features(),
                Map.of(),
                null,
                ErrorCode.MODEL_CHANGED.name()),
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null);
    assertEquals(List.of(-1.0, 1.0), redactor(SensitiveValues.PSEUDONYMIZE).of(applied).features());
    SegmentEvent hidden = redactor(SensitiveValues.PSEUDONYMIZE).of(other);
    assertEquals(List.of(-1.0, -1.0), hidden.features());
    assertEquals(other, unredactor.reveal(hidden));
  }

  @Test
  void whereNothingIsSensitiveNothingIsHidden() {
    play(
        TestSpecs.ucb().replace("role: sensitive", "role: context"), Map.of("S", "a", "X", "high"));
    reward(1);
    Redactor hiding = redactor(SensitiveValues.PSEUDONYMIZE);
    assertSame(log.decisions.get(0), hiding.of(log.decisions.get(0)));
    log.segmentEvents.forEach(segmentEvent -> assertSame(segmentEvent, hiding.of(segmentEvent)));
    log.audits.forEach(audit -> assertSame(audit, hiding.of(audit)));
  }

  @Test
  void plainIsPlain() {
    play(NUMBERS, Map.of("X", 7.5, "gender", "m", "income", 41.25));
    Redactor plain = new Redactor(SensitiveValues.PLAIN, null, 1, hash -> null);
    assertSame(log.decisions.get(0), plain.of(log.decisions.get(0)));
    assertSame(log.audits.get(0), plain.of(log.audits.get(0)));
    assertNull(log.decisions.get(0).redaction());
  }

  @Test
  void aLetterOfAnyCodeKeepsWhatItsCodeSaysAndComesBack() {
    for (ErrorCode code : ErrorCode.values()) {
      DeadLetter plain =
          DeadLetter.undecodable(
              new InputFault(code, "f: not the number 7", List.of("f")),
              new Origin("contexts", 1, 2, 3),
              null,
              null);
      for (SensitiveValues sensitiveValues :
          List.of(SensitiveValues.PSEUDONYMIZE, SensitiveValues.REDACT)) {
        DeadLetter hidden = redactor(sensitiveValues).of(plain);
        ErrorCode shown = code.name().endsWith("_CONTEXT") ? ErrorCode.REPEATED_CONTEXT : code;
        assertEquals(
            "%s %s Variables, key and value are encrypted with key %s."
                .formatted(shown.cause(), shown.remedy(), key.id()),
            hidden.message());
        assertEquals(List.of(), hidden.variables());
        assertEquals(plain.withPlainMessage(), unredactor.reveal(hidden));
      }
    }
  }
}
