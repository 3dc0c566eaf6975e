package io.equipoise.tools.watch;

import io.equipoise.cli.TextTable;
import io.equipoise.event.ChallengerEvidence;
import io.equipoise.event.ChallengerRegistration;
import io.equipoise.event.ControlCharacters;
import io.equipoise.event.GroupTest;
import io.equipoise.event.GroupsEvidence;
import io.equipoise.event.GroupsRegistration;
import io.equipoise.event.WatchEnded;
import io.equipoise.event.WatchEvidence;
import io.equipoise.event.WatchPromoted;
import io.equipoise.evidence.AlphaShares;
import io.equipoise.http.Json;
import io.equipoise.job.control.CatalogLimit;
import io.equipoise.job.control.SpecHistory;
import io.equipoise.job.control.WatchLedger;
import io.equipoise.job.control.WatchLedger.LedgerEntry;
import io.equipoise.segment.state.CompiledSpec;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.SpecException;
import io.equipoise.segmentspec.SpecParser;
import io.equipoise.tools.adoption.ActiveSegments;
import io.equipoise.tools.adoption.SpecChangePlan;
import io.equipoise.watch.EvidenceText;
import io.equipoise.watch.WatchRefusedException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
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
  private static final int MOST_ENDED = 10;

  @Override
  int run(Session session) throws InterruptedException {
    WatchLedger ledger = WatchLedger.read(session.config());
    Map<String, String> running = ActiveSegments.read(session.config());
    CatalogLimit limit = CatalogLimit.of(session.config());
    lines(ledger, session.history(), limit, running, Clock.systemUTC().millis())
        .forEach(session.text()::println);
    session.result().put("registrations", json(ledger, running));
    return 0;
  }

  /** Returns the registrations with their newest evidence as JSON. */
  private static List<Object> json(WatchLedger ledger, Map<String, String> running) {
    List<Object> all = new ArrayList<>();
    for (LedgerEntry entry : ledger.all()) {
      all.add(
          Json.of(entry.registration())
              .without("evidence", "ended", "promoted")
              .with("evidence", entry.newest())
              .with("writtenAt", entry.newest() == null ? null : entry.writtenAt())
              .with("outdated", entry.isOutdated(running.get(entry.segment())))
              .with("ended", entry.ended())
              .with("promoted", entry.promoted())
              .node());
    }
    return all;
  }

  /**
   * Returns the lines for people, segment by segment.
   *
   * @param running hash of the spec that each active segment runs
   */
  static List<String> lines(
      WatchLedger ledger,
      SpecHistory history,
      CatalogLimit limit,
      Map<String, String> running,
      long now) {
    List<String> lines = new ArrayList<>();
    if (ledger.all().stream().noneMatch(LedgerEntry::isOpen)) {
      lines.add("Nothing is watched; register with watch challenger or watch groups.");
    }
    Set<String> segments = new TreeSet<>(ledger.all().stream().map(LedgerEntry::segment).toList());
    for (String segment : segments) {
      List<LedgerEntry> open = ledger.of(segment).stream().filter(LedgerEntry::isOpen).toList();
      String runs = running.get(segment);
      lines.add(heading(segment, open, history, runs, now));
      challengers(
          open.stream().filter(it -> it.challenger() != null).toList(),
          ledger.candidates(segment),
          entry -> verdict(entry, ledger, history, limit, running, now),
          lines);
      groups(open, lines);
      ended(ledger.of(segment), lines);
    }
    List<String> others = running.keySet().stream().filter(it -> !segments.contains(it)).toList();
    if (!others.isEmpty()) {
      lines.add(
          "active segments without a registration: "
              + ControlCharacters.escaped(SpecChangePlan.names(others)));
    }
    return lines;
  }

  private static String heading(
      String segment,
      List<LedgerEntry> open,
      SpecHistory history,
      @Nullable String running,
      long now) {
    LedgerEntry newest =
        open.stream()
            .filter(it -> it.newest() != null)
            .max(Comparator.comparingLong(LedgerEntry::writtenAt))
            .orElse(null);
    String of = running == null ? "" : champion(history, running);
    for (LedgerEntry entry : open) {
      ChallengerRegistration challenger = entry.challenger();
      if (challenger != null) {
        boolean isOutdated = entry.isOutdated(running);
        of = isOutdated ? adopted(history, running) : champion(history, challenger.championHash());
      }
    }
    WatchEvidence found = newest == null ? null : newest.newest();
    return ControlCharacters.escaped(segment)
        + ": "
        + of
        + (open.isEmpty()
            ? "nothing is watched"
            : newest == null || found == null
                ? "no evidence yet: it comes every 1,000 settled rows, while watch run runs"
                : String.format(
                    Locale.ROOT,
                    "%,d rows wait for rewards; newest record %s ago%s",
                    found.pending(),
                    ago(now - newest.writtenAt()),
                    isStale(newest, now)
                        ? " (STALE: watch run does not run, or fewer than 1,000 rows settled since)"
                        : ""));
  }

  private static String champion(SpecHistory history, String hash) {
    CompiledSpec champion = history.byHash(hash);
    return champion == null ? "" : "champion %s; ".formatted(SpecChangePlan.named(champion.spec()));
  }

  private static String adopted(SpecHistory history, @Nullable String hash) {
    return history.all().stream()
        .filter(it -> it.spec().hash().equals(hash))
        .map(
            it ->
                "%s, published at %s, was adopted; waiting for watch run; "
                    .formatted(SpecChangePlan.named(it.spec()), time(it.since())))
        .findFirst()
        .orElse(EvidenceText.OUTDATED + "; ");
  }

  private static boolean isStale(LedgerEntry entry, long now) {
    return entry.writtenAt() < oldest(now);
  }

  private static long oldest(long now) {
    return now - Duration.ofMinutes(PromotionPlan.MOST_MINUTES).toMillis();
  }

  private static String ago(long millis) {
    Duration age = Duration.ofMillis(Math.max(0, millis));
    return age.toHours() >= 2
        ? age.toHours() + " h"
        : age.toMinutes() >= 2 ? age.toMinutes() + " min" : age.toSeconds() + " s";
  }

  private static void challengers(
      List<LedgerEntry> open,
      List<ChallengerRegistration> ever,
      Function<LedgerEntry, String> verdict,
      List<String> lines) {
    if (ever.isEmpty()) {
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
    if (open.isEmpty()) {
      return;
    }
    List<String> notes = new ArrayList<>();
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
    for (LedgerEntry entry : open) {
      ChallengerRegistration challenger = Objects.requireNonNull(entry.challenger());
      WatchEvidence evidence = entry.newest();
      ChallengerEvidence found = evidence == null ? null : evidence.ofChallenger();
      String name = EvidenceText.name(entry.registration());
      if (evidence == null || found == null) {
        table.row(name, "0", "-", "-", "-", "-", "since " + time(challenger.registeredAt()));
        continue;
      }
      table.row(
          name,
          String.format(Locale.ROOT, "%,d", evidence.rows()),
          EvidenceText.value(evidence, found),
          EvidenceText.difference(evidence, found),
          EvidenceText.gate(challenger, found),
          EvidenceText.fairness(challenger, found),
          verdict.apply(entry));
      String unknown = EvidenceText.unknown(evidence, found);
      if (!unknown.isEmpty()) {
        notes.add("  %s: %s".formatted(name, unknown));
      }
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
    lines.addAll(table.lines());
    lines.addAll(more.lines());
    lines.addAll(notes);
    open.stream()
        .map(it -> "  " + EvidenceText.level(it.registration()))
        .distinct()
        .forEach(lines::add);
  }

  /**
   * Returns the verdict on a challenger with evidence; if it passes, also the limits of promotion.
   */
  private static String verdict(
      LedgerEntry entry,
      WatchLedger ledger,
      SpecHistory history,
      CatalogLimit limit,
      Map<String, String> running,
      long now) {
    ChallengerEvidence found = Objects.requireNonNull(entry.ofChallenger());
    if (entry.isOutdated(running.get(entry.segment()))) {
      return EvidenceText.OUTDATED;
    }
    if (entry.promoted() != null) {
      return EvidenceText.promoted(entry.promotedAt(), entry.supersededBy());
    }
    String verdict = EvidenceText.verdict(found);
    if (!found.passes()) {
      return verdict;
    }
    try {
      SegmentSpec text = SpecParser.parse(Objects.requireNonNull(entry.challenger()).specText());
      PromotionPlan plan = PromotionPlan.of(history, limit, text, running);
      boolean isKept = plan.effect(entry.segment()).isModelKept();
      for (String segment : plan.passed(ledger, entry, running, oldest(now), true).keySet()) {
        isKept &= plan.effect(segment).isModelKept();
      }
      return isKept ? verdict : verdict + " (promote needs --start-empty)";
    } catch (WatchRefusedException e) {
      return "%s (promote refuses now: %s)".formatted(verdict, e.code());
    } catch (SpecException e) {
      return verdict + " (promote cannot read its text)";
    }
  }

  private static void groups(List<LedgerEntry> open, List<String> lines) {
    for (LedgerEntry entry : open) {
      GroupsRegistration groups = entry.registration().groups();
      if (groups == null) {
        continue;
      }
      lines.add(
          "groups: %s, since %s"
              .formatted(EvidenceText.name(entry.registration()), time(groups.registeredAt())));
      WatchEvidence evidence = entry.newest();
      GroupsEvidence found = evidence == null ? null : evidence.ofGroups();
      if (found == null) {
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
      lines.add("  " + EvidenceText.level(entry.registration()));
      lines.add(
          "  changes: "
              + (found.changeAlarms() == 0
                  ? "none found"
                  : "%d found, the last one began about seq %s"
                      .formatted(found.changeAlarms(), found.changeSince())));
    }
  }

  private static void ended(List<LedgerEntry> all, List<String> lines) {
    List<String> ended = new ArrayList<>();
    for (LedgerEntry entry : all) {
      WatchEnded end = entry.ended();
      WatchPromoted promoted = entry.promoted();
      if (end != null) {
        ended.add(
            "ended: %s: %s%s%s%s"
                .formatted(
                    EvidenceText.name(entry.registration()),
                    end.reason(),
                    end.message().isEmpty() ? "" : ", " + ControlCharacters.escaped(end.message()),
                    promoted == null ? "" : "; promoted as " + promoted.specKey(),
                    entry.isPromotedInVain() ? ", " + EvidenceText.IN_VAIN : ""));
      }
    }
    lines.addAll(ended.subList(Math.max(0, ended.size() - MOST_ENDED), ended.size()));
  }

  private static String time(long millis) {
    return Instant.ofEpochMilli(millis).toString();
  }
}
