package io.equipoise.audit.verify;

import io.equipoise.audit.log.CommittedLog;
import io.equipoise.audit.log.InconclusiveException;
import io.equipoise.audit.log.OffsetRange;
import io.equipoise.event.LogTopic;
import io.equipoise.event.TextFile;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Checks I9: between the first and the last record that a reader saw of a partition, it saw the
 * records that are there now, each once, in the order of offsets. Records that it saw after the
 * checked end must still be there; if the partition is shorter, they were withdrawn.
 *
 * <p>Compares sums over {@value #BLOCK} offsets to save memory. Blocks that differ are read again,
 * record by record.
 *
 * <p>State: by partition the range that the reader saw and, for each block, the sum of its lines
 * minus the sum of the log's records. A sum is valid after the file and the log were read; 0 means
 * equal.
 */
final class WitnessCheck {
  private static final int BLOCK = 1_024;
  private static final int MOST_BLOCKS_READ_AGAIN = 1_000;

  private static final Comparator<WitnessLine> BY_PLACE =
      Comparator.comparing(WitnessLine::topic)
          .thenComparing(WitnessLine::partition)
          .thenComparing(WitnessLine::offset);

  private final FindingsCollector findings;
  private final Map<RecordPlace, WitnessRange> seen = new LinkedHashMap<>();
  private final Map<RecordPlace, OffsetRange> slices = new HashMap<>();

  /** The last offset seen after the checked end. */
  private final Map<RecordPlace, Long> beyond = new HashMap<>();

  /** Sums the records that a reader saw of a partition. */
  private static final class WitnessRange {
    private long first = -1;
    private long last = -1;
    private final Map<Long, Long> sums = new TreeMap<>();

    boolean has(long offset) {
      return offset >= first && offset <= last;
    }
  }

  private record Block(RecordPlace place, long number) {}

  WitnessCheck(FindingsCollector findings) {
    this.findings = findings;
  }

  /** Checks a witness file; without one the invariant is unchecked. */
  void check(CommittedLog log, @Nullable Path file) {
    if (file == null) {
      findings.unchecked(Invariant.I9, null, "no --witness was given");
      return;
    }
    for (LogTopic topic : LogTopic.values()) {
      log.slices(topic)
          .forEach(offsetRange -> slices.put(RecordPlace.of(offsetRange), offsetRange));
    }
    WitnessFile.read(file, this::take);
    nameWithdrawnTails(log, file);
    if (seen.isEmpty()) {
      findings.unchecked(Invariant.I9, null, file + " contains no checked record");
    }
    readLog(log, line -> add(line, -line.mixed()));
    Set<Block> differing = differing();
    if (!differing.isEmpty()) {
      name(log, file, differing);
    }
  }

  private void take(WitnessLine line) {
    RecordPlace recordPlace = new RecordPlace(line.topic(), line.partition());
    OffsetRange offsetRange = slices.get(recordPlace);
    if (offsetRange == null) {
      findings.violated(Invariant.I9, line.place(), "this partition no longer exists");
    } else if (line.offset() >= offsetRange.horizon()) {
      beyond.merge(recordPlace, line.offset(), Math::max);
    } else if (line.offset() >= offsetRange.begin()) {
      findings.checked(Invariant.I9);
      WitnessRange range = seen.computeIfAbsent(recordPlace, any -> new WitnessRange());
      if (line.offset() <= range.last) {
        findings.violated(
            Invariant.I9, line.place(), "it was seen twice, or after offset " + range.last);
        return;
      }
      range.first = range.first < 0 ? line.offset() : range.first;
      range.last = line.offset();
      add(line, line.mixed());
    }
  }

  /**
   * Asks for the ends of partitions after the file was read, so that they include all seen records.
   */
  private void nameWithdrawnTails(CommittedLog log, Path file) {
    if (beyond.isEmpty()) {
      return;
    }
    Map<RecordPlace, Long> ends = new HashMap<>();
    log.endsNow(beyond.keySet().stream().map(slices::get).toList())
        .forEach(
            (offsetRange, end) -> {
              RecordPlace recordPlace = RecordPlace.of(offsetRange);
              if (end <= beyond.getOrDefault(recordPlace, -1L)) {
                ends.put(recordPlace, end);
              }
            });
    if (!ends.isEmpty()) {
      WitnessFile.read(file, line -> takeTail(line, ends));
    }
  }

  /** The file may have grown since the first read. */
  private void takeTail(WitnessLine line, Map<RecordPlace, Long> ends) {
    RecordPlace recordPlace = new RecordPlace(line.topic(), line.partition());
    Long end = ends.get(recordPlace);
    OffsetRange offsetRange = slices.get(recordPlace);
    if (end != null
        && offsetRange != null
        && line.offset() >= Math.max(end, offsetRange.horizon())
        && line.offset() <= beyond.getOrDefault(recordPlace, -1L)) {
      findings.checked(Invariant.I9);
      findings.violated(
          Invariant.I9,
          line.place(),
          "a reader saw it, and it was withdrawn: its partition ends at offset " + end);
    }
  }

  private void add(WitnessLine line, long value) {
    WitnessRange range = seen.get(new RecordPlace(line.topic(), line.partition()));
    if (range != null) {
      range.sums.merge(line.offset() / BLOCK, value, Long::sum);
    }
  }

  private void readLog(CommittedLog log, Consumer<WitnessLine> to) {
    List<OffsetRange> parts = new ArrayList<>();
    seen.forEach(
        (recordPlace, range) -> {
          OffsetRange offsetRange = slices.get(recordPlace);
          if (offsetRange != null) {
            parts.add(offsetRange.between(range.first, range.last + 1));
          }
        });
    log.forEach(parts, at -> to.accept(WitnessLine.of(at)));
  }

  private Set<Block> differing() {
    Set<Block> differing = new HashSet<>();
    seen.forEach(
        (recordPlace, range) ->
            range.sums.forEach(
                (number, sum) -> {
                  if (sum != 0 && differing.size() < MOST_BLOCKS_READ_AGAIN) {
                    differing.add(new Block(recordPlace, number));
                  }
                }));
    return differing;
  }

  private void name(CommittedLog log, Path file, Set<Block> blocks) {
    Map<WitnessLine, WitnessLine> witnessed = new TreeMap<>(BY_PLACE);
    WitnessFile.read(file, line -> keep(line, blocks, witnessed));
    Map<WitnessLine, WitnessLine> present = new TreeMap<>(BY_PLACE);
    readLog(log, line -> keep(line, blocks, present));
    for (WitnessLine line : witnessed.values()) {
      WitnessLine now = present.remove(line);
      if (now == null) {
        findings.violated(Invariant.I9, line.place(), "a reader saw it, and it was withdrawn");
      } else if (!now.equals(line)) {
        findings.violated(Invariant.I9, line.place(), "a reader saw other bytes there");
      }
    }
    for (WitnessLine line : present.values()) {
      findings.violated(
          Invariant.I9, line.place(), "a reader that had passed this offset had not seen it");
    }
  }

  private void keep(WitnessLine line, Set<Block> blocks, Map<WitnessLine, WitnessLine> to) {
    RecordPlace recordPlace = new RecordPlace(line.topic(), line.partition());
    WitnessRange range = seen.get(recordPlace);
    if (range != null
        && range.has(line.offset())
        && blocks.contains(new Block(recordPlace, line.offset() / BLOCK))) {
      to.putIfAbsent(line, line);
    }
  }

  /** Reads the file of {@code audit observe} line by line. */
  private static final class WitnessFile {
    private WitnessFile() {}

    /**
     * Passes every line in order. An incomplete last line is ignored.
     *
     * @throws InconclusiveException if the file has another format
     * @throws UncheckedIOException if the file cannot be read
     */
    static void read(Path file, Consumer<WitnessLine> to) {
      try (BufferedReader reader = Files.newBufferedReader(TextFile.regular(file))) {
        if (!WitnessLine.HEADER.equals(reader.readLine())) {
          throw new InconclusiveException(
              file
                  + " does not begin with '"
                  + WitnessLine.HEADER
                  + "'; give a file of `audit observe`");
        }
        long number = 2;
        for (String text = reader.readLine(); text != null; number++) {
          String next = reader.readLine();
          WitnessLine line = WitnessLine.parse(text);
          if (line != null) {
            to.accept(line);
          } else if (next != null) {
            throw new InconclusiveException("line " + number + " of " + file + " is damaged");
          }
          text = next;
        }
      } catch (IOException e) {
        throw new UncheckedIOException("the witness file cannot be read", e);
      }
    }
  }
}
