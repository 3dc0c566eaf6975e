package io.equipoise.lab.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.equipoise.lab.bench.LatencyRow.Phase;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class LatencyRowTest {
  private static LatencyRow row(Phase phase, Long firstAnswer) {
    List<Long> waits = LongStream.rangeClosed(0, 1000).boxed().toList();
    return LatencyRow.of("exactly-once", 20, JobRun.Job.FULL, phase, waits, firstAnswer);
  }

  @Test
  void percentilesAreOfAllWaits() {
    LatencyRow row = row(Phase.WARM, null);
    assertEquals(1001, row.contexts());
    assertEquals(500, row.p50());
    assertEquals(990, row.p99());
    assertEquals(999, row.p999());
    assertEquals(1000, row.max());
  }

  @Test
  void aPhaseWithoutContextsIsAnError() {
    assertThrows(
        IllegalStateException.class,
        () -> LatencyRow.of("exactly-once", 20, JobRun.Job.FULL, Phase.COLD, List.of(), 0L));
  }

  @Test
  void aRowSurvivesTheJsonOfAnotherProcess() throws Exception {
    ObjectMapper mapper = new ObjectMapper();
    for (LatencyRow row : List.of(row(Phase.COLD, 700L), row(Phase.WARM, null))) {
      assertEquals(row, mapper.readValue(mapper.writeValueAsString(row), LatencyRow.class));
    }
  }

  @Test
  void theTableHasALineForEachRow() {
    List<String> lines =
        LatencyRow.table(List.of(row(Phase.COLD, 700L), row(Phase.WARM, null))).lines();
    assertEquals(
        List.of(
            "exactly-once 20 full cold 1001 500 990 999 1000 700",
            "exactly-once 20 full warm 1001 500 990 999 1000"),
        lines.stream().skip(1).map(line -> line.replaceAll(" +", " ")).toList());
  }
}
