package io.equipoise.segment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.event.Account;
import io.equipoise.event.CandidateArm;
import io.equipoise.event.ContextEvent;
import io.equipoise.event.Decision;
import io.equipoise.event.DecisionReason;
import io.equipoise.segment.log.WriterEpoch;
import io.equipoise.segment.replay.FeaturesOfContext;
import io.equipoise.segment.state.BoundsRegistry;
import io.equipoise.segment.state.MemorySegmentState;
import io.equipoise.segment.state.SegmentHeader;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Requests that go on bringing arms that nobody saw before: the state stays bounded. */
class ManyArmsTest {
  private static final String SPEC =
      TestSpecs.text(
              "linucb, model: shared, features: [{one-hot: A}]",
              1,
              "{reward-window: 60s, early-reward-timeout: 30s, dedup-window: 60s, fallback:"
                  + " \"A=left\"}",
              "{range: [0, 1]}",
              "reject")
          .replace("{every: 10}", "{every: 5000}");

  private final Scenario scenario = Scenario.under(SPEC);
  private int count;

  @Test
  void pastTheLimitOnlyArmsThatWereGivenBeforeAndThoseOfTheSpecAreGiven() {
    for (int arm = 0; arm < RequestCandidates.MOST_KNOWN; arm++) {
      assertEquals("arm" + arm, ask(List.of("arm" + arm)).arm());
    }
    Decision mixed = ask(List.of("new", "arm7", "newer", "arm3"));
    assertEquals(List.of("arm7", "arm3"), mixed.candidates());
    assertEquals(2, mixed.propensitiesOf(mixed.candidates()).size());
    Decision refused = ask(List.of("new", "newer"));
    assertEquals(DecisionReason.REJECTED, refused.reason());
    assertEquals("TOO_MANY_ARMS", refused.errorCode());
    assertEquals("A=left", refused.arm());
    String message = scenario.log.deadLetters.get(0).message();
    assertTrue(message.contains("the segment knows 10000 arms already. Give"), message);
    assertEquals("A=left", ask(null).arm(), "the spec's arms come in beyond the limit");
    assertFalse(scenario.head().arms.contains("new"));
    assertEquals(RequestCandidates.MOST_KNOWN + 1, scenario.head().arms.size());
    assertEquals(1, scenario.count(Account.CONTEXT_REJECTED));
    scenario.assertBalanced(count, 0);
  }

  /** With room for one more, any of the candidates may be that one. */
  @Test
  void theLastRoomIsForWhicheverIsChosen() {
    SegmentHeader head = full(RequestCandidates.MOST_KNOWN - 1);
    assertEquals(List.of("new", "newer"), ask(List.of("new", "newer")).candidates());
    assertEquals(RequestCandidates.MOST_KNOWN, head.arms.size());
    assertEquals(List.of("new"), ask(List.of("new", "newer")).candidates());
  }

  /** What an arm sets comes back from the context also where the decision left others out. */
  @Test
  void featuresComeBackForTheCandidatesThatWereLeft() {
    full(RequestCandidates.MOST_KNOWN);
    ContextEvent context = context(List.of("new", "arm7", "newer", "arm3"));
    scenario.context(context);
    Decision whole = scenario.log.decisions.get(0);
    assertEquals(2, whole.candidates().size());
    Decision restored =
        FeaturesOfContext.in(whole.withFeatures(null, null), context, TestSpecs.compiled(SPEC));
    assertEquals(whole, restored);
  }

  /** Who goes on from a checkpoint meets contexts in another order, with other arms known. */
  @Test
  void anAnswerThatPeopleSawIsTakenOverWithItsCandidatesWhateverIsKnownNow() {
    for (int known : List.of(0, RequestCandidates.MOST_KNOWN)) {
      SegmentHeader before = full(RequestCandidates.MOST_KNOWN - 1);
      before.positionOf("shown");
      ContextEvent context = context(List.of("new", "shown"));
      scenario.context(context);
      Decision given = scenario.log.decisions.get(scenario.log.decisions.size() - 1);
      assertEquals(List.of("shown"), given.candidates());
      MemorySegmentState lost = new MemorySegmentState();
      SegmentHeader other = new SegmentHeader();
      for (int arm = 0; arm < known; arm++) {
        other.positionOf("arm" + arm);
      }
      lost.putHead(other);
      RecordedLog log = new RecordedLog();
      WriterEpoch writerEpoch = new WriterEpoch(2, any -> given, segment -> 5);
      new SegmentMachine(
              scenario.book, BoundsRegistry.NONE, () -> Scenario.ORIGIN_MILLIS, writerEpoch)
          .onContext(context, lost, log);
      assertEquals("shown", log.decisions.get(0).arm());
      assertEquals(given.reason(), log.decisions.get(0).reason());
      assertEquals(given.candidates(), log.decisions.get(0).candidates());
    }
  }

  private SegmentHeader full(int arms) {
    SegmentHeader head = new SegmentHeader();
    for (int arm = 0; arm < arms; arm++) {
      head.positionOf("arm" + arm);
    }
    scenario.state.putHead(head);
    return head;
  }

  private Decision ask(@Nullable List<String> candidates) {
    scenario.context(context(candidates));
    return scenario.log.decisions.get(scenario.log.decisions.size() - 1);
  }

  private ContextEvent context(@Nullable List<String> candidates) {
    String id = "d" + count++;
    return new ContextEvent(
        id,
        Scenario.SEGMENT,
        Scenario.millis(0),
        Map.of("S", "a", "X", "low"),
        candidates == null ? null : arms(candidates),
        null,
        scenario.origin("contexts", 0),
        new byte[0]);
  }

  private static List<CandidateArm> arms(List<String> ids) {
    return ids.stream().map(id -> new CandidateArm(id, Map.of("A", "left"))).toList();
  }
}
