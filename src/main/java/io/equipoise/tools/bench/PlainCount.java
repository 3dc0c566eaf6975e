package io.equipoise.tools.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A plain implementation: reads lines, splits them at commas, counts in a map. */
final class PlainCount {
  private PlainCount() {}

  /** Returns the number of rows by the values of some columns. */
  static Map<String, Long> of(Path file, List<String> columns) throws IOException {
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
}
