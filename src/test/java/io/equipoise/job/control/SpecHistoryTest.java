package io.equipoise.job.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.segment.SpecVariant;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.SpecParser;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SpecHistoryTest {
  private static final SegmentSpec FIRST = spec(1);
  private static final SegmentSpec SECOND = spec(2);

  private final List<RawControl> records = new ArrayList<>();

  @Test
  void theHighestVersionThatIsNotRetiredIsInForce() {
    publish(SECOND);
    publish(FIRST);
    assertEquals(List.of(SECOND), history().inForce());
    assertEquals(3, history().nextVersion("test"));
    retire(SECOND);
    assertEquals(List.of(FIRST), history().inForce());
    assertEquals(3, history().nextVersion("test"), "its version is used up");
    retire(FIRST);
    assertEquals(List.of(), history().inForce());
  }

  /** A cluster starts again with the file that it was given first. */
  @Test
  void aTextThatWasPublishedBeforeANewerOneIsSuperseded() {
    assertFalse(history().isSuperseded(FIRST));
    publish(FIRST);
    assertFalse(history().isSuperseded(FIRST));
    publish(SECOND);
    assertTrue(history().isSuperseded(FIRST));
    assertFalse(history().isSuperseded(SECOND));
    SegmentSpec other = SpecParser.parse(FIRST.text().replace("f, m]", "f, m, x]"));
    assertEquals(other.equals(FIRST), history().isSuperseded(other), "never published");
  }

  @Test
  void aTextIsInForceSinceItsFirstRecordAfterARetirement() {
    publish(FIRST);
    publish(FIRST);
    assertEquals(0, history().all().get(0).since());
    retire(FIRST);
    publish(FIRST);
    assertEquals(3, history().all().get(0).since());
  }

  @Test
  void invalidRecordsAndRetirementsOfUnknownTextsAreNoVersions() {
    add("test/" + "0".repeat(32), FIRST.text());
    add(null, FIRST.text());
    retire(SECOND);
    assertEquals(List.of(), history().all());
    assertEquals(List.of("specs/0/0", "specs/0/1"), places());
    assertTrue(history().invalid().get(0).why().contains(FIRST.key()));
    assertEquals(1, history().nextVersion("test"));
  }

  /** A gateway follows the topic: with each record it would else compile all texts again. */
  @Test
  void textsOfAnEarlierHistoryAreNotCompiledAgain() {
    publish(FIRST);
    SpecHistory before = history();
    publish(SECOND);
    SpecHistory after = SpecHistory.of(records, new CatalogLimit(1 << 20), before);
    assertEquals(List.of(SECOND), after.inForce());
    assertSame(before.byHash(FIRST.hash()), after.byHash(FIRST.hash()));
    records.set(0, other(records.get(0), SECOND.text()));
    assertEquals(1, SpecHistory.of(records, new CatalogLimit(1 << 20), after).invalid().size());
  }

  private static RawControl other(RawControl record, String text) {
    return new RawControl(
        record.topic(),
        record.partition(),
        record.offset(),
        record.appendTime(),
        record.key(),
        text.getBytes(StandardCharsets.UTF_8));
  }

  private List<String> places() {
    return history().invalid().stream().map(SpecHistory.Invalid::place).toList();
  }

  private SpecHistory history() {
    return SpecHistory.of(records, new CatalogLimit(1 << 20));
  }

  private void publish(SegmentSpec spec) {
    add(spec.key(), spec.text());
  }

  private void retire(SegmentSpec spec) {
    add(spec.key(), null);
  }

  private void add(String key, String text) {
    int offset = records.size();
    records.add(new RawControl("specs", 0, offset, offset, utf8(key), utf8(text)));
  }

  private static byte[] utf8(String text) {
    return text == null ? null : text.getBytes(StandardCharsets.UTF_8);
  }

  static SegmentSpec spec(int version) {
    return SpecParser.parse(SpecVariant.of("ucb").version(version).text());
  }
}
