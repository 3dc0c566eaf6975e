package io.equipoise.audit.savepoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.audit.log.InconclusiveException;
import io.equipoise.segment.state.SegmentSnapshot;
import io.equipoise.segmentspec.IdleStateSpec.Retain;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reads the committed savepoint. */
class SavepointTest {
  private static final Path RESOURCES = Path.of("src/test/resources");

  @TempDir private Path directory;

  private static Savepoint golden() {
    return Savepoint.open(RESOURCES.resolve("savepoint-v1").toUri().toString());
  }

  @Test
  void everySegmentHasItsHeadItsModelAndItsAwaitingDecisions() {
    Map<String, SegmentSnapshot> segments = golden().segments(any -> true);
    assertTrue(segments.keySet().containsAll(Set.of("dual", "search", "changed", "causal-bounds")));
    SegmentSnapshot dual = Objects.requireNonNull(segments.get("dual"));
    assertEquals(14, dual.seq(), "an adoption, nine decisions, four rewards");
    assertNull(dual.resting());
    assertEquals(5, dual.awaiting().size());
    assertEquals(5 + 4 + 1, dual.entries().size(), "awaiting, settled, held early");
    assertTrue(dual.model().entries().iterator().hasNext());
    assertNotNull(Objects.requireNonNull(segments.get("causal-bounds")).head().boundsHash);
  }

  @Test
  void segmentsThatRestHaveWhatTheyKeep() {
    Map<String, SegmentSnapshot> segments = golden().segments(name -> name.startsWith("resting"));
    assertEquals(Set.of("resting-model", "resting-none"), segments.keySet());
    SegmentSnapshot packed = Objects.requireNonNull(segments.get("resting-model"));
    assertEquals(Retain.MODEL, packed.resting());
    assertTrue(packed.model().entries().iterator().hasNext());
    SegmentSnapshot emptied = Objects.requireNonNull(segments.get("resting-none"));
    assertEquals(Retain.NONE, emptied.resting());
    assertFalse(emptied.model().entries().iterator().hasNext());
    assertEquals(packed.seq(), emptied.seq());
    assertEquals(packed.head().ledgers, emptied.head().ledgers);
  }

  @Test
  void inputOffsetsAreThoseOfTheSources() throws IOException {
    Map<String, Long> offsets = golden().inputOffsets();
    for (String topic : Set.of("contexts", "rewards")) {
      long sent;
      try (var lines = Files.lines(RESOURCES.resolve("savepoint-v1").resolve("topics.txt"))) {
        sent = lines.filter(line -> line.startsWith("." + topic + " ")).count();
      }
      long read =
          offsets.entrySet().stream()
              .filter(entry -> entry.getKey().startsWith("golden." + topic + "/"))
              .mapToLong(Map.Entry::getValue)
              .sum();
      assertEquals(sent, read, topic + ": " + offsets);
    }
  }

  @Test
  void damagedMetadataIsToldAndNothingElse() throws IOException {
    byte[] whole = Files.readAllBytes(RESOURCES.resolve("savepoint-v1").resolve("_metadata"));
    Set<String> messages = new TreeSet<>();
    for (int length = 0; length < whole.length; length += 1 + length / 20) {
      Path cut = Files.createDirectories(directory.resolve("cut-" + length));
      Files.write(cut.resolve("_metadata"), Arrays.copyOf(whole, length));
      InconclusiveException told =
          assertThrows(
              InconclusiveException.class,
              () -> {
                Savepoint savepoint = Savepoint.open(cut.toString());
                savepoint.inputOffsets();
                savepoint.segments(any -> true);
              },
              "cut to " + length);
      messages.add(String.valueOf(told.getMessage()).replaceAll("cut-\\d+", "cut"));
    }
    messages.forEach(message -> assertTrue(message.startsWith("the savepoint at "), message));
  }
}
