package io.equipoise.lab.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.equipoise.offline.BoundsCommand;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import picocli.CommandLine;

/** Measures the time to count a log with the offline job, and with a plain loop. */
@State(Scope.Thread)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
public class BoundsRounds {
  static final String SPEC = "spec.yaml";
  static final String LOG = "log.csv";
  static final String REPORT = "report.json";

  private static final List<String> COLUMNS = List.of("U1", "X1", "X2", "I1", "Y");

  /** Directory with the spec and the log. */
  @Param("")
  public String directory = "";

  /** Rows of the log. */
  @Param("0")
  public long rows;

  /** Reports the heap in use, which JMH reads after each run. */
  @State(Scope.Thread)
  @AuxCounters(AuxCounters.Type.EVENTS)
  public static class Heap {
    /** Peak heap in use during the run, bytes. */
    public long peakHeapBytes;

    /** Heap limit, bytes. */
    public long maxHeapBytes;
  }

  /** Starts to measure the heap. */
  @Setup(Level.Iteration)
  public void reset() {
    heapPools().forEach(MemoryPoolMXBean::resetPeakUsage);
  }

  /** Counts the rows in one thread by reading, splitting and counting. */
  @Benchmark
  public void plain(Heap heap) throws IOException {
    Map<String, Long> counts = count(Path.of(directory, LOG), COLUMNS);
    finish(counts.values().stream().mapToLong(count -> count).sum(), heap);
  }

  /** Runs the offline job as a user does. */
  @Benchmark
  public void job(Heap heap) throws IOException {
    Path report = Path.of(directory, REPORT);
    int exit =
        new CommandLine(new BoundsCommand())
            .setOut(new PrintWriter(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8))
            .setErr(new PrintWriter(System.err, true, StandardCharsets.UTF_8))
            .execute(
                "--spec",
                Path.of(directory, SPEC).toString(),
                "--selection",
                "S",
                "--input",
                Path.of(directory, LOG).toString(),
                "--json",
                report.toString());
    if (exit != 0) {
      throw new IllegalStateException("equipoise bounds ended with exit code " + exit);
    }
    finish(new ObjectMapper().readTree(report.toFile()).get("rows").asLong(), heap);
  }

  /**
   * Returns the number of rows by the values of some columns: reads lines, splits them at commas.
   */
  static Map<String, Long> count(Path file, List<String> columns) throws IOException {
    Map<String, Long> counts = new HashMap<>();
    try (BufferedReader in = Files.newBufferedReader(file)) {
      List<String> heading = List.of(in.readLine().split(",", -1));
      int[] places = columns.stream().mapToInt(heading::indexOf).toArray();
      StringBuilder key = new StringBuilder();
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        String[] values = line.split(",", -1);
        key.setLength(0);
        for (int place : places) {
          key.append(values[place]).append(',');
        }
        counts.merge(key.toString(), 1L, Long::sum);
      }
    }
    return counts;
  }

  private void finish(long counted, Heap heap) {
    if (counted != rows) {
      throw new IllegalStateException("counted " + counted + " rows of " + rows);
    }
    heap.peakHeapBytes =
        heapPools().stream().mapToLong(pool -> pool.getPeakUsage().getUsed()).sum();
    heap.maxHeapBytes = Runtime.getRuntime().maxMemory();
  }

  private static List<MemoryPoolMXBean> heapPools() {
    return ManagementFactory.getMemoryPoolMXBeans().stream()
        .filter(pool -> pool.getType() == MemoryType.HEAP)
        .toList();
  }
}
