package io.equipoise.lab.bench;

import io.equipoise.cli.TextTable;
import io.equipoise.cli.Version;
import java.io.PrintWriter;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Collects the result of a benchmark: tables for readers, and the fields of its JSON. */
final class BenchReport {
  private final Map<String, Object> fields = new LinkedHashMap<>();
  private final List<TextTable> tables = new ArrayList<>();

  BenchReport field(String name, Object value) {
    fields.put(name, value);
    return this;
  }

  BenchReport table(TextTable table) {
    tables.add(table);
    return this;
  }

  Map<String, Object> fields() {
    return fields;
  }

  void print(PrintWriter out) {
    for (int i = 0; i < tables.size(); i++) {
      if (i > 0) {
        out.println();
      }
      tables.get(i).lines().forEach(out::println);
    }
  }

  /**
   * Describes the machine, the JVM and this build: {@code processors, maxHeapBytes, java, system,
   * version, date} (UTC).
   */
  static Map<String, Object> machine() {
    Map<String, Object> machine = new LinkedHashMap<>();
    machine.put("processors", Runtime.getRuntime().availableProcessors());
    machine.put("maxHeapBytes", Runtime.getRuntime().maxMemory());
    machine.put(
        "java", System.getProperty("java.vm.name") + " " + System.getProperty("java.version"));
    machine.put(
        "system",
        System.getProperty("os.name")
            + " "
            + System.getProperty("os.version")
            + " "
            + System.getProperty("os.arch"));
    machine.put("version", Version.current());
    machine.put("date", LocalDate.now(ZoneOffset.UTC).toString());
    return machine;
  }
}
