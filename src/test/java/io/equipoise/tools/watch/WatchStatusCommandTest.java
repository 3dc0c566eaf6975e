package io.equipoise.tools.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.equipoise.event.WatchEnd;
import io.equipoise.event.WatchEnded;
import io.equipoise.event.WatchPromoted;
import io.equipoise.event.WatchRecord;
import io.equipoise.evidence.AlphaShares;
import io.equipoise.http.Json;
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
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
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
    return lines(running, List.of(CHAMPION, NEXT));
  }

  private List<String> lines(CompiledSpec running, List<CompiledSpec> published) {
    return lines(Map.of(WatchedLog.SEGMENT, running.spec().hash()), published, 60_000);
  }

  private List<String> lines(Map<String, String> running, List<CompiledSpec> published, long now) {
    return status(running, published, now).lines();
  }

  private JsonNode json(CompiledSpec running, long now) {
    Map<String, String> hashes = Map.of(WatchedLog.SEGMENT, running.spec().hash());
    return Json.node(status(hashes, List.of(CHAMPION, NEXT), now).json());
  }

  private WatchStatusCommand.Status status(
      Map<String, String> running, List<CompiledSpec> published, long now) {
    List<RawControl> topic = new ArrayList<>();
    for (CompiledSpec spec : published) {
      byte[] key = spec.spec().key().getBytes(StandardCharsets.UTF_8);
      byte[] text = spec.spec().text().getBytes(StandardCharsets.UTF_8);
      topic.add(new RawControl("specs", 0, topic.size(), 7000, key, text));
    }
    CatalogLimit limit = new CatalogLimit(1 << 20);
    SpecHistory history = SpecHistory.of(topic, limit);
    return new WatchStatusCommand.Status(ledger, history, limit, running, now);
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
    assertEquals(2, count(lines, "PASSES"));
    assertEquals(3, count(lines, id(one)), "of the newest record, and in both tables");
    assertEquals(3, count(lines, id(other)), "and why it has no estimate");
    assertEquals(1, count(lines, "4.0 % of the rewards are missing"));
    assertEquals(1, count(lines, "holds at all times at once with the probability 95 %"));
  }

  @Test
  void anAdoptedSpecThatWatchRunHasNotReadIsNamed() {
    List<String> lines = lines(NEXT);
    assertEquals(0, count(lines, "PASSES"));
    assertEquals(0, count(lines, "champion " + CHAMPION.spec().name()));
    assertEquals(2, count(lines, "another spec was adopted; waiting for watch run"));
    assertTrue(
        lines
            .get(0)
            .contains("published at 1970-01-01T00:00:07Z, was adopted; waiting for watch run"),
        lines.get(0));
  }

  @Test
  void aChallengerThatPassesSaysWhatItsPromotionNeeds() {
    assertEquals(0, count(lines(CHAMPION), "PASSES ("));
    String text = SimulationSpecs.ridge().spec().text().replace("name: offers", "name: linear");
    String exact = text.replace("segments: default", "segments: {exact: [north]}");
    CompiledSpec linear =
        CompiledSpec.of(SpecParser.parse(exact + "on-incompatible-change: reset\n"));
    WatchRecord third = WatchRecord.of(WatchedLog.SEGMENT, log.challenger(linear, 3, Map.of()));
    ledger.on(third, 0);
    ledger.on(third.with(WatchedLog.passing(0, 0, 1)), 0);
    assertEquals(1, count(lines(CHAMPION), "PASSES (promote needs --start-empty)"));
    assertEquals(true, json(CHAMPION, 60_000).at("/registrations/2/startsEmpty").booleanValue());
    String first = exact.replace("name: linear", "name: first");
    CompiledSpec exactFirst = CompiledSpec.of(SpecParser.parse(first));
    List<String> later = lines(CHAMPION, List.of(CHAMPION, exactFirst));
    assertEquals(3, count(later, "passed, but promote refuses now: NOT_SELECTED"), later::toString);
  }

  @Test
  void aPromotionNeedsEvidenceOfEverySegmentThatItMoves() {
    String hash = CHAMPION.spec().hash();
    Map<String, String> running = Map.of(WatchedLog.SEGMENT, hash, "west", hash);
    List<String> lines = lines(running, List.of(CHAMPION), 60_000);
    assertEquals(2, count(lines, "passed, but promote refuses now: NOT_WATCHED"), lines::toString);
    assertEquals(0, count(lines, "PASSES"), lines::toString);
  }

  @Test
  void evidenceThatAPromotionRefusesIsStale() {
    Map<String, String> running = Map.of(WatchedLog.SEGMENT, CHAMPION.spec().hash());
    long hour = Duration.ofHours(1).toMillis();
    assertEquals(0, count(lines(running, List.of(CHAMPION), hour), "STALE"));
    List<String> lines = lines(running, List.of(CHAMPION), hour + 1);
    assertTrue(
        lines.get(0).contains("newest record 60 min ago (STALE: watch run does not run, or "),
        lines.get(0));
    assertTrue(
        lines
            .get(0)
            .endsWith(
                "of %s/%s (id %s); 0 rows waited for rewards then"
                    .formatted(NEXT.spec().name(), NEXT.spec().hash().substring(0, 8), id(one))),
        lines.get(0));
    assertEquals(2, count(lines, "passed, but promote refuses now: STALE"), lines::toString);
  }

  @Test
  void activeSegmentsWithoutARegistrationAreNamed() {
    String hash = CHAMPION.spec().hash();
    Map<String, String> running = new TreeMap<>(Map.of("south", hash, "west", hash));
    running.put(WatchedLog.SEGMENT, hash);
    List<String> lines = lines(running, List.of(CHAMPION), 60_000);
    assertEquals(
        "active segments without a registration: south, west", lines.get(lines.size() - 1));
    JsonNode json = Json.node(status(running, List.of(CHAMPION), 60_000).json());
    assertEquals("[\"south\",\"west\"]", json.get("unregistered").toString());
  }

  @Test
  void aPromotedTextWaitsUntilAnotherIsPromoted() {
    String key = NEXT.spec().key();
    ledger.on(one.with(new WatchPromoted(key, true, WatchedLog.passing(0, 0, 1))), 9000);
    List<String> lines = lines(CHAMPION);
    assertEquals(
        1,
        count(lines, "promoted, waits for the segment's next input since 1970-01-01T00:00:09Z"),
        lines::toString);
    assertEquals(1, count(lines, "PASSES"), lines::toString);
    String later = NEXT.spec().key().replaceFirst(".$", "_");
    ledger.on(other.with(new WatchPromoted(later, true, WatchedLog.passing(0, 0, 1))), 9001);
    List<String> superseded = lines(CHAMPION);
    assertEquals(1, count(superseded, "promoted, but superseded by " + later));
    assertEquals(1, count(superseded, "promoted, waits for"), superseded::toString);
    assertEquals(0, count(superseded, "PASSES"), superseded::toString);
  }

  @Test
  void aPromotedTextThatHasEndedWasAdoptedOrNot() {
    String key = NEXT.spec().key();
    ledger.on(one.with(new WatchPromoted(key, true, WatchedLog.passing(0, 0, 1))), 9000);
    ledger.on(other.with(new WatchPromoted(key, true, WatchedLog.passing(0, 0, 1))), 9000);
    String instead = "another spec instead of " + NEXT.spec().hash();
    String another = "c0".repeat(16);
    ledger.on(one.with(new WatchEnded(WatchEnd.CHAMPION_CHANGED, instead, another)), 0);
    String same = NEXT.spec().hash();
    ledger.on(other.with(new WatchEnded(WatchEnd.CHAMPION_CHANGED, "at seq 7", same)), 0);
    List<String> ended = lines(CHAMPION);
    assertEquals(2, count(ended, "; promoted as " + key), ended::toString);
    assertEquals(1, count(ended, instead + "; promoted as " + key + ", but the segment adopted"));
  }

  @Test
  void endedRegistrationsAreListedWithTheReason() {
    ledger.on(one.with(new WatchEnded(WatchEnd.FAILED, "it threw")), 11_000);
    ledger.on(other.with(new WatchEnded(WatchEnd.WITHDRAWN, "")), 12_000);
    JsonNode ended = json(CHAMPION, 60_000).at("/registrations/0");
    assertEquals(11_000, ended.get("endedAt").asLong());
    assertEquals(List.of("false", "null"), texts(ended, "passes", "refusal"));
    IllegalArgumentException twice =
        assertThrows(IllegalArgumentException.class, () -> EndCommand.open(ledger, id(one)));
    assertEquals(
        "ID: %s given, which is not open any more; %s".formatted(id(one), lines(CHAMPION).get(3)),
        twice.getMessage());
    List<String> lines = lines(CHAMPION);
    assertEquals(
        "Nothing is watched; register with watch challenger or watch groups.", lines.get(0));
    assertEquals(
        List.of(
            "ended at 1970-01-01T00:00:11Z: %s/%s (id %s): FAILED, it threw"
                .formatted(NEXT.spec().name(), NEXT.spec().hash().substring(0, 8), id(one)),
            "ended at 1970-01-01T00:00:12Z: %s/%s (id %s): WITHDRAWN"
                .formatted(NEXT.spec().name(), NEXT.spec().hash().substring(0, 8), id(other))),
        lines.subList(3, lines.size()));
    assertTrue(lines.get(1).contains("champion offers"), lines.get(1));
    assertTrue(lines.get(2).startsWith("challengers (alpha 0.05, spent "), lines.get(2));
    assertFalse(lines.toString().contains("PASSES"));
  }

  @Test
  void theJsonSaysWhatTheTextSays() {
    JsonNode fresh = json(CHAMPION, 60_000);
    JsonNode segment = fresh.at("/segments/0");
    assertEquals(1, fresh.get("segments").size());
    assertEquals(List.of("north", "0.05", "0.05"), texts(segment, "segment", "alpha", "spent"));
    assertEquals(AlphaShares.share(.05, 3, 1), segment.get("nextShare").asDouble());
    assertEquals(
        List.of(CHAMPION.spec().name(), "1", CHAMPION.spec().hash()),
        texts(segment.get("champion"), "name", "version", "hash"));
    assertEquals(List.of("null"), texts(segment, "adopted"));
    JsonNode passing = fresh.at("/registrations/0");
    assertFalse(passing.at("/evidence/ofChallenger").has("passes"), "the newest record knows less");
    assertEquals(
        List.of("true", "null", "false", "false"),
        texts(passing, "passes", "refusal", "outdated", "stale"));
    JsonNode stale = json(CHAMPION, Duration.ofHours(2).toMillis()).at("/registrations/0");
    assertEquals(List.of("false", "STALE", "true"), texts(stale, "passes", "refusal", "stale"));
    JsonNode left = json(NEXT, 60_000);
    assertEquals(List.of("null"), texts(left.at("/segments/0"), "champion"));
    assertEquals(
        List.of(NEXT.spec().hash(), "2", "7000"),
        texts(left.at("/segments/0/adopted"), "hash", "version", "publishedAt"));
    assertEquals(
        List.of("false", "true"), texts(left.at("/registrations/0"), "passes", "outdated"));
    String key = NEXT.spec().key();
    ledger.on(one.with(new WatchPromoted(key, true, WatchedLog.passing(0, 0, 1))), 9000);
    JsonNode waiting = json(CHAMPION, 60_000).at("/registrations/0");
    assertEquals(
        List.of("false", "true", "9000", "null"),
        texts(waiting, "passes", "waits", "promotedAt", "supersededBy"));
    assertEquals(key, waiting.at("/promoted/specKey").asText());
  }

  private static List<String> texts(JsonNode node, String... fields) {
    return Arrays.stream(fields).map(it -> node.get(it).asText()).toList();
  }
}
