package io.equipoise.tools.watch;

import io.equipoise.cli.TextTable;
import io.equipoise.console.document.WatchText;
import io.equipoise.event.ChallengerEvidence;
import io.equipoise.event.ChallengerRegistration;
import io.equipoise.event.ControlCharacters;
import io.equipoise.event.GroupTest;
import io.equipoise.event.GroupsEvidence;
import io.equipoise.event.GroupsRegistration;
import io.equipoise.event.WatchEvidence;
import io.equipoise.evidence.AlphaShares;
import io.equipoise.http.Json;
import io.equipoise.job.control.SpecHistory;
import io.equipoise.job.control.WatchLedger;
import io.equipoise.job.control.WatchLedger.LedgerEntry;
import io.equipoise.job.options.JobConfig;
import io.equipoise.segment.state.CompiledSpec;
import io.equipoise.tools.adoption.ActiveSegments;
import io.equipoise.tools.adoption.SpecChangePlan;
import io.equipoise.watch.EvidenceText;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;

/** Shows the newest evidence on each registration: {@code watch status}. */
@Command(
    name = "status",
    description = {
      "Shows the newest evidence on each open challenger and group monitor, and which ones ended.",
      "It trusts the topic watch: a record that another program wrote there is found by `watch"
          + " verify` only.",
      "Intervals and verdicts are valid however often they are read. They are of means over all rows"
          + " since the registration; a gap of two such means is no proof of unequal treatment.",
      "Exit code 2 if a topic cannot be read."
    })
final class WatchStatusCommand extends WatchVerb {

  @Override
  protected int runOn(Deployment deployment) {
    JobConfig config = deployment.config();
    WatchLedger ledger = WatchLedger.read(config);
    lines(ledger, SpecHistory.read(config), ActiveSegments.read(config))
        .forEach(deployment.text()::println);
    deployment
        .result()
        .put(
            "registrations",
            ledger.all().stream()
                .map(it -> Json.of(it).with("evidence", it.newest()).node())
                .toList());
    return 0;
  }

  /**
   * Returns the lines for people, segment by segment.
   *
   * @param running hash of the spec that each active segment runs
   */
  static List<String> lines(WatchLedger ledger, SpecHistory history, Map<String, String> running) {
    List<String> lines = new ArrayList<>();
    boolean isWatched = ledger.all().stream().anyMatch(LedgerEntry::isOpen);
    if (!isWatched) {
      lines.add("Nothing is watched; register with watch challenger or watch groups.");
    }
    for (String segment : new TreeSet<>(ledger.all().stream().map(LedgerEntry::segment).toList())) {
      String hash = running.get(segment);
      CompiledSpec champion = hash == null ? null : history.byHash(hash);
      String runs =
          champion != null
              ? SpecChangePlan.named(champion.spec())
              : hash != null ? "spec " + hash : "not known, as no event is recent";
      lines.add(ControlCharacters.escaped(segment) + ": champion " + runs);
      List<ChallengerRegistration> ever = ledger.candidates(segment);
      if (!ever.isEmpty()) {
        double alpha = ever.get(0).alpha();
        lines.add(
            "challengers (alpha %s, spent %s, next share %s)"
                .formatted(
                    EvidenceText.digits(alpha),
                    EvidenceText.digits(ever.stream().mapToDouble(it -> it.share()).sum()),
                    EvidenceText.digits(AlphaShares.share(alpha, ever.size() + 1, 1))));
      }
      entries(ledger.of(segment), hash, lines);
    }
    if (isWatched) {
      lines.add(EvidenceText.LEVEL);
    }
    return lines;
  }

  /** Adds the open challengers, then the open monitors, then what has no evidence or has ended. */
  private static void entries(
      List<LedgerEntry> entries, @Nullable String running, List<String> lines) {
    TextTable table =
        new TextTable("", "rows", "value", "minus champion", "gate", "fairness", "verdict");
    List<String> support = new ArrayList<>();
    List<String> groupLines = new ArrayList<>();
    List<String> others = new ArrayList<>();
    for (LedgerEntry entry : entries) {
      WatchText text = WatchText.of(entry, running);
      WatchEvidence newest = entry.newest();
      ChallengerRegistration challenger = entry.challenger();
      ChallengerEvidence found = entry.ofChallenger();
      GroupsRegistration groups = entry.registration().groups();
      if (!entry.isOpen() || newest == null) {
        others.add(ControlCharacters.escaped(text.name() + ": " + text.state()));
      } else if (challenger != null && found != null) {
        table.row(
            text.name(),
            text.rows(),
            text.value(),
            text.difference(),
            EvidenceText.gate(challenger, found),
            EvidenceText.fairness(challenger, found),
            text.state());
        support.add(support(text.name(), newest, found, entry.writtenAt()));
      } else if (groups != null && newest.ofGroups() != null) {
        groupLines.addAll(groups(text.name(), groups, newest.ofGroups()));
      }
    }
    if (table.rows().size() > 1) {
      lines.addAll(table.lines());
    }
    lines.addAll(support);
    lines.addAll(groupLines);
    lines.addAll(others);
  }

  private static String support(
      String name, WatchEvidence newest, ChallengerEvidence found, long writtenAt) {
    return "%s: unsupported %s, mean weight %s, greatest %s, effective rows %s, IPS %s, SNIPS %s, missing rewards %s; written at %s"
        .formatted(
            name,
            EvidenceText.percent(found.unsupported()),
            EvidenceText.number(found.meanWeight()),
            EvidenceText.number(found.maxWeight()),
            EvidenceText.count(Math.round(found.effectiveRows())),
            EvidenceText.number(found.ips()),
            EvidenceText.number(found.snips()),
            EvidenceText.count(newest.missing()),
            Instant.ofEpochMilli(writtenAt));
  }

  private static List<String> groups(String name, GroupsRegistration groups, GroupsEvidence found) {
    TextTable table = new TextTable("", "rows", "gap to all others", "evidence", "");
    for (GroupTest test : found.tests()) {
      table.row(
          test.level(),
          EvidenceText.count(test.rows()),
          EvidenceText.interval(test.low(), test.high()),
          EvidenceText.odds(test, groups.tolerance()),
          test.alarm() ? "ALARM" : test.flagged() ? "flagged now" : "");
    }
    List<String> lines = new ArrayList<>(table.lines());
    lines.add(0, "groups: " + name);
    lines.add(
        found.changeSince() == null
            ? "changes: none"
            : "changes: %d, since seq %s".formatted(found.changeAlarms(), found.changeSince()));
    return lines;
  }
}
