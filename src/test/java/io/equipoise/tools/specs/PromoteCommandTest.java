package io.equipoise.tools.specs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.event.ChallengerEvidence;
import io.equipoise.event.ChallengerRegistration;
import io.equipoise.event.WatchEnd;
import io.equipoise.event.WatchEnded;
import io.equipoise.event.WatchEvidence;
import io.equipoise.event.WatchPromoted;
import io.equipoise.event.WatchRecord;
import io.equipoise.job.control.SpecHistory;
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
import io.equipoise.tools.watch.PromotionPlan;
import io.equipoise.watch.WatchRefusal;
import io.equipoise.watch.WatchRefusedException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
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

  private Set<String> passed(
      EffectOfChange effect, boolean mayStartEmpty, String running, String... moved) {
    SpecChangePlan changes =
        new SpecChangePlan(
            List.of(new Move(null, SPEC.spec(), SpecEffect.of(effect), List.of(moved))));
    PromotionPlan plan = new PromotionPlan(SPEC, changes, List.of());
    Map<String, String> all = Map.of("north", running, "south", running);
    LedgerEntry chosen = PromoteCommand.chosen(ledger, "offers");
    return plan.passed(ledger, chosen, all, OLDEST, mayStartEmpty).keySet();
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
        Set.of("north", "south"), passed(EffectOfChange.KEPT, false, CHAMPION, "north", "south"));
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
    assertEquals(Set.of("north"), passed(EffectOfChange.KEPT, false, CHAMPION, "north"));
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
    assertEquals(Set.of("north"), passed(EffectOfChange.RESET, true, CHAMPION, "north"));
  }

  @Test
  void aRepeatAfterAKillRecordsTheWholePromotionOnce() {
    WatchRecord north = registered("north", true, OLDEST);
    registered("west", false, OLDEST);
    WatchRecord east = registered("east", true, OLDEST); // which has adopted another text before
    ledger.on(east.with(new WatchEnded(WatchEnd.CHAMPION_CHANGED, "")), OLDEST);
    CompiledSpec next = CompiledSpec.of(SpecParser.parse(VersionEdit.with(SPEC.spec().text(), 2)));
    SpecHistory.Version published = new SpecHistory.Version(next, OLDEST + 1, false);
    assertTrue(PromoteCommand.isPromoted(ledger, "offers", published));
    List<WatchRecord> missing = PromoteCommand.unrecorded(ledger, ledger, published);
    assertEquals(List.of(north.id()), missing.stream().map(WatchRecord::id).toList());
    WatchPromoted made = Objects.requireNonNull(missing.get(0).promoted());
    assertEquals(next.spec().key(), made.specKey());
    assertEquals(Objects.requireNonNull(ledger.entry(north.id())).newest(), made.evidence());
    missing.forEach(record -> ledger.on(record, OLDEST + 2));
    assertEquals(List.of(), PromoteCommand.unrecorded(ledger, ledger, published));
    SpecHistory.Version before = new SpecHistory.Version(next, 0, false);
    assertFalse(PromoteCommand.isPromoted(ledger, "offers", before), "the challenger came later");
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
    PromotionPlan plan = new PromotionPlan(SPEC, changes, List.of());
    Map<String, String> running = Map.of("north", CHAMPION, "south", CHAMPION);
    LedgerEntry chosen = PromoteCommand.chosen(ledger, "offers");
    assertEquals(
        WatchRefusal.NOT_SELECTED,
        assertThrows(
                WatchRefusedException.class,
                () -> plan.passed(ledger, chosen, running, OLDEST, false))
            .code());
  }

  @Test
  void aRegistrationAfterAPromotionIsPromotedInItsTurn() {
    WatchRecord first = registered("north", true, OLDEST);
    CompiledSpec next = CompiledSpec.of(SpecParser.parse(VersionEdit.with(SPEC.spec().text(), 2)));
    SpecHistory.Version published = new SpecHistory.Version(next, 7, false);
    ledger.on(first.with(new WatchEnded(WatchEnd.CHAMPION_CHANGED, "")), OLDEST);
    assertTrue(PromoteCommand.isPromoted(ledger, "offers", published));
    WatchRecord second = WatchRecord.of("north", registration(2, SPEC.spec().text(), 7));
    ledger.on(second, OLDEST);
    assertFalse(PromoteCommand.isPromoted(ledger, "offers", published));
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
    assertEquals(1, ledger.nextNumber("east"));
  }
}
