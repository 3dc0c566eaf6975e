package io.equipoise.join;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.event.AuditKind;
import io.equipoise.event.DeadLetter;
import io.equipoise.event.Decision;
import io.equipoise.event.FairnessAudit;
import io.equipoise.event.Outcome;
import io.equipoise.event.OutcomeKind;
import io.equipoise.event.PriorBound;
import io.equipoise.event.PriorKey;
import io.equipoise.event.PriorSet;
import io.equipoise.event.Wire;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SegmentPriorsTest {
  private static final PriorSet FIRST =
      TestPriors.set(1, new double[] {0, 0.3}, new double[] {0.25, 0.75});
  private static final PriorSet SECOND =
      TestPriors.set(2, new double[] {0.5, 1}, new double[] {0, 0.25});

  private final Scenario segment = Scenario.under(TestPriors.spec("ignore"));

  @Test
  void withoutASetThePolicyIsPlain() {
    segment.context("d1", 0);
    assertEquals(List.of(OutcomeKind.SPEC_ADOPTED), segment.outcomeKinds());
    assertNull(last().priorHash());
    assertNull(last().priorNumber());
    assertEquals(1e6, last().index());
  }

  @Test
  void aSetIsAdoptedAtTheNextEventAndDecisionsNameIt() {
    segment.context("d1", 0);
    segment.priors.publish(FIRST);
    segment.context("d2", 1).reward("d2", 2, 0.5);
    assertEquals(
        List.of(OutcomeKind.SPEC_ADOPTED, OutcomeKind.PRIOR_ADOPTED, OutcomeKind.APPLIED),
        segment.outcomeKinds());
    Outcome adopted = segment.log.outcomes.get(1);
    assertEquals(FIRST.hash(), adopted.priorHash());
    assertEquals(1L, adopted.priorNumber());
    assertEquals(3, adopted.seq());
    assertEquals(FIRST.hash(), last().priorHash());
    assertEquals(1L, last().priorNumber());
    assertEquals("ucb-pcb", last().policy());
    assertEquals("A=right", last().arm(), "untried both, its U is the higher");
    assertEquals(0.75, last().index());
    assertEquals(FIRST.hash(), segment.log.outcomes.get(2).priorHash());
    segment.passTo(600).assertBalanced(2, 1);
  }

  @Test
  void aHigherNumberTakesOverAndKeepsWhatWasLearntAndWhatIsPending() {
    segment.priors.publish(FIRST);
    segment.context("d1", 0).context("d2", 1).reward("d1", 2, 0.5);
    segment.priors.publish(SECOND);
    segment.context("d3", 3);
    assertEquals(SECOND.hash(), last().priorHash());
    assertEquals(2L, last().priorNumber());
    Outcome adopted = segment.log.outcomes.get(segment.log.outcomes.size() - 1);
    assertEquals("after " + FIRST.hash(), adopted.detail());
    assertEquals(List.of(), adopted.stateReset());
    segment.reward("d2", 4, 0.25);
    assertEquals(2, segment.outcomeKinds().stream().filter(k -> k == OutcomeKind.APPLIED).count());
    segment.passTo(600).assertBalanced(3, 2);
  }

  @Test
  void anOlderNumberAndAnotherSetOfTheSameOneDoNotComeBack() {
    segment.priors.publish(SECOND);
    segment.context("d1", 0);
    segment.priors.retire().publish(FIRST);
    segment.priors.publish(TestPriors.set(2, new double[] {0, 1}, new double[] {0, 1}));
    segment.context("d2", 1);
    assertEquals(SECOND.hash(), last().priorHash());
    assertEquals(1, adoptions());
    segment.assertBalanced(2, 0);
  }

  @Test
  void aSetForAnotherGraphIsOneDeadLetterAndTheRunningOneStays() {
    segment.priors.publish(FIRST);
    segment.context("d1", 0);
    PriorSet elsewhere =
        TestPriors.of(5, TestPriors.row("ab".repeat(32), "A=left", Map.of(), 0, 0.1));
    segment.priors.publish(elsewhere);
    segment.context("d2", 1).context("d3", 2).reward("d3", 3, 0.5);
    assertEquals(FIRST.hash(), last().priorHash());
    DeadLetter letter = segment.log.deadLetters.get(0);
    assertEquals(List.of("PRIOR_OF_OTHER_GRAPH"), segment.deadLetterCodes());
    assertTrue(letter.message().contains(TestPriors.graphHash()), letter.message());
    assertEquals(
        PriorKey.of(elsewhere.rows().get(0)).text(),
        new String(letter.key(), StandardCharsets.UTF_8));
    assertEquals(elsewhere.rows().get(0), Wire.PRIOR.decode(letter.value()));
    segment.assertBalanced(3, 1);
  }

  @Test
  void behindASetThatCannotBeUsedTheNewestUsableOneIsFound() {
    segment.priors.publish(FIRST).publish(SECOND);
    segment.priors.publish(TestPriors.of(3, TestPriors.row("A=up", Map.of(), 0, 1)));
    segment.context("d1", 0).context("d2", 1);
    assertEquals(SECOND.hash(), last().priorHash());
    assertEquals(List.of("PRIOR_REFUSED"), segment.deadLetterCodes());
    segment.priors.publish(TestPriors.of(4, TestPriors.row("A=left", Map.of(), 0, 1.5)));
    segment.context("d3", 2).context("d4", 3);
    assertEquals(List.of("PRIOR_REFUSED", "PRIOR_REFUSED"), segment.deadLetterCodes());
  }

  @Test
  void aSetWhoseRowsAreNotThoseOfItsHashIsRefused() {
    PriorBound other = TestPriors.set(1, new double[] {0, 1}, new double[] {0, 1}).rows().get(0);
    PriorBound changed =
        new PriorBound(
            FIRST.name(),
            1,
            FIRST.hash(),
            2,
            other.arm(),
            Map.of(),
            0,
            1,
            other.mode(),
            List.of(),
            "",
            null,
            null,
            other.graphHash(),
            null,
            List.of());
    segment.priors.publish(PriorSet.ofRead(List.of(changed, FIRST.rows().get(1))));
    segment.context("d1", 0);
    assertEquals(List.of("PRIOR_REFUSED"), segment.deadLetterCodes());
    assertNull(last().priorHash());
  }

  @Test
  void aRefutedBoundIsAuditedOnceAndClipsNoMoreWhereItIsIgnored() {
    FairnessAudit refuted = refute(segment);
    assertEquals("A=right", refuted.arm());
    assertEquals(FIRST.hash(), refuted.priorHash());
    assertEquals(1L, refuted.priorNumber());
    assertEquals(0.75, refuted.priorUpper());
    assertTrue(refuted.lower() > 0.75);
    assertEquals(1.0, segment.context("after", 3000).log.decisions.get(last(segment)).index());
    segment.passTo(9000);
    segment.log.replay(new Oracle(segment.book, segment.priors));
  }

  @Test
  void aRefutedBoundThatIsKeptClipsOn() {
    Scenario keeping = Scenario.under(TestPriors.spec("keep"));
    refute(keeping);
    assertEquals(0.75, keeping.context("after", 3000).log.decisions.get(last(keeping)).index());
    keeping.log.replay(new Oracle(keeping.book, keeping.priors));
  }

  @Test
  void anotherSetIsHeldAgainstTheSameRewardsAnew() {
    refute(segment);
    segment.priors.publish(TestPriors.set(2, new double[] {0, 1}, new double[] {0, 0.5}));
    segment.context("x", 3000).reward("x", 3001, 1);
    assertEquals(2, refutations(segment).size());
    assertEquals(2L, refutations(segment).get(1).priorNumber());
    segment.log.replay(new Oracle(segment.book, segment.priors));
  }

  @Test
  void aSpecThatAsksForNoneDropsThemAndOneThatAsksTakesThemUpAgain() {
    segment.priors.publish(FIRST);
    segment.context("d1", 0);
    segment.book.publish(
        TestSpecs.text(
            "ucb", 2, "{window: 60s, early: 30s, dedup: 60s}", "{range: [0, 1]}", "refuse"));
    segment.context("d2", 1);
    assertNull(last().priorHash());
    assertEquals(List.of("priors"), segment.log.outcomes.get(2).stateReset());
    segment.book.publish(TestPriors.spec("keep", 3));
    segment.context("d3", 2);
    assertEquals(FIRST.hash(), last().priorHash());
    assertEquals(2, adoptions());
    segment.assertBalanced(3, 0);
  }

  @Test
  void aSpecThatChangesOnlyTheOptionKeepsSetAndRefutedRows() {
    refute(segment);
    segment.book.publish(TestPriors.spec("keep", 2));
    assertEquals(0.75, segment.context("after", 3000).log.decisions.get(last(segment)).index());
    assertEquals(1, adoptions());
    segment.book.publish(TestPriors.spec("ignore", 3));
    assertEquals(1.0, segment.context("last", 3001).log.decisions.get(last(segment)).index());
    assertEquals(1, refutations(segment).size());
    segment.log.replay(new Oracle(segment.book, segment.priors));
  }

  @Test
  void boundsWhoseRowsAreLostAreDroppedInTheLog() {
    segment.priors.publish(FIRST);
    segment.context("d1", 0);
    segment.priors.lose();
    segment.context("d2", 1);
    assertNull(last().priorHash());
    assertEquals(2, adoptions());
    segment.priors.publish(FIRST);
    segment.context("d3", 2);
    assertEquals(FIRST.hash(), last().priorHash());
    segment.assertBalanced(3, 0);
  }

  @Test
  void theOracleNoticesOtherBounds() {
    segment.priors.publish(FIRST);
    segment.context("d1", 0);
    assertThrows(OracleMismatchException.class, () -> segment.log.replay(new Oracle(segment.book)));
    TestPriors others = new TestPriors();
    others.publish(
        new PriorSet(FIRST.name(), 1, FIRST.hash(), FIRST.graphHash(), FIRST.rows().subList(0, 1)));
    assertThrows(
        OracleMismatchException.class, () -> segment.log.replay(new Oracle(segment.book, others)));
  }

  @Test
  void theDigestKnowsBoundsAndWhatWasRefuted() {
    MemorySegmentState state = new MemorySegmentState();
    SegmentHead head = new SegmentHead();
    String none = ModelDigest.of(state, head);
    head.priorHash = FIRST.hash();
    String some = ModelDigest.of(state, head);
    head.refutedPriors.set(1);
    assertNotEquals(none, some);
    assertNotEquals(some, ModelDigest.of(state, head));
  }

  /** Rewards A=right with 1 until the one bound it must break, 0.75, is refuted. */
  private static FairnessAudit refute(Scenario segment) {
    segment.priors.publish(FIRST);
    for (int i = 0; i < 400; i++) {
      segment.context("r" + i, i).reward("r" + i, i, 1);
    }
    List<FairnessAudit> refuted = refutations(segment);
    assertEquals(1, refuted.size());
    return refuted.get(0);
  }

  private static List<FairnessAudit> refutations(Scenario segment) {
    return segment.log.audits.stream().filter(a -> a.kind() == AuditKind.PRIOR_REFUTED).toList();
  }

  private long adoptions() {
    return segment.outcomeKinds().stream().filter(k -> k == OutcomeKind.PRIOR_ADOPTED).count();
  }

  private Decision last() {
    return segment.log.decisions.get(last(segment));
  }

  private static int last(Scenario segment) {
    return segment.log.decisions.size() - 1;
  }
}
