package io.equipoise.tools.watch;

import io.equipoise.cli.TextTable;
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
import io.equipoise.segment.state.CompiledSpec;
import io.equipoise.watch.EvidenceText;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;

/** Shows the newest evidence on each open registration: {@code watch status}. */
@Command(
    name = "status",
    description = {
      "Shows the newest evidence on each open challenger and group monitor.",
      "Intervals and verdicts are valid however often they are read. They are of means over all rows"
          + " since the registration; a gap of two such means is no proof of unequal treatment.",
      "Exit code 2 if a topic cannot be read."
    })
final class WatchStatusCommand extends WatchVerb {

  @Override
  int run(Session session) throws InterruptedException {
    WatchLedger ledger = WatchLedger.read(session.config());
    lines(ledger, session.history(), Clock.systemUTC().millis()).forEach(session.text()::println);
    session.result().put("registrations", json(ledger));
    return 0;
  }

  /** Returns the registrations with their newest evidence as JSON. */
  static List<Object> json(WatchLedger ledger) {
    List<Object> all = new ArrayList<>();
    for (WatchLedger.LedgerEntry entry : ledger.all()) {
      all.add(
          Json.of(entry.registration())
              .without("evidence", "ended", "promoted")
              .with("evidence", entry.newest())
              .with("writtenAt", entry.newest() == null ? null : entry.writtenAt())
              .with("ended", entry.ended())
              .with("promoted", entry.promoted())
              .node());
    }
    return all;
  }

  /** Returns the lines for people, segment by segment. */
  static List<String> lines(WatchLedger ledger, SpecHistory history, long now) {
    List<String> lines = new ArrayList<>();
    List<String> segments =
        ledger.all().stream()
            .filter(WatchLedger.LedgerEntry::isOpen)
            .map(WatchLedger.LedgerEntry::segment)
            .distinct()
            .sorted()
            .toList();
    if (segments.isEmpty()) {
      lines.add("Nothing is watched; register with watch challenger or watch groups.");
    }
    for (String segment : segments) {
      List<WatchLedger.LedgerEntry> open =
          ledger.of(segment).stream().filter(WatchLedger.LedgerEntry::isOpen).toList();
      lines.add(heading(segment, open, history, now));
      challengers(open, ledger.candidates(segment), lines);
      groups(open, lines);
    }
    return lines;
  }

  private static String heading(
      String segment, List<WatchLedger.LedgerEntry> open, SpecHistory history, long now) {
    WatchLedger.@Nullable LedgerEntry newest = null;
    @Nullable CompiledSpec champion = null;
    for (WatchLedger.LedgerEntry entry : open) {
      boolean isNewer =
          entry.newest() != null && (newest == null || entry.writtenAt() > newest.writtenAt());
      newest = isNewer ? entry : newest;
      ChallengerRegistration challenger = entry.challenger();
      champion = challenger == null ? champion : history.byHash(challenger.championHash());
    }
    String of =
        champion == null
            ? ""
            : "champion %s version %d; "
                .formatted(champion.spec().name(), champion.spec().version());
    WatchEvidence found = newest == null ? null : newest.newest();
    return ControlCharacters.escaped(segment)
        + ": "
        + of
        + (newest == null || found == null
            ? "no evidence yet; is watch run running?"
            : String.format(
                Locale.ROOT,
                "%,d rows wait for rewards; newest record %s ago",
                found.pending(),
                ago(now - newest.writtenAt())));
  }

  private static String ago(long millis) {
    Duration age = Duration.ofMillis(Math.max(0, millis));
    return age.toHours() >= 2
        ? age.toHours() + " h"
        : age.toMinutes() >= 2 ? age.toMinutes() + " min" : age.toSeconds() + " s";
  }

  private static void challengers(
      List<WatchLedger.LedgerEntry> open, List<ChallengerRegistration> ever, List<String> lines) {
    TextTable table =
        new TextTable("challenger", "rows", "value", "minus champion", "gate", "fairness", "");
    TextTable more =
        new TextTable(
            "",
            "unsupported",
            "mean weight",
            "greatest",
            "effective rows",
            "IPS",
            "SNIPS",
            "missing");
    int shown = 0;
    for (WatchLedger.LedgerEntry entry : open) {
      ChallengerRegistration challenger = entry.challenger();
      WatchEvidence evidence = entry.newest();
      ChallengerEvidence found = evidence == null ? null : evidence.ofChallenger();
      if (challenger == null) {
        continue;
      }
      shown++;
      String name = EvidenceText.name(challenger);
      if (evidence == null || found == null) {
        table.row(name, "0", "-", "-", "-", "-", "since " + time(challenger.registeredAt()));
        continue;
      }
      table.row(
          name,
          String.format(Locale.ROOT, "%,d", evidence.rows()),
          EvidenceText.interval(found.value(), found.valueLow(), found.valueHigh()),
          EvidenceText.interval(found.difference(), found.differenceLow(), found.differenceHigh()),
          EvidenceText.gate(challenger, found),
          EvidenceText.fairness(challenger, found),
          EvidenceText.verdict(found));
      more.row(
          name,
          EvidenceText.percent(found.unsupported()),
          EvidenceText.number(found.meanWeight()),
          EvidenceText.number(found.maxWeight()),
          String.format(Locale.ROOT, "%,.0f", found.effectiveRows()),
          EvidenceText.number(found.ips()),
          EvidenceText.number(found.snips()),
          String.format(Locale.ROOT, "%,d", evidence.missing()));
    }
    if (shown == 0) {
      return;
    }
    double alpha = ever.get(0).alpha();
    double spent = ever.stream().mapToDouble(ChallengerRegistration::share).sum();
    lines.add(
        "challengers (alpha %s, spent %s, next share %s)"
            .formatted(
                EvidenceText.digits(alpha),
                EvidenceText.digits(spent),
                EvidenceText.digits(AlphaShares.share(alpha, ever.size() + 1, 1))));
    lines.addAll(table.lines());
    lines.addAll(more.lines());
  }

  private static void groups(List<WatchLedger.LedgerEntry> open, List<String> lines) {
    for (WatchLedger.LedgerEntry entry : open) {
      GroupsRegistration groups = entry.registration().groups();
      if (groups == null) {
        continue;
      }
      lines.add(
          "groups: %s (id %s, since %s)"
              .formatted(
                  EvidenceText.name(groups),
                  entry.registration().id().substring(0, 8),
                  time(groups.registeredAt())));
      WatchEvidence evidence = entry.newest();
      GroupsEvidence found = evidence == null ? null : evidence.ofGroups();
      if (evidence == null || found == null) {
        continue;
      }
      TextTable table = new TextTable("level", "rows", "gap to all others", "evidence", "");
      for (GroupTest test : found.tests()) {
        table.row(
            test.level(),
            String.format(Locale.ROOT, "%,d", test.rows()),
            "[%s, %s]".formatted(EvidenceText.number(test.low()), EvidenceText.number(test.high())),
            EvidenceText.odds(test, groups.tolerance()),
            test.alarm() ? "ALARM" : test.flagged() ? "flagged now" : "");
      }
      lines.addAll(table.lines());
      lines.add(
          "  changes: "
              + (found.changeAlarms() == 0
                  ? "none found"
                  : "%d alarms, the last gap began about seq %s"
                      .formatted(found.changeAlarms(), found.changeSince())));
    }
  }

  private static String time(long millis) {
    return Instant.ofEpochMilli(millis).toString();
  }
}
