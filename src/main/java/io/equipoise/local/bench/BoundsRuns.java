package io.equipoise.local.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.equipoise.offline.BoundsCommand;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;

/**
 * The measured process of {@code bench bounds}, with the heap that it was given: the plain loop and
 * the job in turns over one file. Its result is a file of JSON.
 */
final class BoundsRuns {
  private static final List<String> COLUMNS = List.of("U1", "X1", "X2", "I1", "Y");

  private final Path spec;
  private final Path log;
  private final Path scratch;

  private BoundsRuns(Path spec, Path log, Path scratch) {
    this.spec = spec;
    this.log = log;
    this.scratch = scratch;
  }

  /** Takes the spec, the log, a file for scratch, the file of the result and the number of runs. */
  public static void main(String[] arguments) throws IOException {
    BoundsRuns runs =
        new BoundsRuns(Path.of(arguments[0]), Path.of(arguments[1]), Path.of(arguments[2]));
    Map<String, Object> found = runs.measured(Integer.parseInt(arguments[4]));
    new ObjectMapper().writeValue(Path.of(arguments[3]).toFile(), found);
    System.exit(0); // threads of the local cluster may linger
  }

  private Map<String, Object> measured(int runs) throws IOException {
    List<Double> plain = new ArrayList<>();
    List<Double> job = new ArrayList<>();
    List<Long> peaks = new ArrayList<>();
    long rows = 0;
    for (int run = 0; run < runs; run++) {
      long start = System.nanoTime();
      long counted = PlainCount.of(log, COLUMNS).values().stream().mapToLong(it -> it).sum();
      plain.add((System.nanoTime() - start) / 1e9);
      heapPools().forEach(MemoryPoolMXBean::resetPeakUsage);
      start = System.nanoTime();
      rows = bounds();
      job.add((System.nanoTime() - start) / 1e9);
      peaks.add(heapPools().stream().mapToLong(pool -> pool.getPeakUsage().getUsed()).sum());
      if (rows != counted) {
        throw new IllegalStateException("the job counted " + rows + " rows, the loop " + counted);
      }
    }
    Map<String, Object> found = new LinkedHashMap<>();
    found.put("rows", rows);
    found.put("plainSeconds", plain);
    found.put("jobSeconds", job);
    found.put("peakHeapBytes", peaks);
    found.put("maxHeapBytes", Runtime.getRuntime().maxMemory());
    return found;
  }

  /** Runs the offline job as a user does; returns the rows that it read. */
  private long bounds() throws IOException {
    PrintWriter nowhere =
        new PrintWriter(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
    int exit =
        new CommandLine(new BoundsCommand())
            .setOut(nowhere)
            .setErr(new PrintWriter(System.err, true, StandardCharsets.UTF_8))
            .execute(
                "--spec",
                spec.toString(),
                "--selection",
                "S",
                "--input",
                log.toString(),
                "--json",
                scratch.toString());
    if (exit != 0) {
      throw new IllegalStateException("equipoise bounds ended with " + exit);
    }
    JsonNode report = new ObjectMapper().readTree(scratch.toFile());
    return report.get("rows").asLong();
  }

  private static List<MemoryPoolMXBean> heapPools() {
    return ManagementFactory.getMemoryPoolMXBeans().stream()
        .filter(pool -> pool.getType() == MemoryType.HEAP)
        .toList();
  }
}
