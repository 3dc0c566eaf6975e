package io.equipoise.offline.count;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.causal.DistributionException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.SplittableRandom;
import org.apache.flink.api.java.tuple.Tuple5;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.util.Collector;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Segment events that at-least-once delivery has written again after a failure. */
class WriterEpochsTest {
  private static final long SEED = 23;
  private static final LogFile TOPIC = new LogFile.Topic(new Properties(), "o", Map.of(), Map.of());

  @TempDir private Path directory = Path.of("");

  private Path file(String name, byte[]... frames) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (byte[] frame : frames) {
      out.write(frame);
    }
    return Files.write(directory.resolve(name), out.toByteArray());
  }

  private static byte[] row(String segment, int writerEpoch, long seq) {
    return FramedRowsTest.frame(segment, writerEpoch, seq, 0, "A=left", 1, true);
  }

  private static byte[] notLearnable(String segment, int writerEpoch, long seq) {
    return FramedRowsTest.frame(segment, writerEpoch, seq, 0, "A=left", 1, false);
  }

  private static Counts count(Path... files) throws IOException {
    StreamExecutionEnvironment env = StreamExecutionEnvironment.createLocalEnvironment(2);
    return new CountingJob(env, FramedRowsTest.LAYOUT, SegmentLog.of(FramedRowsTest.SPEC))
        .run(new LogFile.Files(List.of(files)), rows -> {});
  }

  @Test
  void whatTwoWriterEpochsHaveWrittenOfASegmentIsRefusedWhicheverFilesHoldIt() throws IOException {
    Path first = file("1.avro", row("s", 1, 1), row("s", 1, 2), row("t", 1, 1));
    Path second = file("2.avro", row("s", 2, 2), row("s", 2, 3));
    DistributionException e = assertThrows(DistributionException.class, () -> count(second, first));
    String place = first + ", byte " + row("s", 1, 1).length + ": the last row of segment s before";
    assertTrue(String.valueOf(e.getMessage()).startsWith(place), e::getMessage);
    assertThrows(DistributionException.class, () -> count(first, second));
  }

  @Test
  void eachSegmentMayHaveAWriterEpochOfItsOwnAndExactlyOnceHasNone() throws IOException {
    Path before = file("0.avro", row("s", 0, 1), row("u", 0, 1));
    Path after = file("1.avro", row("s", 2, 2), row("t", 1, 1), notLearnable("t", 2, 1));
    assertEquals(4, count(before, after).rows());
  }

  @Test
  void aTopicsRecordsTellPartitionAndOffset() {
    SegmentEventCells cells =
        new SegmentEventCells(FramedRowsTest.LAYOUT, SegmentLog.of(FramedRowsTest.SPEC));
    List<Tuple5<Integer, Long, Long, Long, String>> told = new ArrayList<>();
    int[] writerEpochs = {1, 2, 1, 2};
    for (int i = 0; i < writerEpochs.length; i++) {
      byte[] value = row("s", writerEpochs[i], i + 1);
      cells.deserialize(new ConsumerRecord<>("o", 7, 100 + i, null, value), collector(told));
    }
    Tuple5<Integer, Long, Long, Long, String> segment =
        told.stream()
            .filter(cell -> cell.f0 == Cell.WRITER_EPOCH)
            .reduce(Cell::merged)
            .orElseThrow();
    assertTrue(WriterEpochs.hasSeveralEpochs(segment));
    assertEquals(7, WriterEpochs.number(WriterEpochs.earlier(segment)));
    assertEquals(
        102, WriterEpochs.place(WriterEpochs.earlier(segment)), "a frozen process wrote later");
    assertTrue(
        WriterEpochs.fault(segment, TOPIC).contains("--from"), WriterEpochs.fault(segment, TOPIC));
  }

  private static Collector<Tuple5<Integer, Long, Long, Long, String>> collector(
      List<Tuple5<Integer, Long, Long, Long, String>> told) {
    return new Collector<>() {
      @Override
      public void collect(Tuple5<Integer, Long, Long, Long, String> cell) {
        told.add(cell);
      }

      @Override
      public void close() {}
    };
  }

  /** Readers are parallel, so records come together in any order and grouping. */
  @Test
  void theOrderInWhichReadersTellDoesNotMatter() {
    SplittableRandom random = new SplittableRandom(SEED);
    for (int trial = 0; trial < 500; trial++) {
      List<Tuple5<Integer, Long, Long, Long, String>> left = new ArrayList<>();
      List<Tuple5<Integer, Long, Long, Long, String>> rows = new ArrayList<>();
      int newest = 0;
      for (int i = 0; i < 6; i++) {
        int writerEpoch = 1 + random.nextInt(3);
        newest = Math.max(newest, writerEpoch);
        rows.add(cell(writerEpoch, i));
        left.add(random.nextInt(i + 1), cell(writerEpoch, i));
      }
      long earlier = -1;
      for (int i = 0; i < 6; i++) {
        earlier = rows.get(i).f2 < newest ? i : earlier;
      }
      while (left.size() > 1) {
        Tuple5<Integer, Long, Long, Long, String> one = left.remove(random.nextInt(left.size()));
        left.set(0, WriterEpochs.merged(left.get(0), one));
      }
      assertEquals(earlier, WriterEpochs.earlier(left.get(0)), "seed " + SEED + ", trial " + trial);
      assertEquals(newest, left.get(0).f2);
    }
    assertFalse(WriterEpochs.hasSeveralEpochs(WriterEpochs.merged(cell(2, 3), cell(2, 4))));
  }

  private static Tuple5<Integer, Long, Long, Long, String> cell(int writerEpoch, long place) {
    return Tuple5.of(Cell.WRITER_EPOCH, 1L, (long) writerEpoch, place, "-1 s");
  }
}
