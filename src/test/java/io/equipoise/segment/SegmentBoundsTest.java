package io.equipoise.segment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.audit.verify.Tamper;
import io.equipoise.event.CausalBound;
import io.equipoise.event.CausalBoundKey;
import io.equipoise.event.CausalBoundSet;
import io.equipoise.event.DeadLetter;
import io.equipoise.event.Decision;
import io.equipoise.event.FairnessAudit;
import io.equipoise.event.RefutedBounds;
import io.equipoise.event.SegmentEvent;
import io.equipoise.event.SegmentEventType;
import io.equipoise.event.Wire;
import io.equipoise.segment.replay.ReplayMismatchException;
import io.equipoise.segment.replay.ReplayOracle;
import io.equipoise.segment.state.MemorySegmentState;
import io.equipoise.segment.state.ModelDigest;
import io.equipoise.segment.state.SegmentHeader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class SegmentBoundsTest {
  private static final CausalBoundSet FIRST =
      TestBounds.set(1, new double[] {0, 0.3}, new double[] {0.25, 0.75});
  private static final CausalBoundSet SECOND =
      TestBounds.set(2, new double[] {0.5, 1}, new double[] {0, 0.25});

  private final Scenario segment = Scenario.under(TestBounds.spec("ignore"));

  @Test
  void withoutASetThePolicyIsPlain() {
    segment.context("d1", 0);
    assertEquals(List.of(SegmentEventType.SPEC_ADOPTED), segment.segmentEventTypes());
    assertNull(last().versions().boundsHash());
    assertNull(last().versions().boundsVersion());
    assertEquals(1e6, last().index());
  }

  @Test
  void aSetIsAdoptedAtTheNextEventAndDecisionsNameIt() {
    segment.context("d1", 0);
    segment.causalBounds.publish(FIRST);
    segment.context("d2", 1).reward("d2", 2, 0.5);
    assertEquals(
        List.of(
            SegmentEventType.SPEC_ADOPTED,
            SegmentEventType.BOUNDS_ADOPTED,
            SegmentEventType.REWARD_APPLIED),
        segment.segmentEventTypes());
    SegmentEvent adopted = segment.log.segmentEvents.get(1);
    assertEquals(FIRST.hash(), adopted.versions().boundsHash());
    assertEquals(1L, adopted.versions().boundsVersion());
    assertEquals(3, adopted.seq());
    assertEquals(FIRST.hash(), last().versions().boundsHash());
    assertEquals(1L, last().versions().boundsVersion());
    assertEquals("ucb-pcb", last().policy());
    assertEquals("A=right", last().arm(), "untried both, its U is the higher");
    assertEquals(0.75, last().index());
    assertEquals(FIRST.hash(), segment.log.segmentEvents.get(2).versions().boundsHash());
    segment.passTo(600).assertBalanced(2, 1);
  }

  @Test
  void aHigherNumberTakesOverAndKeepsWhatWasLearnedAndWhatIsPending() {
    segment.causalBounds.publish(FIRST);
    segment.context("d1", 0).context("d2", 1).reward("d1", 2, 0.5);
    segment.causalBounds.publish(SECOND);
    segment.context("d3", 3);
    assertEquals(SECOND.hash(), last().versions().boundsHash());
    assertEquals(2L, last().versions().boundsVersion());
    SegmentEvent adopted = segment.log.segmentEvents.get(segment.log.segmentEvents.size() - 1);
    assertEquals(FIRST.hash(), adopted.previousBoundsHash());
    assertEquals(List.of(), adopted.stateReset());
    segment.reward("d2", 4, 0.25);
    assertEquals(
        2,
        segment.segmentEventTypes().stream()
            .filter(k -> k == SegmentEventType.REWARD_APPLIED)
            .count());
    segment.passTo(600).assertBalanced(3, 2);
  }

  @Test
  void anOlderNumberAndAnotherSetOfTheSameOneDoNotComeBack() {
    segment.causalBounds.publish(SECOND);
    segment.context("d1", 0);
    segment.causalBounds.retire().publish(FIRST);
    segment.causalBounds.publish(TestBounds.set(2, new double[] {0, 1}, new double[] {0, 1}));
    segment.context("d2", 1);
    assertEquals(SECOND.hash(), last().versions().boundsHash());
    assertEquals(1, adoptions());
    segment.assertBalanced(2, 0);
  }

  @Test
  void aSetForAnotherGraphIsOneDeadLetterAndTheRunningOneStays() {
    segment.causalBounds.publish(FIRST);
    segment.context("d1", 0);
    CausalBoundSet elsewhere =
        TestBounds.of(5, TestBounds.row("ab".repeat(16), "A=left", Map.of(), 0, 0.1));
    segment.causalBounds.publish(elsewhere);
    segment.context("d2", 1).context("d3", 2).reward("d3", 3, 0.5);
    assertEquals(FIRST.hash(), last().versions().boundsHash());
    DeadLetter letter = segment.log.deadLetters.get(0);
    assertEquals(List.of("BOUNDS_GRAPH_MISMATCH"), segment.deadLetterCodes());
    assertTrue(letter.message().contains(TestBounds.graphHash()), letter.message());
    assertEquals(
        CausalBoundKey.of(elsewhere.rows().get(0)).text(),
        new String(letter.input().key(), StandardCharsets.UTF_8));
    assertEquals(elsewhere.rows().get(0), Wire.CAUSAL_BOUND.decode(letter.input().value()));
    segment.assertBalanced(3, 1);
  }

  @Test
  void behindASetThatCannotBeUsedTheNewestUsableOneIsFound() {
    segment.causalBounds.publish(FIRST).publish(SECOND);
    segment.causalBounds.publish(TestBounds.of(3, TestBounds.row("A=up", Map.of(), 0, 1)));
    segment.context("d1", 0).context("d2", 1);
    assertEquals(SECOND.hash(), last().versions().boundsHash());
    assertEquals(List.of("BOUNDS_REJECTED"), segment.deadLetterCodes());
    segment.causalBounds.publish(TestBounds.of(4, TestBounds.row("A=left", Map.of(), 0, 1.5)));
    segment.context("d3", 2).context("d4", 3);
    assertEquals(List.of("BOUNDS_REJECTED", "BOUNDS_REJECTED"), segment.deadLetterCodes());
  }

  @Test
  void anAuditLeavesTheBoundsToItsDecision() {
    segment.causalBounds.publish(FIRST);
    segment.context("d1", 0);
    assertEquals(FIRST.hash(), last().versions().boundsHash());
    assertFalse(segment.log.audits.isEmpty());
    for (FairnessAudit audit : segment.log.audits) {
      assertEquals(last().versions().ofSpec(), audit.versions());
      assertNull(audit.versions().boundsHash(), "17 bytes and more of every audit");
    }
  }

  @Test
  void aSetWhoseRowsAreNotThoseOfItsHashIsRefused() {
    CausalBound other = TestBounds.set(1, new double[] {0, 1}, new double[] {0, 1}).rows().get(0);
    CausalBound changed =
        new CausalBound(FIRST.rows().get(0).set(), other.arm(), Map.of(), 0, 1, other.evidence());
    segment.causalBounds.publish(CausalBoundSet.ofRead(List.of(changed, FIRST.rows().get(1))));
    segment.context("d1", 0);
    assertEquals(List.of("BOUNDS_REJECTED"), segment.deadLetterCodes());
    assertNull(last().versions().boundsHash());
  }

  @Test
  void aRefutedBoundIsAuditedOnceAndClipsNoMoreWhereItIsIgnored() {
    SegmentEvent refuted = refute(segment);
    RefutedBounds bounds = Objects.requireNonNull(refuted.refutedBounds());
    assertEquals("A=right", bounds.arm());
    assertEquals(FIRST.hash(), refuted.versions().boundsHash());
    assertEquals(1L, refuted.versions().boundsVersion());
    assertEquals(0.75, bounds.upper());
    assertTrue(Objects.requireNonNull(bounds.estimateLower()) > 0.75);
    SegmentEvent before =
        segment.log.segmentEvents.stream()
            .filter(segmentEvent -> segmentEvent.seq() == refuted.seq() - 1)
            .findFirst()
            .orElseThrow();
    assertEquals(SegmentEventType.REWARD_APPLIED, before.type(), "the reward that refutes it");
    assertEquals(before.eventTime(), refuted.eventTime());
    assertEquals(1.0, segment.context("after", 3000).log.decisions.get(last(segment)).index());
    segment.passTo(9000);
    segment.log.replay(new ReplayOracle(segment.book, segment.causalBounds));
  }

  @Test
  void aLogThatLeavesTheRefutationOutOrMovesItIsNotReplayed() {
    SegmentEvent refuted = refute(segment);
    List<Record> all = segment.log.all;
    int place = all.indexOf(refuted);
    for (boolean isMoved : new boolean[] {false, true}) {
      RecordedLog wrong = new RecordedLog();
      wrong.all.addAll(all.subList(0, place));
      Decision next =
          (Decision)
              all.subList(place, all.size()).stream()
                  .filter(Decision.class::isInstance)
                  .findFirst()
                  .orElseThrow();
      wrong.all.add(Tamper.with(next, "seq", refuted.seq()));
      if (isMoved) {
        wrong.all.add(Tamper.with(refuted, "seq", refuted.seq() + 1));
      }
      ReplayMismatchException thrown =
          assertThrows(
              ReplayMismatchException.class,
              () -> wrong.replay(new ReplayOracle(segment.book, segment.causalBounds)));
      assertTrue(
          String.valueOf(thrown.getMessage()).contains("must be BOUNDS_REFUTED"), thrown::toString);
    }
    SegmentEvent other = Tamper.with(refuted, "refutedBounds.estimate", 0.0);
    RecordedLog wrong = new RecordedLog();
    wrong.all.addAll(all.subList(0, place));
    wrong.all.add(other);
    assertThrows(
        ReplayMismatchException.class,
        () -> wrong.replay(new ReplayOracle(segment.book, segment.causalBounds)));
  }

  @Test
  void aRefutedBoundThatIsKeptClipsOn() {
    Scenario keeping = Scenario.under(TestBounds.spec("keep"));
    refute(keeping);
    assertEquals(0.75, keeping.context("after", 3000).log.decisions.get(last(keeping)).index());
    keeping.log.replay(new ReplayOracle(keeping.book, keeping.causalBounds));
  }

  @Test
  void anotherSetIsHeldAgainstTheSameRewardsAnew() {
    refute(segment);
    segment.causalBounds.publish(TestBounds.set(2, new double[] {0, 1}, new double[] {0, 0.5}));
    segment.context("x", 3000).reward("x", 3001, 1);
    assertEquals(2, refutations(segment).size());
    assertEquals(2L, refutations(segment).get(1).versions().boundsVersion());
    segment.log.replay(new ReplayOracle(segment.book, segment.causalBounds));
  }

  @Test
  void aSpecThatAsksForNoneDropsThemAndOneThatAsksTakesThemUpAgain() {
    segment.causalBounds.publish(FIRST);
    segment.context("d1", 0);
    segment.book.publish(
        TestSpecs.text(
            "ucb",
            2,
            "{reward-window: 60s, early-reward-timeout: 30s, dedup-window: 60s}",
            "{range: [0, 1]}",
            "reject"));
    segment.context("d2", 1);
    assertNull(last().versions().boundsHash());
    assertEquals(List.of("causal-bounds"), segment.log.segmentEvents.get(2).stateReset());
    segment.book.publish(TestBounds.spec("keep", 3));
    segment.context("d3", 2);
    assertEquals(FIRST.hash(), last().versions().boundsHash());
    assertEquals(2, adoptions());
    segment.assertBalanced(3, 0);
  }

  @Test
  void aSpecThatChangesOnlyTheOptionKeepsSetAndRefutedRows() {
    refute(segment);
    segment.book.publish(TestBounds.spec("keep", 2));
    assertEquals(0.75, segment.context("after", 3000).log.decisions.get(last(segment)).index());
    assertEquals(1, adoptions());
    segment.book.publish(TestBounds.spec("ignore", 3));
    assertEquals(1.0, segment.context("last", 3001).log.decisions.get(last(segment)).index());
    assertEquals(1, refutations(segment).size());
    segment.log.replay(new ReplayOracle(segment.book, segment.causalBounds));
  }

  @Test
  void boundsWhoseRowsAreLostAreDroppedInTheLog() {
    segment.causalBounds.publish(FIRST);
    segment.context("d1", 0);
    segment.causalBounds.lose();
    segment.context("d2", 1);
    assertNull(last().versions().boundsHash());
    assertEquals(2, adoptions());
    segment.causalBounds.publish(FIRST);
    segment.context("d3", 2);
    assertEquals(FIRST.hash(), last().versions().boundsHash());
    segment.assertBalanced(3, 0);
  }

  @Test
  void theOracleNoticesOtherBounds() {
    segment.causalBounds.publish(FIRST);
    segment.context("d1", 0);
    assertThrows(
        ReplayMismatchException.class, () -> segment.log.replay(new ReplayOracle(segment.book)));
    TestBounds others = new TestBounds();
    others.publish(
        new CausalBoundSet(
            FIRST.name(), 1, FIRST.hash(), FIRST.graphHash(), FIRST.rows().subList(0, 1)));
    assertThrows(
        ReplayMismatchException.class,
        () -> segment.log.replay(new ReplayOracle(segment.book, others)));
  }

  @Test
  void theDigestKnowsBoundsAndWhatWasRefuted() {
    MemorySegmentState state = new MemorySegmentState();
    SegmentHeader head = new SegmentHeader();
    String none = ModelDigest.of(state, head);
    head.boundsHash = FIRST.hash();
    String some = ModelDigest.of(state, head);
    head.refutedBounds.set(1);
    assertNotEquals(none, some);
    assertNotEquals(some, ModelDigest.of(state, head));
  }

  /** Rewards A=right with 1 until the one bound it must break, 0.75, is refuted. */
  static SegmentEvent refute(Scenario segment) {
    segment.causalBounds.publish(FIRST);
    for (int i = 0; i < 400; i++) {
      segment.context("r" + i, i).reward("r" + i, i, 1);
    }
    List<SegmentEvent> refuted = refutations(segment);
    assertEquals(1, refuted.size());
    return refuted.get(0);
  }

  private static List<SegmentEvent> refutations(Scenario segment) {
    return segment.log.segmentEvents.stream()
        .filter(segmentEvent -> segmentEvent.type() == SegmentEventType.BOUNDS_REFUTED)
        .toList();
  }

  private long adoptions() {
    return segment.segmentEventTypes().stream()
        .filter(k -> k == SegmentEventType.BOUNDS_ADOPTED)
        .count();
  }

  private Decision last() {
    return segment.log.decisions.get(last(segment));
  }

  private static int last(Scenario segment) {
    return segment.log.decisions.size() - 1;
  }
}
