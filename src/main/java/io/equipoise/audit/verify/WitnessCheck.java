package io.equipoise.audit.verify;

import io.equipoise.audit.log.CommittedLog;
import io.equipoise.audit.log.LogReader;
import io.equipoise.audit.log.LogRecord;
import io.equipoise.audit.log.LogTopic;
import io.equipoise.audit.log.Slice;
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
 * Judges I9: between the first and the last record that a reader saw of a partition, it saw what
 * stands there now: the same records, each once, in the order of offsets.
 *
 * <p>Compares sums over {@value #BLOCK} offsets, so that memory goes by blocks; those that differ
 * are read again, record by record, to name the offender.
 */
final class WitnessCheck {
  private static final int BLOCK = 1_024;
  private static final int MOST_BLOCKS_READ_AGAIN = 1_000;

  private static final Comparator<WitnessLine> BY_PLACE =
      Comparator.comparing(WitnessLine::topic)
          .thenComparing(WitnessLine::partition)
          .thenComparing(WitnessLine::offset);

  private final Docket docket;
  private final Map<Place, Range> seen = new LinkedHashMap<>();
  private final Map<Place, Slice> slices = new HashMap<>();

  /** What was seen of a partition. */
  private static final class Range {
    private long first = -1;
    private long last = -1;
    private final Map<Long, Long> sums = new TreeMap<>();
  }

  private record Block(Place place, long number) {}

  WitnessCheck(Docket docket) {
    this.docket = docket;
  }

  /** Judges what a file says; none leaves the invariant unjudged. */
  void judge(CommittedLog log, @Nullable Path file) {
    if (file == null) {
      docket.unjudged(Invariant.I9, null, "no --witness was given");
      return;
    }
    for (LogTopic topic : LogTopic.values()) {
      log.slices(topic).forEach(slice -> slices.put(Place.of(slice), slice));
    }
    WitnessFile.read(file, this::take);
    readLog(log, line -> add(line, -line.mixed()));
    Set<Block> differing = differing();
    if (!differing.isEmpty()) {
      name(log, file, differing);
    }
  }

  private void take(WitnessLine line) {
    Place place = new Place(line.topic(), line.partition());
    Slice slice = slices.get(place);
    if (slice == null) {
      docket.violated(Invariant.I9, line.place(), "there is no such partition any more");
    } else if (line.offset() >= slice.begin() && line.offset() < slice.reach()) {
      docket.judged(Invariant.I9);
      Range range = seen.computeIfAbsent(place, any -> new Range());
      if (line.offset() <= range.last) {
        docket.violated(
            Invariant.I9, line.place(), "it was seen behind offset " + range.last + ", or again");
        return;
      }
      range.first = range.first < 0 ? line.offset() : range.first;
      range.last = line.offset();
      add(line, line.mixed());
    }
  }

  private void add(WitnessLine line, long value) {
    Range range = seen.get(new Place(line.topic(), line.partition()));
    if (range != null) {
      range.sums.merge(line.offset() / BLOCK, value, Long::sum);
    }
  }

  private void readLog(CommittedLog log, Consumer<WitnessLine> to) {
    List<Slice> parts = new ArrayList<>();
    seen.forEach(
        (place, range) -> {
          Slice slice = slices.get(place);
          if (slice != null) {
            parts.add(slice.between(range.first, range.last + 1));
          }
        });
    try (LogReader reader = log.read(parts)) {
      for (LogRecord at = reader.next(); at != null; at = reader.next()) {
        to.accept(WitnessLine.of(at));
      }
    }
  }

  private Set<Block> differing() {
    Set<Block> differing = new HashSet<>();
    seen.forEach(
        (place, range) ->
            range.sums.forEach(
                (number, sum) -> {
                  if (sum != 0 && differing.size() < MOST_BLOCKS_READ_AGAIN) {
                    differing.add(new Block(place, number));
                  }
                }));
    return differing;
  }

  private void name(CommittedLog log, Path file, Set<Block> blocks) {
    Map<WitnessLine, WitnessLine> witnessed = new TreeMap<>(BY_PLACE);
    WitnessFile.read(file, line -> keep(line, blocks, witnessed));
    Map<WitnessLine, WitnessLine> standing = new TreeMap<>(BY_PLACE);
    readLog(log, line -> keep(line, blocks, standing));
    for (WitnessLine line : witnessed.values()) {
      WitnessLine now = standing.remove(line);
      if (now == null) {
        docket.violated(Invariant.I9, line.place(), "a reader saw it, and it was withdrawn");
      } else if (!now.equals(line)) {
        docket.violated(Invariant.I9, line.place(), "a reader saw other bytes there");
      }
    }
    for (WitnessLine line : standing.values()) {
      docket.violated(
          Invariant.I9, line.place(), "a reader that had come further did not see it before");
    }
  }

  private static void keep(WitnessLine line, Set<Block> blocks, Map<WitnessLine, WitnessLine> to) {
    Place place = new Place(line.topic(), line.partition());
    if (blocks.contains(new Block(place, line.offset() / BLOCK))) {
      to.putIfAbsent(line, line);
    }
  }
}
