package io.equipoise.offline.count;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.Tier;
import io.equipoise.causal.DistributionException;
import io.equipoise.event.JoinedDecision;
import io.equipoise.event.JoinedReward;
import io.equipoise.event.Place;
import io.equipoise.event.Propensities;
import io.equipoise.event.PropensityKind;
import io.equipoise.event.RecordCodec;
import io.equipoise.event.SegmentEvent;
import io.equipoise.event.SegmentEventType;
import io.equipoise.event.Source;
import io.equipoise.event.Versions;
import io.equipoise.event.Wire;
import io.equipoise.hostile.ByteDamage;
import io.equipoise.hostile.Campaign;
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
import java.util.zip.Deflater;
import org.apache.avro.file.CodecFactory;
import org.apache.avro.file.DataFileWriter;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.io.EncoderFactory;
import org.apache.flink.api.java.tuple.Tuple5;
import org.apache.flink.util.Collector;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/** Feeds the readers of logs with files that were damaged at random. */
@Isolated("measures the heap of the JVM")
class HostileFilesTest {
  private static final String SPEC = TestSpecs.ucb();
  private static final String SPEC_HASH = SpecParser.parse(SPEC).hash();
  private static final CountLayout LAYOUT =
      CountLayout.of(
          List.of(
              new CountedVariable("X", List.of("low", "high"), List.of(), Double.NaN, Double.NaN),
              new CountedVariable("A", List.of("left", "right"), List.of(), Double.NaN, Double.NaN),
              CountedVariable.binary("R", 0, 1)),
          List.of(List.of("X", "A", "R")),
          null);

  /** The buffers of a file, and a schema with all that hangs from it. */
  private static final long FIXED_BYTES = 4 << 20;

  private static final long BYTES_PER_BYTE = 1000;

  @TempDir private Path directory = Path.of("");

  /** Knows only whether a fault was told. */
  private static final class Told implements Collector<Tuple5<Integer, Long, Long, Long, String>> {
    private boolean hasFault;

    @Override
    public void collect(Tuple5<Integer, Long, Long, Long, String> cell) {
      hasFault |= cell.f0 == Cell.FAULT;
    }

    @Override
    public void close() {}
  }

  /** Reads a file in two pieces, as two tasks would. */
  @FunctionalInterface
  private interface Reader {
    void read(Chunk chunk, RowSink sink) throws IOException;
  }

  private boolean isRead(Path file, byte[] bytes, Reader reader) throws IOException {
    Files.write(file, bytes);
    Told told = new Told();
    RowSink sink = new RowSink(LAYOUT, told);
    try {
      reader.read(new Chunk(0, file.toString(), 0, bytes.length / 2), sink);
      reader.read(new Chunk(0, file.toString(), bytes.length / 2, bytes.length), sink);
    } catch (DistributionException e) {
      return false;
    }
    sink.flush();
    return !told.hasFault;
  }

  private void campaign(
      String name, List<byte[]> samples, int spared, Reader reader, int ci, int full)
      throws InterruptedException {
    Path file = directory.resolve("damaged");
    new Campaign<>(
            name,
            new ByteDamage(samples, samples, spared),
            bytes -> isRead(file, bytes, reader),
            FIXED_BYTES,
            BYTES_PER_BYTE)
        .run(Tier.count(ci, full));
  }

  @Test
  void damagedCsvIsToldAsAFaultOrRead() throws InterruptedException {
    List<byte[]> samples = new ArrayList<>();
    for (String text :
        List.of(
            "note,A,X,R\r\nfirst,left,low,1\r\n\"a, \"\"b\"\"\",\"right\",high,0\n\n,left,low,1.0",
            "\uFEFFA,X,R\nleft,low,0\nright,high,1\n",
            "A,X,R\n" + "left,high,1\n".repeat(30))) {
      samples.add(text.getBytes(StandardCharsets.UTF_8));
    }
    campaign(
        "CSV",
        samples,
        0,
        (chunk, sink) -> CsvRows.of(LAYOUT, Path.of(chunk.file())).read(chunk, sink),
        100,
        10_000);
  }

  @Test
  void damagedFramesAreToldAsAFaultOrRead() throws InterruptedException {
    List<byte[]> samples = new ArrayList<>();
    for (String end : List.of("", "\n")) {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      for (int i = 0; i < 4; i++) {
        out.writeBytes(Wire.SEGMENT_EVENT.encode(outcome(i)));
        out.writeBytes(end.getBytes(StandardCharsets.UTF_8));
      }
      samples.add(out.toByteArray());
    }
    SegmentEventRows rows = new SegmentEventRows(LAYOUT, SegmentLog.of(SPEC));
    campaign("frames", samples, 0, (c, sink) -> new FramedRows(rows).read(c, sink), 100, 10_000);
  }

