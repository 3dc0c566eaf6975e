package io.equipoise.tools.specs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.equipoise.event.ChallengerEvidence;
import io.equipoise.event.ChallengerRegistration;
import io.equipoise.event.WatchEnd;
import io.equipoise.event.WatchEnded;
import io.equipoise.event.WatchEvidence;
import io.equipoise.event.WatchRecord;
import io.equipoise.job.control.WatchLedger;
import io.equipoise.job.control.WatchLedger.LedgerEntry;
import io.equipoise.segment.state.CompiledSpec;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.SpecParser;
import io.equipoise.segmentspec.VersionEdit;
import io.equipoise.tools.adoption.SpecChangePlan;
import io.equipoise.tools.adoption.SpecChangePlan.Move;
import io.equipoise.tools.adoption.SpecEffect;
import io.equipoise.tools.adoption.SpecEffect.EffectOfChange;
import io.equipoise.tools.simulate.SimulationSpecs;
import io.equipoise.watch.WatchRefusal;
import io.equipoise.watch.WatchRefusedException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PromoteCommandTest {
  private static final CompiledSpec SPEC = SimulationSpecs.cells();
  private static final String CHAMPION = "c0".repeat(16);
  private static final long OLDEST = 1000;

  private final WatchLedger ledger = new WatchLedger();

  private static WatchRecord registration(String segment, int number) {
    return WatchRecord.of(segment, registration(number, SPEC.spec().text(), 0));
  }

  private static ChallengerRegistration registration(int number, String text, long at) {
    return new ChallengerRegistration(
        "offers",
        SpecParser.parse(text).hash(),
        text,
        CHAMPION,
        number,
        1,
        .05,
        .025,
        0,
        null,
        null,
        Map.of(),
        null,
        0,
        0,
        at,
        true);
  }

  private WatchRecord registered(String segment, boolean passes, long writtenAt) {
    return registered(segment, 1, passes, writtenAt);
  }

  private WatchRecord registered(String segment, int number, boolean passes, long writtenAt) {
    WatchRecord registration = registration(segment, number);
    ledger.on(registration, 0);
    ChallengerEvidence found =
        new ChallengerEvidence(
            .5,
            .4,
            .6,
            .5,
            0,
            -.01,
            .01,
            passes ? 0 : -.01,
            .5,
            .5,
            1,
            2,
            900,
            0,
            1,
            1,
            0,
            List.of(),
            null,
            passes ? List.of() : List.of("reward"),
            passes);
    ledger.on(registration.with(new WatchEvidence(1000, 5, 0, 0, 0, found, null)), writtenAt);
    return registration;
  }

  private List<String> passed(
      EffectOfChange effect, boolean mayStartEmpty, String running, String... moved) {
    SpecChangePlan changes =
        new SpecChangePlan(
            List.of(new Move(null, SPEC.spec(), SpecEffect.of(effect), List.of(moved))));
    Map<String, String> all = Map.of("north", running, "south", running);
    LedgerEntry chosen = PromoteCommand.chosen(ledger, "offers");
    return PromoteCommand.passed(ledger, chosen, SPEC.spec(), changes, all, OLDEST, mayStartEmpty)
        .stream()
        .map(LedgerEntry::segment)
        .toList();
  }

  private WatchRefusal refusal(EffectOfChange effect, String running, String... moved) {
    return assertThrows(WatchRefusedException.class, () -> passed(effect, false, running, moved))
        .code();
  }

  @Test
  void aGateThatPassesInEverySegmentLetsTheTextThrough() {
    registered("north", true, OLDEST);
    registered("south", true, OLDEST);
    assertEquals(
        List.of("north", "south"), passed(EffectOfChange.KEPT, false, CHAMPION, "north", "south"));
  }

  @Test
  void aSegmentWithoutEvidenceKeepsTheTextBack() {
    registered("north", true, OLDEST);
    assertEquals(
        WatchRefusal.NOT_WATCHED, refusal(EffectOfChange.KEPT, CHAMPION, "north", "south"));
    assertEquals(WatchRefusal.NOT_SELECTED, refusal(EffectOfChange.KEPT, CHAMPION));
  }

  @Test
  void anUnknownNameIsNotWatched() {
    assertEquals(WatchRefusal.NOT_WATCHED, refusal(EffectOfChange.KEPT, CHAMPION, "north"));
  }

  @Test
  void aGateThatDoesNotPassKeepsTheTextBack() {
    registered("north", false, OLDEST);
    assertEquals(WatchRefusal.NOT_PASSED, refusal(EffectOfChange.KEPT, CHAMPION, "north"));
    ledger.on(registration("south", 1), 0); // no evidence yet
    assertEquals(WatchRefusal.NOT_PASSED, refusal(EffectOfChange.KEPT, CHAMPION, "south"));
  }

  @Test
  void oneOfTwoRegistrationsOfATextIsEnough() {
    registered("north", 1, false, OLDEST);
    registered("north", 2, true, OLDEST);
    registered("north", 3, false, OLDEST);
    assertEquals(List.of("north"), passed(EffectOfChange.KEPT, false, CHAMPION, "north"));
  }

  @Test
  void oldEvidenceIsStale() {
    registered("north", true, OLDEST - 1);
    assertEquals(WatchRefusal.STALE, refusal(EffectOfChange.KEPT, CHAMPION, "north"));
  }

  @Test
  void anEndedChallengerOrAnotherChampionIsRefused() {
    WatchRecord north = registered("north", true, OLDEST);
    assertEquals(WatchRefusal.ENDED, refusal(EffectOfChange.KEPT, "d0".repeat(16), "north"));
    ledger.on(north.with(new WatchEnded(WatchEnd.WITHDRAWN, "")), OLDEST);
    assertEquals(WatchRefusal.ENDED, refusal(EffectOfChange.KEPT, CHAMPION, "north"));
  }

  @Test
  void aModelThatStartsEmptyNeedsTheOption() {
    registered("north", true, OLDEST);
    assertEquals(WatchRefusal.STARTS_EMPTY, refusal(EffectOfChange.RESET, CHAMPION, "north"));
    assertEquals(List.of("north"), passed(EffectOfChange.RESET, true, CHAMPION, "north"));
  }

  @Test
  void aTextThatTheSegmentWouldRejectIsRefusedAlsoWithAnEmptyStart() {
    registered("north", true, OLDEST);
    assertEquals(
        WatchRefusal.WOULD_BE_REJECTED,
        assertThrows(
                WatchRefusedException.class,
                () -> passed(EffectOfChange.REJECTED, true, CHAMPION, "north"))
            .code());
  }

  /** The advice of NOT_WATCHED, to register the text there, could not be followed. */
  @Test
  void aTextThatTakesASegmentFromItsNameIsRefusedAsAtItsRegistration() {
    registered("north", true, OLDEST);
    SegmentSpec text = SPEC.spec();
    SegmentSpec other = SpecParser.parse(text.text().replace("name: offers", "name: other"));
    SpecEffect kept = SpecEffect.of(EffectOfChange.KEPT);
    SpecChangePlan changes =
        new SpecChangePlan(
            List.of(
                new Move(null, text, kept, List.of("north")),
                new Move(text, other, kept, List.of("south"))));
    Map<String, String> running = Map.of("north", CHAMPION, "south", CHAMPION);
    LedgerEntry chosen = PromoteCommand.chosen(ledger, "offers");
    assertEquals(
        WatchRefusal.NOT_SELECTED,
        assertThrows(
                WatchRefusedException.class,
                () -> PromoteCommand.passed(ledger, chosen, text, changes, running, OLDEST, false))
            .code());
  }

  @Test
  void aRegistrationAfterAPromotionIsPromotedInItsTurn() {
    WatchRecord first = registered("north", true, OLDEST);
    ledger.on(first.with(new WatchEnded(WatchEnd.CHAMPION_CHANGED, "")), OLDEST);
    WatchRecord second = WatchRecord.of("north", registration(2, SPEC.spec().text(), 7));
    ledger.on(second, OLDEST);
    assertEquals(second, PromoteCommand.chosen(ledger, "offers").registration());
  }

  @Test
  void ofSeveralTextsOfANameOneIsNamedByItsHash() {
    registered("north", true, OLDEST);
    String text = VersionEdit.with(SPEC.spec().text(), 9);
    ChallengerRegistration other = registration(2, text, 0);
    ledger.on(WatchRecord.of("north", other), 0);
    assertThrows(
        IllegalArgumentException.class, () -> PromoteCommand.chosen(ledger, "offers").segment());
    String given = "offers/" + other.specHash().substring(0, 8);
    assertEquals(other, PromoteCommand.chosen(ledger, given).challenger());
    assertEquals(
        WatchRefusal.NOT_WATCHED,
        assertThrows(WatchRefusedException.class, () -> PromoteCommand.chosen(ledger, "offers/zz"))
            .code());
  }

  @Test
  void aTornLedgerGivesNoNumber() {
    registered("north", true, OLDEST);
    assertEquals(2, ledger.nextNumber("north"));
    registered("south", 2, true, OLDEST);
    assertThrows(IllegalArgumentException.class, () -> ledger.nextNumber("south"));
    WatchRecord lost = registration("west", 1);
    ledger.on(lost.with(new WatchEnded(WatchEnd.WITHDRAWN, "")), OLDEST);
    assertThrows(IllegalArgumentException.class, () -> ledger.nextNumber("west"));
    assertThrows(
        IllegalArgumentException.class,
        () -> ledger.nextNumber("east"),
        "nobody knows of which segment more are missing");
  }
}
