package io.equipoise.tools.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.event.GroupTest;
import io.equipoise.event.GroupsEvidence;
import io.equipoise.event.WatchEnd;
import io.equipoise.event.WatchEnded;
import io.equipoise.event.WatchEvidence;
import io.equipoise.event.WatchPromoted;
import io.equipoise.event.WatchRecord;
import io.equipoise.job.control.CatalogLimit;
import io.equipoise.job.control.RawControl;
import io.equipoise.job.control.SpecHistory;
import io.equipoise.job.control.WatchLedger;
import io.equipoise.segment.state.CompiledSpec;
import io.equipoise.segmentspec.SpecParser;
import io.equipoise.segmentspec.VersionEdit;
import io.equipoise.tools.simulate.SimulationSpecs;
import io.equipoise.watch.WatchedLog;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class WatchStatusCommandTest {
  private static final CompiledSpec CHAMPION = SimulationSpecs.of("{name: ucb}");
  private static final CompiledSpec NEXT =
      CompiledSpec.of(SpecParser.parse(VersionEdit.with(CHAMPION.spec().text(), 2)));

  private final WatchLedger ledger = new WatchLedger();
  private final WatchedLog log = new WatchedLog(CHAMPION);
  private final WatchRecord one = registration(1);
  private final WatchRecord other = registration(2);

  private WatchRecord registration(long start) {
    return WatchRecord.of(WatchedLog.SEGMENT, log.challenger(NEXT, start, Map.of()));
  }

  @BeforeEach
  void register() {
    ledger.on(one, 0);
    ledger.on(other, 0);
    ledger.on(one.with(WatchedLog.passing(0, 0, 1)), 0);
    ledger.on(other.with(WatchedLog.passing(40, 0, 1)), 0);
  }

  private List<String> lines(CompiledSpec running) {
    return lines(Map.of(WatchedLog.SEGMENT, running.spec().hash()));
  }

  private List<String> lines(Map<String, String> running) {
    List<RawControl> topic = new ArrayList<>();
    for (CompiledSpec spec : List.of(CHAMPION, NEXT)) {
      byte[] key = spec.spec().key().getBytes(StandardCharsets.UTF_8);
      byte[] text = spec.spec().text().getBytes(StandardCharsets.UTF_8);
      topic.add(new RawControl("specs", 0, topic.size(), 7000, key, text));
    }
    SpecHistory history = SpecHistory.of(topic, new CatalogLimit(1 << 20));
    return WatchStatusCommand.lines(ledger, history, running);
  }

  private static String id(WatchRecord registration) {
    return registration.id().substring(0, 8);
  }

  private static long count(List<String> lines, String text) {
    return lines.stream().filter(it -> it.contains(text)).count();
  }

  @Test
  void registrationsOfOneTextHaveTheirIds() {
    List<String> lines = lines(CHAMPION);
    assertEquals("north: champion offers version 1", lines.get(0));
    assertEquals("challengers (alpha 0.05, spent 0.05, next share 0.00417)", lines.get(1));
    assertEquals(2, count(lines, "PASSES"));
    assertEquals(2, count(lines, id(one)), "of the verdict, and of the support by the log");
    assertEquals(2, count(lines, id(other)));
    assertEquals(
        1, count(lines, "missing rewards 40; written at 1970-01-01T00:00:00Z"), lines::toString);
    assertEquals(1, count(lines, "the probability 95 %"));
  }

  @Test
  void aGroupMonitorShowsEvidenceAlarmsAndChanges() {
    WatchRecord groups = WatchRecord.of(WatchedLog.SEGMENT, WatchedLog.genders(1));
    ledger.on(groups, 0);
    GroupTest test = new GroupTest("f", 600, 9, 0, 400, 9, 0, -.1, -.03, 5.4893, true, true);
    GroupsEvidence found = new GroupsEvidence(List.of(test), 1, 2, 700L);
    ledger.on(groups.with(new WatchEvidence(1000, 5, 0, 0, 0, null, found)), 0);
    List<String> lines = lines(CHAMPION);
    assertEquals(1, count(lines, "groups: reward by gender, tolerance 0.02, alpha 0.05 (id "));
    assertEquals(
        1,
        count(lines, "[-0.1, -0.03]  240 : 1 that the gap exceeds 0.02  ALARM"),
        lines::toString);
    assertEquals(1, count(lines, "changes: 2, since seq 700"));
  }

  @Test
  void anAdoptedSpecThatWatchRunHasNotReadIsNamed() {
    List<String> lines = lines(NEXT);
    assertEquals("north: champion offers version 2", lines.get(0));
    assertEquals(0, count(lines, "PASSES"));
    assertEquals(2, count(lines, "another spec was adopted; waiting for watch run"));
  }

  @Test
  void aPromotedTextPassesNoMore() {
    String key = NEXT.spec().key();
    ledger.on(one.with(new WatchPromoted(key, true, WatchedLog.passing(0, 0, 1))), 9000);
    List<String> lines = lines(CHAMPION);
    assertEquals(1, count(lines, "promoted as " + key), lines::toString);
    assertEquals(1, count(lines, "PASSES"), lines::toString);
  }

  @Test
  void openChallengersComeFirstThenMonitorsThenTheRest() {
    WatchRecord groups = WatchRecord.of(WatchedLog.SEGMENT, WatchedLog.genders(1));
    ledger.on(groups, 0);
    GroupTest test = new GroupTest("f", 600, 9, 0, 400, 9, 0, -.1, -.03, 5.4893, true, true);
    GroupsEvidence found = new GroupsEvidence(List.of(test), 1, 2, 700L);
    ledger.on(groups.with(new WatchEvidence(1000, 5, 0, 0, 0, null, found)), 0);
    ledger.on(one.with(new WatchEnded(WatchEnd.FAILED, "it threw")), 11_000);
    List<String> lines = lines(CHAMPION);
    List<String> marks = List.of("PASSES", "missing rewards", "groups: ", "changes: ", "ended: ");
    int last = 0;
    for (String mark : marks) {
      int at =
          lines.indexOf(lines.stream().filter(it -> it.contains(mark)).findFirst().orElseThrow());
      assertTrue(at > last, mark + " in " + lines);
      last = at;
    }
  }

  @Test
  void endedRegistrationsAreListedWithTheReason() {
    ledger.on(one.with(new WatchEnded(WatchEnd.FAILED, "it threw")), 11_000);
    ledger.on(other.with(new WatchEnded(WatchEnd.WITHDRAWN, "")), 12_000);
    List<String> lines = lines(CHAMPION);
    assertEquals(
        "Nothing is watched; register with watch challenger or watch groups.", lines.get(0));
    String name = NEXT.spec().name() + "/" + NEXT.spec().hash().substring(0, 8);
    assertEquals(1, count(lines, "%s (id %s): ended: FAILED it threw".formatted(name, id(one))));
    assertEquals(1, count(lines, "%s (id %s): ended: WITHDRAWN".formatted(name, id(other))));
    assertEquals(0, count(lines, "PASSES"));
    assertEquals(0, count(lines, "the probability 95 %"), "no interval is shown");
  }

  @Test
  void aSegmentWithoutARecentEventHasNoSpecOfTheNameNull() {
    assertEquals(
        "north: champion not known, as no event is recent", lines(Map.<String, String>of()).get(0));
    assertEquals(
        "north: champion spec c0", lines(Map.of(WatchedLog.SEGMENT, "c0")).get(0), "no text");
  }

  @Test
  void nothingRegisteredIsOneLine() {
    assertEquals(
        List.of("Nothing is watched; register with watch challenger or watch groups."),
        WatchStatusCommand.lines(
            new WatchLedger(), SpecHistory.of(List.of(), new CatalogLimit(1 << 20)), Map.of()));
  }
}
