package io.equipoise.lab.chaos;

import io.equipoise.tools.cluster.Cluster;
import io.equipoise.tools.cluster.ClusterException;
import io.equipoise.tools.cluster.ClusterProcess;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads the sizes of a cluster's processes, topics and checkpoints at one time, and keeps all
 * samples in a file of lines {@code piece,seconds,measure,value}.
 *
 * @param piece number of the run on this cluster, from 1
 * @param seconds since its traffic started
 * @param values by measure: a unit, a slash and a name, such as {@code "heap MB/gateway"}
 */
record SoakSample(int piece, double seconds, Map<String, Double> values) {
  private static final String HEADING = "piece,seconds,measure,value";

  /** The spaces of all collectors, as {@code jcmd PID GC.heap_info} prints them. */
  static final Pattern HEAP = Pattern.compile("(?:generation|heap)\\s+total \\d+K, used (\\d+)K");

  private static final Pattern METASPACE = Pattern.compile("Metaspace\\s+used (\\d+)K");
  private static final Pattern RESIDENT = Pattern.compile("VmRSS:\\s+(\\d+) kB");
  private static final Pattern THREADS = Pattern.compile("Threads:\\s+(\\d+)");
  private static final double KIB = 1024;

  /** Returns the process id of each member; throws if one has ended. */
  static Map<String, Long> processes(Cluster cluster) {
    Map<String, Long> ids = new TreeMap<>();
    for (ClusterProcess member : cluster.members()) {
      ids.put(
          member.name(),
          cluster
              .running(member)
              .orElseThrow(() -> new ClusterException(member.name() + " has ended"))
              .pid());
    }
    return ids;
  }

  /**
   * Measures a cluster.
   *
   * @param collects whether each process first collects its garbage, for its live heap, which is
   *     not measured otherwise
   */
  static Map<String, Double> measure(Cluster cluster, boolean collects)
      throws IOException, InterruptedException {
    Map<String, Double> values = new TreeMap<>();
    for (Map.Entry<String, Long> one : processes(cluster).entrySet()) {
      Path process = Path.of("/proc", one.getValue().toString());
      String status = Files.readString(process.resolve("status"));
      values.put("resident MB/" + one.getKey(), sum(RESIDENT, status) / KIB);
      values.put("threads/" + one.getKey(), sum(THREADS, status));
      try (var open = Files.list(process.resolve("fd"))) {
        values.put("open files/" + one.getKey(), (double) open.count());
      }
      if (collects) {
        jcmd(one.getValue(), "GC.run");
        String heap = jcmd(one.getValue(), "GC.heap_info");
        values.put("heap MB/" + one.getKey(), sum(HEAP, heap) / KIB);
        values.put("metaspace MB/" + one.getKey(), sum(METASPACE, heap) / KIB);
      }
    }
    Path directory = cluster.layout().directory();
    for (File partition : children(cluster.layout().kafka(ClusterProcess.KAFKA).toFile())) {
      String topic = partition.getName().replaceFirst("-\\d+$", "");
      if (partition.isDirectory()) {
        double bytes = bytes(partition, file -> file.getName().endsWith(".log"));
        values.merge("topic MB/" + topic, bytes / KIB / KIB, Double::sum);
      }
    }
    for (String name : List.of("flink/checkpoints", "flink/ha", "flink/tmp", "logs", "zookeeper")) {
      double bytes = bytes(directory.resolve(name).toFile(), file -> true);
      values.put("disk MB/" + name, bytes / KIB / KIB);
    }
    cluster
        .rest()
        .job()
        .flatMap(job -> cluster.rest().lastCheckpoint(job.id()))
        .ifPresent(last -> values.put("state MB/checkpoint", last.bytes() / KIB / KIB));
    return values;
  }

  private static String jcmd(long process, String command)
      throws IOException, InterruptedException {
    String program = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
    Process started =
        new ProcessBuilder(program, Long.toString(process), command)
            .redirectErrorStream(true)
            .start();
    String output = new String(started.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (started.waitFor() != 0) {
      throw new ClusterException("%s %d %s: %s".formatted(program, process, command, output));
    }
    return output;
  }

  /** Adds the numbers that a pattern finds. */
  static double sum(Pattern pattern, String text) {
    Matcher matcher = pattern.matcher(text);
    double sum = 0;
    while (matcher.find()) {
      sum += Double.parseDouble(matcher.group(1));
    }
    return sum;
  }

  /** Adds the lengths of files; those that are deleted meanwhile count as 0. */
  private static long bytes(File file, Predicate<File> counts) {
    long bytes = file.isFile() && counts.test(file) ? file.length() : 0;
    for (File child : children(file)) {
      bytes += bytes(child, counts);
    }
    return bytes;
  }

  private static List<File> children(File directory) {
    File[] children = directory.listFiles();
    return children == null ? List.of() : List.of(children);
  }

  void append(Path file) throws IOException {
    List<String> lines = new ArrayList<>();
    if (!Files.exists(file)) {
      lines.add(HEADING);
    }
    values.forEach(
        (measure, value) ->
            lines.add(
                String.format(Locale.ROOT, "%d,%.1f,%s,%.4f", piece, seconds, measure, value)));
    Files.write(file, lines, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  /**
   * Reads the lines of all samples, in their order.
   *
   * @throws IllegalArgumentException if a line is not one of a sample
   */
  static List<SoakSample> parse(List<String> lines) {
    List<SoakSample> samples = new ArrayList<>();
    for (String line : lines.subList(Math.min(1, lines.size()), lines.size())) {
      String[] cells = line.split(",", -1);
      if (cells.length != 4) {
        throw new IllegalArgumentException(line + " must have the columns " + HEADING);
      }
      int piece = Integer.parseInt(cells[0]);
      double seconds = Double.parseDouble(cells[1]);
      SoakSample last = samples.isEmpty() ? null : samples.get(samples.size() - 1);
      if (last == null || last.piece != piece || last.seconds != seconds) {
        last = new SoakSample(piece, seconds, new TreeMap<>());
        samples.add(last);
      }
      last.values.put(cells[2], Double.parseDouble(cells[3]));
    }
    return samples;
  }
}
