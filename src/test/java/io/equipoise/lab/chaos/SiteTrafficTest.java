package io.equipoise.lab.chaos;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.equipoise.event.IdHash;
import io.equipoise.event.JoinedDecision;
import io.equipoise.event.Place;
import io.equipoise.event.SegmentEvent;
import io.equipoise.event.SegmentEventType;
import io.equipoise.event.Versions;
import io.equipoise.lab.chaos.SiteTraffic.Judgment;
import io.equipoise.lab.chaos.SiteTraffic.Visit;
import io.equipoise.segment.TestSpecs;
import io.equipoise.tools.specs.SpecChanges;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Which logs of a site the check of a chaos run calls wrong; without any process. */
class SiteTrafficTest {
  private static final List<String> NONE = List.of();

  private final Map<String, Visit> visits = new TreeMap<>();
  private final List<SegmentEvent> events = new ArrayList<>();

  SiteTrafficTest() {
    visit("click", 1_000, true, 2_000);
    visit("told", 1_000, false, 2_000);
    visit("untold", 1_000, false, Long.MAX_VALUE);
    visit("late", 1_000, false, 59_000);
    visit("open", 90_000, false, 91_000);
    event("click", "a1", 1.0);
    event("told", "a1", 0.0);
    event("untold", "a1", null);
    visit("closed", 80_000, false, Long.MAX_VALUE);
    event("closed", "a1", 0.0);
  }

  @Test
  void everyVisitIsLearnedAsItWasSeen() {
    Judgment judgment = Judgment.of(visits, events);
    assertEquals(NONE, judgment.violations());
    assertEquals(
        "learned are 1 clicks and 2 silences, 0 of them before a late click, 2 are unconfirmed, 1 open",
        judgment.counts());
  }

  @Test
  void anotherArmAnotherRewardAndASecondTimeAreFound() {
    event("late", "a2", 0.0);
    event("untold", "a1", 1.0);
    event("told", "a1", 0.0);
    assertEquals(
        List.of(
            "visit told is learned twice",
            "visit late: a2, 0.0 is learned instead of a1, 0.0",
            "visit untold: a1, 1.0 is learned instead of a1, 0.0"),
        Judgment.of(visits, events).violations());
  }

  /** The click of an overloaded gateway may come after the window. */
  @Test
  void silenceMayBeLearnedInsteadOfALateClick() {
    visit("click", 1_000, true, 62_000);
    events.remove(0);
    event("click", "a1", 0.0);
    Judgment judgment = Judgment.of(visits, events);
    assertEquals(NONE, judgment.violations());
    assertEquals(
        "learned are 0 clicks and 3 silences, 1 of them before a late click, 2 are unconfirmed, 1 open",
        judgment.counts());
    visit("click", 1_000, true, 40_000);
    assertEquals(
        List.of("visit click: a1, 0.0 is learned instead of a1, 1.0"),
        Judgment.of(visits, events).violations());
  }

  @Test
  void aConfirmedVisitThatIsNotLearnedIsFound() {
    events.removeIf(event -> event.place().seq() < 2);
    assertEquals(
        List.of(
            "visit click: nothing is learned instead of a1, 1.0",
            "visit told: nothing is learned instead of a1, 0.0"),
        Judgment.of(visits, events).violations());
    visits.values().forEach(visit -> visit.isLate = true);
    assertEquals(NONE, Judgment.of(visits, events).violations());
  }

  @Test
  void articlesComeAndGoWithoutALossOfTheModel() {
    for (int version = 1; version < 30; version++) {
      assertNotEquals("RESET", effect(version), "version " + version);
    }
  }

  private static String effect(int version) {
    SiteSpec spec = new SiteSpec();
    return SpecChanges.effect(
        TestSpecs.compiled(spec.text(version)), TestSpecs.compiled(spec.text(version + 1)));
  }

  private void visit(String id, long askedAt, boolean clicks, long toldAt) {
    Visit visit = new Visit(askedAt, clicks);
    visit.arm = "a1";
    visit.toldAt = toldAt;
    visits.put(id, visit);
  }

  private void event(String id, String arm, @Nullable Double learned) {
    events.add(
        new SegmentEvent(
            SegmentEventType.REWARD_TIMEOUT,
            new Place(SiteSpec.SEGMENT, 1, events.size()),
            0,
            Versions.NONE,
            new JoinedDecision(
                null, IdHash.of(id).hex(), null, arm, null, null, null, Map.of(), learned, null),
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null));
  }
}
