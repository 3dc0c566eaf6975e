package io.equipoise.tools.watch;

import io.equipoise.event.WatchEnd;
import io.equipoise.event.WatchEnded;
import io.equipoise.event.WatchEvidence;
import io.equipoise.event.WatchRecord;
import io.equipoise.job.control.WatchLedger;
import io.equipoise.job.control.WatchLedger.LedgerEntry;
import io.equipoise.job.options.JobConfig;
import io.equipoise.watch.WatchRefusal;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Compares the evidence on the topic with the log: {@code watch verify}. */
@Command(
    name = "verify",
    description = {
      "Computes all evidence and ends again from the log and finds those of the topic watch that the"
          + " log does not give, bit for bit.",
      "Registrations are taken as they are: whoever may write the topic may register anything.",
      "Exit code 1 if a record differs (EVIDENCE_DIFFERS), 2 if an option or a topic cannot be used."
    })
final class WatchVerifyCommand extends WatchVerb {
  @Mixin private WatchRunCommand.ReplayOptions replay = new WatchRunCommand.ReplayOptions();

  @Override
  protected int runOn(Deployment deployment) {
    JobConfig config = deployment.config();
    WatchedSegment.refuseInexact(config);
    WatchLedger ledger = WatchLedger.read(config);
    Set<String> segments = new TreeSet<>(ledger.all().stream().map(LedgerEntry::segment).toList());
    List<String> differences = new ArrayList<>();
    ExecutorService tasks = replay.pool();
    try {
      for (String segment : segments) {
        List<LedgerEntry> entries = ledger.of(segment);
        try (SegmentRun run = SegmentRun.of(config, entries, replay.maxPending(), tasks)) {
          differences.addAll(differences(run, entries));
        }
      }
    } finally {
      tasks.shutdownNow();
    }
    differences.forEach(deployment.text()::println);
    deployment.say("%d segments compared; %d records differ", segments.size(), differences.size());
    deployment.result().put("differences", differences);
    return differences.isEmpty() ? 0 : 1;
  }

  /** Returns a line for each record of the topic that does not follow from the log. */
  static List<String> differences(SegmentRun run, List<LedgerEntry> written) {
    Set<WatchRecord> computed = new HashSet<>(run.pollToTheEnd());
    List<String> differences = new ArrayList<>();
    for (LedgerEntry entry : written) {
      WatchRecord registered = entry.registration();
      List<WatchEvidence> evidence = new ArrayList<>(entry.evidence().values());
      if (entry.promoted() != null) {
        evidence.add(entry.promoted().evidence());
      }
      List<WatchRecord> records = new ArrayList<>();
      evidence.forEach(it -> records.add(registered.with(it)));
      WatchEnded end = entry.ended();
      if (end != null && end.reason() != WatchEnd.WITHDRAWN && !end.equals(run.endIfLost())) {
        records.add(registered.with(end));
      }
      records.removeAll(computed);
      records.forEach(it -> differences.add(WatchRefusal.EVIDENCE_DIFFERS + ": " + line(it)));
    }
    return differences;
  }

  static String line(WatchRecord written) {
    return "registration %s of segment %s: the log does not give %s; another build or other options of privacy or --max-pending wrote it, another program did, or the log was changed"
        .formatted(
            written.id(),
            written.segment(),
            written.evidence() == null ? written.ended() : written.evidence());
  }
}