  /** A block of some 300 kB that would be 300 MB: a limit of Avro's, or of the heap of tests. */
  @Test
  void aBlockThatInflatesWithoutEndIsAFault() throws IOException {
    Path file = directory.resolve("bomb.avro");
    ByteArrayOutputStream block = new ByteArrayOutputStream();
    byte[] mebibyte = deflatedMebibyte(Deflater.FULL_FLUSH);
    for (int i = 0; i < 300; i++) {
      block.writeBytes(mebibyte);
    }
    block.writeBytes(deflatedMebibyte(Deflater.NO_FLUSH));
    byte[] whole = container(CodecFactory.deflateCodec(6), 0);
    byte[] sync = Arrays.copyOfRange(whole, whole.length - 16, whole.length);
    ByteArrayOutputStream bomb = new ByteArrayOutputStream();
    bomb.writeBytes(whole);
    BinaryEncoder numbers = EncoderFactory.get().directBinaryEncoder(bomb, null);
    numbers.writeLong(1);
    numbers.writeLong(block.size());
    numbers.flush();
    bomb.writeBytes(block.toByteArray());
    bomb.writeBytes(sync);
    SegmentEventRows rows = new SegmentEventRows(LAYOUT, SegmentLog.of(SPEC));
    assertFalse(isRead(file, bomb.toByteArray(), (c, sink) -> new AvroRows(rows).read(c, sink)));
  }

  /** Deflates zeros; after a full flush more of them may follow, else it is the end of a block. */
  private static byte[] deflatedMebibyte(int flush) {
    Deflater deflater = new Deflater(Deflater.BEST_COMPRESSION, true);
    deflater.setInput(new byte[1 << 20]);
    if (flush == Deflater.NO_FLUSH) {
      deflater.finish();
    }
    byte[] out = new byte[1 << 16];
    int length = deflater.deflate(out, 0, out.length, flush);
    deflater.end();
    return Arrays.copyOf(out, length);
  }

  @Test
  void aCodecWhoseLibraryMayBeMissingIsAFault() throws IOException {
    Path file = directory.resolve("codec.avro");
    byte[] bytes = container(CodecFactory.deflateCodec(6), 4);
    String text = new String(bytes, StandardCharsets.ISO_8859_1);
    for (String codec : List.of("bzip2\0\0", "whatnot")) {
      byte[] other =
          text.replace("\u000edeflate", "\u000e" + codec).getBytes(StandardCharsets.ISO_8859_1);
      assertNotEquals(0, Arrays.compare(bytes, other));
      SegmentEventRows rows = new SegmentEventRows(LAYOUT, SegmentLog.of(SPEC));
      assertFalse(isRead(file, other, (c, sink) -> new AvroRows(rows).read(c, sink)));
    }
  }

  @Test
  void aDamagedContainerIsToldAsAFaultOrRead() throws InterruptedException, IOException {
    SegmentEventRows rows = new SegmentEventRows(LAYOUT, SegmentLog.of(SPEC));
    List<byte[]> samples =
        List.of(container(CodecFactory.nullCodec(), 4), container(CodecFactory.deflateCodec(6), 4));
    for (boolean isBehindTheHeader : new boolean[] {false, true}) {
      campaign(
          isBehindTheHeader ? "blocks of containers" : "containers",
          samples,
          isBehindTheHeader ? container(CodecFactory.nullCodec(), 0).length : 0,
          (chunk, sink) -> new AvroRows(rows).read(chunk, sink),
          30,
          10_000);
    }
  }

  private static byte[] container(CodecFactory codec, int records) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    var datum = new GenericDatumWriter<GenericRecord>(Wire.SEGMENT_EVENT.schema());
    var reader = new GenericDatumReader<GenericRecord>(Wire.SEGMENT_EVENT.schema());
    var bodies = RecordCodec.bind(SegmentEvent.class, Wire.SEGMENT_EVENT.schema());
    try (DataFileWriter<GenericRecord> file = new DataFileWriter<>(datum).setCodec(codec)) {
      file.create(Wire.SEGMENT_EVENT.schema(), out);
      for (int i = 0; i < records; i++) {
        byte[] body = bodies.encode(outcome(i));
        file.append(reader.read(null, DecoderFactory.get().binaryDecoder(body, null)));
        file.sync();
      }
    }
    assertTrue(out.size() > 0);
    return out.toByteArray();
  }

  private static SegmentEvent outcome(long seq) {
    return new SegmentEvent(
        SegmentEventType.REWARD_APPLIED,
        new Place("s", 0, seq),
        1_700_000_000_000L + seq,
        new Versions(SPEC_HASH, 1L, null, null, null),
        new JoinedDecision(
            "d" + seq,
            null,
            seq,
            seq % 2 == 0 ? "A=left" : "A=right",
            1.0,
            new Propensities(PropensityKind.ESTIMATED, List.of(0.25, 0.75), List.of(), 100),
            List.of(0.0, (double) (seq % 2)),
            Map.of("M", "1"),
            1.0,
            "line\nend"),
        new JoinedReward(null, 1.0, null, new Source("rewards", 0, seq)),
        null,
        null,
        null,
        null,
        null,
        null,
        null);
  }
}
