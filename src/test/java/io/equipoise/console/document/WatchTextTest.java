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
    assertEquals("PASSES", before.state());
    WatchText after = text(0, "another");
    assertFalse(after.passes());
    assertEquals(EvidenceText.OUTDATED, after.state());
  }

  @Test
  void anEndedCandidateShowsTheReasonInPlaceOfItsVerdict() {
    WatchText ended = text(0, CHAMPION.spec().hash(), WatchEnd.LOG_GAP);
    assertFalse(ended.passes());
    assertEquals(
        "ended: LOG_GAP seq 4; restore the segment's records in decisions and segment-events, of which all are needed, and register it again",
        ended.state());
  }

  @Test
  void aPromotedTextPassesNoMore() {
    WatchRecord registration =
        WatchRecord.of(
            WatchedLog.SEGMENT, new WatchedLog(CHAMPION).challenger(CHAMPION, 0, Map.of()));
    WatchLedger ledger = new WatchLedger();
    ledger.on(registration, 0);
    ledger.on(registration.with(WatchedLog.passing(0, 0, 1)), 0);
    ledger.on(registration.with(new WatchPromoted("x/c0", true, WatchedLog.passing(0, 0, 1))), 9);
    WatchText open = WatchText.of(ledger.of(WatchedLog.SEGMENT).get(0), CHAMPION.spec().hash());
    assertFalse(open.passes());
    assertEquals("promoted as x/c0", open.state());
    ledger.on(
        registration.with(new WatchEnded(WatchEnd.CHAMPION_CHANGED, "instead of c0", "d0")), 10);
    assertEquals(
        "ended: CHAMPION_CHANGED instead of c0; promoted as x/c0",
        WatchText.of(ledger.of(WatchedLog.SEGMENT).get(0), null).state());
  }

  @Test
  void anAdoptionOfAPromotedTextIsItsEnd() {
    WatchRecord registration =
        WatchRecord.of(
            WatchedLog.SEGMENT, new WatchedLog(CHAMPION).challenger(CHAMPION, 0, Map.of()));
    WatchLedger ledger = new WatchLedger();
    ledger.on(registration, 0);
    ledger.on(registration.with(new WatchPromoted("x/d0", true, WatchedLog.passing(0, 0, 1))), 9);
    ledger.on(
        registration.with(new WatchEnded(WatchEnd.CHAMPION_CHANGED, "instead of c0", "d0")), 10);
    assertEquals(
        "ended: promoted as x/d0, which was adopted",
        WatchText.of(ledger.of(WatchedLog.SEGMENT).get(0), null).state());
  }

  @Test
  void aMeanOfWhichAPartIsUnknownHasNoEstimate() {
    assertEquals("0.5 [0.4, 0.6]", text(0, CHAMPION.spec().hash()).value());
    assertEquals("[0.4, 0.6]", text(40, CHAMPION.spec().hash()).value());
  }
}
