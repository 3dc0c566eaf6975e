package io.equipoise.offline.count;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.event.JoinedDecision;
import io.equipoise.event.JoinedReward;
import io.equipoise.event.Place;
import io.equipoise.event.Propensities;
import io.equipoise.event.SegmentEvent;
import io.equipoise.event.SegmentEventType;
import io.equipoise.event.Source;
import io.equipoise.event.Versions;
import io.equipoise.event.Wire;
import io.equipoise.segment.TestSpecs;
import io.equipoise.segmentspec.SpecParser;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.api.java.tuple.Tuple5;
import org.apache.flink.util.Collector;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FramedRowsTest {
  static final String SPEC = TestSpecs.ucb();
  private static final String SPEC_HASH = SpecParser.parse(SPEC).hash();
  static final CountLayout LAYOUT =
      CountLayout.of(
          List.of(
              new CountedVariable("X", List.of("low", "high"), List.of(), Double.NaN, Double.NaN),
              new CountedVariable("A", List.of("left", "right"), List.of(), Double.NaN, Double.NaN),
              CountedVariable.binary("R", 0, 1)),
          List.of(List.of("X", "A", "R")),
          null);

  @TempDir private Path directory = Path.of("");

  private final Map<Long, Long> cells = new TreeMap<>();
  private final List<String> faults = new ArrayList<>();
  private final SegmentEventRows events = new SegmentEventRows(LAYOUT, SegmentLog.of(SPEC));

  private static byte[] frame(long seq, int x, String arm, double reward, boolean learned) {
    return frame("s", 0, seq, x, arm, reward, learned);
  }

  static byte[] frame(
      String segment,
      int writerEpoch,
      long seq,
      int x,
      String arm,
      double reward,
      boolean learned) {
    return Wire.SEGMENT_EVENT.encode(
        new SegmentEvent(
            learned ? SegmentEventType.REWARD_APPLIED : SegmentEventType.REWARD_TIMEOUT,
            new Place(segment, writerEpoch, seq),
            1_700_000_000_000L + seq,
            new Versions(SPEC_HASH, 1L, null, null, null),
            new JoinedDecision(
                "d" + seq,
                null,
                seq,
                arm,
                1.0,
                Propensities.SURE,
                List.of(0.0, (double) x),
                Map.of("M", "1"),
                learned ? (Double) reward : null,
                "line\nend"),
            new JoinedReward(null, reward, null, new Source("rewards", 0, seq)),
            null,
            null,
            null,
            null,
            null,
            null,
            null));
  }

  private Path file(String end, int records) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (int i = 0; i < records; i++) {
      out.write(
          frame(i + 1, i & 1, i % 3 == 0 ? "A=left" : "A=right", i % 5 == 0 ? 1 : 0, i % 7 != 0));
      out.write(end.getBytes(StandardCharsets.UTF_8));
    }
    return Files.write(directory.resolve("frames.avro"), out.toByteArray());
  }

  private long read(Path file, long from, long to) throws IOException {
    RowSink sink =
        new RowSink(
            LAYOUT,
            new Collector<>() {
              @Override
              public void collect(Tuple5<Integer, Long, Long, Long, String> cell) {
                if (cell.f0 == Cell.FAULT) {
                  faults.add(cell.f3 + ": " + cell.f4);
                } else {
                  cells.merge(cell.f1, cell.f2, Long::sum);
                }
              }

              @Override
              public void close() {}
            });
    long rows = new FramedRows(events).read(new Chunk(0, file.toString(), from, to), sink);
    sink.flush();
    return rows;
  }

  @Test
  void whereverAFileIsCutEveryLearnedSegmentEventIsCountedOnce() throws IOException {
    Map<Long, Long> expected = new TreeMap<>();
    for (int i = 0; i < 20; i++) {
      if (i % 7 != 0) {
        long code = (i & 1) * 4L + (i % 3 == 0 ? 0 : 2) + (i % 5 == 0 ? 1 : 0);
        expected.merge(code, 1L, Long::sum);
      }
    }
    for (String end : List.of("", "\n")) {
      Path file = file(end, 20);
      long size = Files.size(file);
      for (long cut = 1; cut < size; cut += 3) {
        cells.clear();
        assertEquals(17, read(file, 0, cut) + read(file, cut, size), "cut at " + cut);
        assertEquals(expected, cells, "cut at " + cut);
      }
    }
    assertEquals(List.of(), faults);
  }

  @Test
  void aFrameThatIsCutOffIsAFaultWithItsPlace() throws IOException {
    Path file = file("", 3);
    byte[] bytes = Files.readAllBytes(file);
    int last = frame(3, 0, "A=right", 0, true).length;
    Files.write(file, Arrays.copyOf(bytes, bytes.length - 1));
    assertEquals(1, read(file, 0, bytes.length - 1), "the first was not learned");
    assertEquals(1, faults.size());
    String place = (bytes.length - last) + ": is no segment event: ";
    assertTrue(faults.get(0).startsWith(place), faults::toString);
  }

  @Test
  void anythingElseIsRefusedAtItsFirstByte() throws IOException {
    Path file = Files.writeString(directory.resolve("other.avro"), "X,A,R\nlow,left,1\n");
    assertTrue(FramedRows.isFramed(file));
    assertEquals(0, read(file, 0, Files.size(file)));
    assertEquals(List.of("0: is neither an Avro container nor a frame of a segment event"), faults);
    assertFalse(FramedRows.isFramed(Files.write(file, new byte[] {'O', 'b', 'j', 1, 4})));
  }

  @Test
  void recordsOfOtherTopicsAreNoSegmentEvents() {
    byte[] outcome = frame(1, 0, "A=left", 1, true);
    assertTrue(Wire.SEGMENT_EVENT.beginsAt(outcome, 0));
    assertFalse(Wire.SEGMENT_EVENT.beginsAt(outcome, 1));
    assertFalse(Wire.DECISION.beginsAt(outcome, 0));
    assertFalse(Wire.SEGMENT_EVENT.beginsAt(Arrays.copyOf(outcome, 9), 0));
  }
}
