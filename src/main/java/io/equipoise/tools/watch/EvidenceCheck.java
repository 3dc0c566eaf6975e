package io.equipoise.tools.watch;

import io.equipoise.event.WatchEnd;
import io.equipoise.event.WatchEnded;
import io.equipoise.event.WatchEvidence;
import io.equipoise.event.WatchPromoted;
import io.equipoise.event.WatchRecord;
import io.equipoise.job.control.WatchLedger;
import io.equipoise.job.control.WatchLedger.LedgerEntry;
import io.equipoise.job.options.JobConfig;
import io.equipoise.watch.WatchRefusal;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Compares the evidence and the ends on the topic {@code watch} with those that the log gives. */
public final class EvidenceCheck {
  private EvidenceCheck() {}

  /**
   * Returns a line for each record of a registration on the topic that the log does not give. Reads
   * the log of its segment from the beginning to the end.
   *
   * @throws io.equipoise.watch.WatchRefusedException if the log may be withdrawn (NOT_EXACTLY_ONCE)
   */
  public static List<String> differences(JobConfig config, LedgerEntry entry) {
    List<String> differences = new ArrayList<>();
    WatchLedger computed = new WatchLedger();
    computed.on(entry.registration(), 0);
    int maxPending = Integer.parseInt(WatchRunCommand.MOST_PENDING);
    try (SegmentRun run = SegmentRun.of(config, List.of(entry), maxPending, Runnable::run)) {
      run.pollToTheEnd().forEach(record -> computed.on(record, 0));
      differing(entry(computed, entry), entry, run.endIfLost(), differences);
    }
    return differences;
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
      List<LedgerEntry> registered,
      Supplier<WatchLedger> topic,
      List<String> differences) {
    WatchLedger computed = new WatchLedger();
    registered.forEach(entry -> computed.on(entry.registration(), 0));
    run.pollToTheEnd().forEach(record -> computed.on(record, 0));
    WatchLedger written = topic.get();
    for (LedgerEntry entry : computed.all()) {
      lacking(entry, entry(written, entry), differences);
    }
    run.pollToTheEnd().forEach(record -> computed.on(record, 0));
    long compared = 0;
    for (LedgerEntry entry : computed.all()) {
      LedgerEntry other = entry(written, entry);
      differing(entry, other, run.endIfLost(), differences);
      compared += other.evidence().size();
    }
    return compared;
  }

  private static LedgerEntry entry(WatchLedger written, LedgerEntry of) {
    return Objects.requireNonNull(written.entry(of.registration().id()));
  }

  /** Reports records that should be there; a person may have ended the registration before. */
  private static void lacking(LedgerEntry computed, LedgerEntry written, List<String> differences) {
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
      LedgerEntry computed,
      LedgerEntry written,
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
      LedgerEntry computed, WatchEvidence found, List<String> differences) {
    WatchEvidence own = computed.evidence().get(found.rows());
    if (own == null) {
      differences.add(line(computed, found.rows() + " rows: the log does not give this record"));
    } else if (!own.equals(found)) {
      differences.add(
          WatchRefusal.EVIDENCE_DIFFERS + ": " + line(computed.registration().with(own), found));
    }
  }

  private static String line(LedgerEntry of, String what) {
    return "%s: registration %s of segment %s: %s"
        .formatted(WatchRefusal.EVIDENCE_DIFFERS, of.registration().id(), of.segment(), what);
  }

  /** Returns one line about two records of the same rows: place, both records, causes. */
  static String line(WatchRecord computed, WatchEvidence written) {
    return "registration %s of segment %s, %d rows: the topic has %s, the log gives %s; another build or other options of privacy or --max-pending wrote it, another program did, or the log was changed"
        .formatted(computed.id(), computed.segment(), written.rows(), written, computed.evidence());
  }
}
