package io.equipoise.tools.watch;

import static java.util.stream.Collectors.toList;

import io.equipoise.event.WatchEnd;
import io.equipoise.event.WatchEnded;
import io.equipoise.event.WatchEvidence;
import io.equipoise.event.WatchPromoted;
import io.equipoise.job.control.WatchLedger;
import io.equipoise.job.options.JobConfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Compares the evidence on the topic with the log: {@code watch verify}. */
@Command(
    name = "verify",
    description = {
      "Computes all evidence and ends again from the log and compares them with the topic watch, bit"
          + " for bit. Records that follow from the log must be there too, so watch run must keep up.",
      "Exit code 1 if a record differs, is missing, or should not be there (EVIDENCE_DIFFERS); 2 if"
          + " an option or a topic cannot be used."
    })
final class WatchVerifyCommand extends WatchVerb {
  private static final Duration POLL = Duration.ofMillis(100);

  @Mixin private WatchRunCommand.ReplayOptions replay = new WatchRunCommand.ReplayOptions();

  @Override
  int run(Session session) {
    JobConfig config = session.config();
    WatchedSegment.refuseInexact(config);
    Map<String, List<WatchLedger.LedgerEntry>> bySegment =
        WatchLedger.read(config).all().stream()
            .collect(
                Collectors.groupingBy(WatchLedger.LedgerEntry::segment, TreeMap::new, toList()));
    List<String> differences = new ArrayList<>();
    ExecutorService tasks = replay.pool();
    long compared = 0;
    try {
      for (Map.Entry<String, List<WatchLedger.LedgerEntry>> each : bySegment.entrySet()) {
        try (SegmentRun run =
            WatchRunCommand.open(
                config, each.getKey(), each.getValue(), replay.maxPending(), tasks)) {
          compared += compare(run, each.getValue(), () -> WatchLedger.read(config), differences);
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

  /**
   * Compares the records that follow from the log with the topic; returns the number of evidence
   * records.
   *
   * <p>The topic is read after the log, so it must have what follows from the log up to there. Then
   * the log is read on, so it must give everything that the topic has.
   */
  static long compare(
      SegmentRun run,
      List<WatchLedger.LedgerEntry> registered,
      Supplier<WatchLedger> topic,
      List<String> differences) {
    WatchLedger computed = new WatchLedger();
    registered.forEach(entry -> computed.on(entry.registration(), 0));
    replay(run, computed);
    WatchLedger written = topic.get();
    for (WatchLedger.LedgerEntry entry : computed.all()) {
      lacking(entry, entry(written, entry), differences);
    }
    replay(run, computed);
    long compared = 0;
    for (WatchLedger.LedgerEntry entry : computed.all()) {
      WatchLedger.LedgerEntry other = entry(written, entry);
      differing(entry, other, run.endIfLost(), differences);
      compared += other.evidence().size();
    }
    return compared;
  }

  private static WatchLedger.LedgerEntry entry(WatchLedger written, WatchLedger.LedgerEntry of) {
    return Objects.requireNonNull(written.entry(of.registration().id()));
  }

  /** Reads the log up to its present end. */
  private static void replay(SegmentRun run, WatchLedger into) {
    Map<TopicPartition, Long> ends = run.ends();
    do {
      run.poll(POLL).forEach(record -> into.on(record, 0));
    } while (!run.isOver() && !run.isAt(ends));
  }

  /** Reports records that should be there; a person may have ended the registration before. */
  private static void lacking(
      WatchLedger.LedgerEntry computed, WatchLedger.LedgerEntry written, List<String> differences) {
    WatchEnded end = written.ended();
    boolean isWithdrawn = end != null && end.reason() == WatchEnd.WITHDRAWN;
    for (long rows : computed.evidence().keySet()) {
      WatchEvidence newest = written.newest();
      boolean isDue = !isWithdrawn || (newest != null && rows < newest.rows());
      if (isDue && !written.evidence().containsKey(rows)) {
        differences.add(line(computed, rows + " rows: the topic lacks this record"));
      }
    }
    if (computed.ended() != null && end == null) {
      differences.add(line(computed, "the topic lacks its end, " + computed.ended()));
    }
  }

  private static void differing(
      WatchLedger.LedgerEntry computed,
      WatchLedger.LedgerEntry written,
      @Nullable WatchEnded endIfLost,
      List<String> differences) {
    written.evidence().values().forEach(found -> differing(computed, found, differences));
    WatchPromoted promoted = written.promoted();
    if (promoted != null) {
      differing(computed, promoted.evidence(), differences);
    }
    WatchEnded end = computed.ended() == null ? endIfLost : computed.ended();
    WatchEnded other = written.ended();
    if (other != null && other.reason() != WatchEnd.WITHDRAWN && !other.equals(end)) {
      differences.add(
          line(computed, "the topic has the end %s, the log gives %s".formatted(other, end)));
    }
  }

  private static void differing(
      WatchLedger.LedgerEntry computed, WatchEvidence found, List<String> differences) {
    WatchEvidence own = computed.evidence().get(found.rows());
    if (own == null) {
      differences.add(line(computed, found.rows() + " rows: the log does not give this record"));
    } else if (!own.equals(found)) {
      differences.add(EvidenceDiffersException.line(computed.registration().with(own), found));
    }
  }

  private static String line(WatchLedger.LedgerEntry of, String what) {
    return "%s: registration %s of segment %s: %s"
        .formatted(EvidenceDiffersException.CODE, of.registration().id(), of.segment(), what);
  }
}
