package io.equipoise.tools.watch;

import io.equipoise.event.WatchEvidence;
import io.equipoise.event.WatchRecord;
import io.equipoise.job.control.WatchLedger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import org.apache.kafka.common.TopicPartition;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The verb {@code watch verify}. */
@Command(
    name = "verify",
    description = {
      "Computes all evidence again from the log and compares it with the topic watch, bit for bit.",
      "Exit code 1 if a record differs, is missing, or should not be there (EVIDENCE_DIFFERS); 2 if"
          + " an option or a topic cannot be used."
    })
final class WatchVerifyCommand implements Callable<Integer> {
  private static final Duration POLL = Duration.ofMillis(100);

  @Spec private CommandSpec command = CommandSpec.create();
  @Mixin private WatchOptions options = new WatchOptions();
  @Mixin private WatchRunCommand.Threads threads = new WatchRunCommand.Threads();

  /** Returns the exit code. */
  @Override
  public Integer call() throws InterruptedException {
    return options.run(command, this::verify);
  }

  private int verify(WatchOptions.Session session) {
    Map<String, List<WatchLedger.Entry>> bySegment = new LinkedHashMap<>();
    for (WatchLedger.Entry entry : WatchLedger.read(session.config()).all()) {
      bySegment.computeIfAbsent(entry.segment(), any -> new ArrayList<>()).add(entry);
    }
    List<String> differences = new ArrayList<>();
    ExecutorService tasks = threads.pool();
    long compared = 0;
    try {
      for (Map.Entry<String, List<WatchLedger.Entry>> each : bySegment.entrySet()) {
        try (SegmentRun run =
            WatchRunCommand.open(
                session.config(), each.getKey(), each.getValue(), Integer.MAX_VALUE, tasks)) {
          compared += compare(run, each.getValue(), differences);
        }
      }
    } finally {
      tasks.shutdownNow();
    }
    differences.forEach(session.text()::println);
    session
        .text()
        .printf(
            Locale.ROOT,
            "%d records of %d segments compared; %d differ%n",
            compared,
            bySegment.size(),
            differences.size());
    session.result().put("compared", compared);
    session.result().put("differences", differences);
    return differences.isEmpty() ? 0 : 1;
  }

  /** Compares what the log gives up to its present end; returns the number of written records. */
  static long compare(SegmentRun run, List<WatchLedger.Entry> entries, List<String> differences) {
    Map<String, SortedMap<Long, WatchEvidence>> left = new HashMap<>();
    long compared = 0;
    for (WatchLedger.Entry entry : entries) {
      left.put(entry.registration().id(), new TreeMap<>(entry.evidence()));
      compared += entry.evidence().size();
    }
    Map<TopicPartition, Long> ends = run.ends();
    do {
      for (WatchRecord record : run.poll(POLL)) {
        compare(record, left.getOrDefault(record.id(), new TreeMap<>()), differences);
      }
    } while (!run.isOver() && !run.isAt(ends));
    left.forEach(
        (id, evidence) ->
            evidence
                .keySet()
                .forEach(
                    rows ->
                        differences.add(
                            "%s: registration %s, %d rows: the log does not give this record"
                                .formatted(EvidenceDiffersException.CODE, id, rows))));
    return compared;
  }

  private static void compare(
      WatchRecord record, SortedMap<Long, WatchEvidence> left, List<String> differences) {
    WatchEvidence computed = record.evidence();
    if (computed == null) {
      return;
    }
    boolean isBehind = left.isEmpty() || left.lastKey() < computed.rows(); // not written yet
    WatchEvidence written = left.remove(computed.rows());
    if (written == null && !isBehind) {
      differences.add(
          "%s: registration %s, %d rows: the topic lacks this record"
              .formatted(EvidenceDiffersException.CODE, record.id(), computed.rows()));
    } else if (written != null && !written.equals(computed)) {
      differences.add(EvidenceDiffersException.line(record, written));
    }
  }
}
