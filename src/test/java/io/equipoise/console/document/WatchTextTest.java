package io.equipoise.console.document;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.event.WatchEnd;
import io.equipoise.event.WatchEnded;
import io.equipoise.event.WatchPromoted;
import io.equipoise.event.WatchRecord;
import io.equipoise.job.control.WatchLedger;
import io.equipoise.segment.state.CompiledSpec;
import io.equipoise.tools.simulate.SimulationSpecs;
import io.equipoise.watch.EvidenceText;
import io.equipoise.watch.WatchedLog;
import java.util.Map;
import org.junit.jupiter.api.Test;

class WatchTextTest {
  private static final CompiledSpec CHAMPION = SimulationSpecs.cells();

  private static WatchText text(long missing, String running, WatchEnd... ends) {
    WatchRecord registration =
        WatchRecord.of(
            WatchedLog.SEGMENT, new WatchedLog(CHAMPION).challenger(CHAMPION, 0, Map.of()));
    WatchLedger ledger = new WatchLedger();
    ledger.on(registration, 0);
    ledger.on(registration.with(WatchedLog.passing(missing, 0, 1)), 0);
    for (WatchEnd end : ends) {
      ledger.on(registration.with(new WatchEnded(end, "seq 4")), 0);
    }
    return WatchText.of(ledger.of(WatchedLog.SEGMENT).get(0), running);
  }

  @Test
  void aGateAgainstASpecThatIsGoneDoesNotPass() {
    WatchText before = text(0, CHAMPION.spec().hash());
    assertTrue(before.passes());
    assertEquals("passes", before.state());
    assertTrue(before.level().contains("the probability 95 %"), before.level());
    WatchText after = text(0, "another");
    assertFalse(after.passes());
    assertEquals(EvidenceText.OUTDATED, after.state());
    assertFalse(after.evidence().contains("PASSES"), after.evidence());
  }

  @Test
  void anEndedCandidateShowsTheReasonInPlaceOfItsVerdict() {
    WatchText ended = text(0, CHAMPION.spec().hash(), WatchEnd.LOG_GAP);
    assertFalse(ended.passes());
    assertTrue(ended.evidence().endsWith("; ended: LOG_GAP, seq 4"), ended.evidence());
    assertFalse(ended.evidence().contains("PASSES"), ended.evidence());
  }

  @Test
  void aPromotedTextThatTheSegmentHasNotAdoptedWaits() {
    WatchRecord registration =
        WatchRecord.of(
            WatchedLog.SEGMENT, new WatchedLog(CHAMPION).challenger(CHAMPION, 0, Map.of()));
    WatchLedger ledger = new WatchLedger();
    ledger.on(registration, 0);
    ledger.on(registration.with(WatchedLog.passing(0, 0, 1)), 0);
    ledger.on(registration.with(new WatchPromoted("x/c0", true, WatchedLog.passing(0, 0, 1))), 9);
    WatchText open = WatchText.of(ledger.of(WatchedLog.SEGMENT).get(0), CHAMPION.spec().hash());
    assertFalse(open.passes());
    assertEquals(EvidenceText.promoted(9, null), open.state());
    assertTrue(open.evidence().endsWith(EvidenceText.promoted(9, null)), open.evidence());
    ledger.on(
        registration.with(new WatchEnded(WatchEnd.CHAMPION_CHANGED, "instead of c0", "d0")), 10);
    assertEquals(
        "promoted, but the segment adopted another spec",
        WatchText.of(ledger.of(WatchedLog.SEGMENT).get(0), null).state());
  }

  @Test
  void aMeanOfWhichAPartIsUnknownHasNoEstimate() {
    assertEquals("0.5 [0.4, 0.6]", text(0, CHAMPION.spec().hash()).value());
    WatchText unknown = text(40, CHAMPION.spec().hash());
    assertEquals("[0.4, 0.6]", unknown.value());
    assertTrue(unknown.evidence().contains("4.0 % of the rewards are missing"));
  }
}
