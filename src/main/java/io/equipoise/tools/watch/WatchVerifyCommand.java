package io.equipoise.tools.watch;

import static java.util.stream.Collectors.toList;

import io.equipoise.job.control.WatchLedger;
import io.equipoise.job.control.WatchLedger.LedgerEntry;
import io.equipoise.job.options.JobConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Compares the evidence on the topic with the log: {@code watch verify}. */
@Command(
    name = "verify",
    description = {
      "Computes all evidence and ends again from the log and compares them with the topic watch, bit"
          + " for bit. Records that follow from the log must be there too, so watch run must keep up.",
      "Registrations are taken as they are: whoever may write the topic may register anything.",
      "Exit code 1 if a record differs, is missing, or should not be there (EVIDENCE_DIFFERS), or"
          + " cannot be read; 2 if"
          + " an option or a topic cannot be used."
    })
final class WatchVerifyCommand extends WatchVerb {
  @Option(
      names = "--segment",
      paramLabel = "NAME",
      description = "Compares one segment. Default: all of the topic.")
  private @Nullable String segment;

  @Mixin private WatchRunCommand.ReplayOptions replay = new WatchRunCommand.ReplayOptions();

  @Override
  int run(Session session) {
    JobConfig config = session.config();
    WatchedSegment.refuseInexact(config);
    WatchLedger ledger = WatchLedger.read(config);
    Map<String, List<LedgerEntry>> bySegment =
        ledger.all().stream()
            .filter(it -> segment == null || it.segment().equals(segment))
            .collect(Collectors.groupingBy(LedgerEntry::segment, TreeMap::new, toList()));
    if (segment != null && bySegment.isEmpty()) {
      throw new IllegalArgumentException(
          "--segment: %s given, which has no registration; watch status lists them"
              .formatted(segment));
    }
    List<String> differences = new ArrayList<>(ledger.unreadable());
    ExecutorService tasks = replay.pool();
    long compared = 0;
    try {
      for (List<LedgerEntry> entries : bySegment.values()) {
        try (SegmentRun run = SegmentRun.of(config, entries, replay.maxPending(), tasks)) {
          compared +=
              EvidenceCheck.compare(run, entries, () -> WatchLedger.read(config), differences);
        }
      }
    } finally {
      tasks.shutdownNow();
    }
    differences.forEach(session.text()::println);
    session.say(
        "%d records of %d segments compared; %d differ",
        compared, bySegment.size(), differences.size());
    session.result().put("compared", compared);
    session.result().put("differences", differences);
    return differences.isEmpty() ? 0 : 1;
  }
}
