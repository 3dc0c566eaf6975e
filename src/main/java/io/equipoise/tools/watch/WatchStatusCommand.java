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
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
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
    Status status =
        new Status(
            WatchLedger.read(session.config()),
            session.history(),
            CatalogLimit.of(session.config()),
            ActiveSegments.read(session.config()),
            Clock.systemUTC().millis());
    status.lines().forEach(session.text()::println);
    session.result().put("registrations", status.json());
    return 0;
  }

  /**
   * Describes all registrations with their newest evidence.
   *
   * @param running hash of the spec that each active segment runs
   * @param now epoch ms
   */
  record Status(
      WatchLedger ledger,
      SpecHistory history,
      CatalogLimit limit,
      Map<String, String> running,
      long now) {

    private List<Object> json() {
      List<Object> all = new ArrayList<>();
      for (LedgerEntry entry : ledger.all()) {
        all.add(
            Json.of(entry.registration())
                .without("evidence", "ended", "promoted")
                .with("evidence", entry.newest())
                .with("writtenAt", entry.newest() == null ? null : entry.writtenAt())
                .with("outdated", isOutdated(entry))
                .with("ended", entry.ended())
                .with("promoted", entry.promoted())
                .node());
      }
      return all;
    }

    /** Returns the lines for people, segment by segment. */
    List<String> lines() {
      List<String> lines = new ArrayList<>();
      if (ledger.all().stream().noneMatch(LedgerEntry::isOpen)) {
        lines.add("Nothing is watched; register with watch challenger or watch groups.");
      }
      Set<String> segments =
          new TreeSet<>(ledger.all().stream().map(LedgerEntry::segment).toList());
      for (String segment : segments) {
        List<LedgerEntry> all = ledger.of(segment);
        List<LedgerEntry> open = all.stream().filter(LedgerEntry::isOpen).toList();
        lines.add(heading(segment, open));
        challengers(ledger.candidates(segment), open, lines);
        open.forEach(entry -> groups(entry, lines));
        List<String> ended = all.stream().flatMap(Status::ended).toList();
        lines.addAll(ended.subList(Math.max(0, ended.size() - MOST_ENDED), ended.size()));
      }
      List<String> others = running.keySet().stream().filter(it -> !segments.contains(it)).toList();
      if (!others.isEmpty()) {
        lines.add(
            "active segments without a registration: "
                + ControlCharacters.escaped(SpecChangePlan.names(others)));
      }
      return lines;
    }

    private boolean isOutdated(LedgerEntry entry) {
      return entry.isOutdated(running.get(entry.segment()));
    }

    private String heading(String segment, List<LedgerEntry> open) {
      String of = champion(running.get(segment));
      for (LedgerEntry entry : open) {
        ChallengerRegistration challenger = entry.challenger();
        if (challenger != null) {
          of = isOutdated(entry) ? adopted(segment) : champion(challenger.championHash());
        }
      }
      return ControlCharacters.escaped(segment) + ": " + of + freshness(open);
    }

    private String champion(@Nullable String hash) {
      CompiledSpec champion = hash == null ? null : history.byHash(hash);
      return champion == null ? "" : "champion " + SpecChangePlan.named(champion.spec()) + "; ";
    }

    private String adopted(String segment) {
      return history.all().stream()
          .filter(it -> it.spec().hash().equals(running.get(segment)))
          .map(
              it ->
                  "%s, published at %s, was adopted; waiting for watch run; "
                      .formatted(SpecChangePlan.named(it.spec()), time(it.since())))
          .findFirst()
          .orElse(EvidenceText.OUTDATED + "; ");
    }

    private String freshness(List<LedgerEntry> open) {
      if (open.isEmpty()) {
        return "nothing is watched";
      }
      LedgerEntry newest = Collections.max(open, Comparator.comparingLong(LedgerEntry::writtenAt));
      WatchEvidence found = newest.newest();
      return found == null
          ? "no evidence yet: it comes every 1,000 settled rows, while watch run runs"
          : "%s rows wait for rewards; newest record %s ago%s"
              .formatted(
                  EvidenceText.count(found.pending()),
                  ago(now - newest.writtenAt()),
                  newest.writtenAt() < oldest()
                      ? " (STALE: watch run does not run, or fewer than 1,000 rows settled since)"
                      : "");
    }

    /** Returns the time from which on evidence is not stale, epoch ms. */
    private long oldest() {
      return now - Duration.ofMinutes(PromotionPlan.MOST_MINUTES).toMillis();
    }

    private static String ago(long millis) {
      Duration age = Duration.ofMillis(Math.max(0, millis));
      return age.toHours() >= 2
          ? age.toHours() + " h"
          : age.toMinutes() >= 2 ? age.toMinutes() + " min" : age.toSeconds() + " s";
    }

    private void challengers(
        List<ChallengerRegistration> ever, List<LedgerEntry> watched, List<String> lines) {
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
      List<LedgerEntry> open = watched.stream().filter(it -> it.challenger() != null).toList();
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
        ChallengerEvidence found = entry.ofChallenger();
        String name = EvidenceText.name(entry.registration());
        if (evidence == null || found == null) {
          table.row(name, "0", "-", "-", "-", "-", "since " + time(challenger.registeredAt()));
          continue;
        }
        table.row(
            name,
            EvidenceText.count(evidence.rows()),
            EvidenceText.value(evidence, found),
            EvidenceText.difference(evidence, found),
            EvidenceText.gate(challenger, found),
            EvidenceText.fairness(challenger, found),
            verdict(entry, challenger, found));
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
            EvidenceText.count(evidence.missing()));
      }
      lines.addAll(table.lines());
      lines.addAll(more.lines());
      lines.addAll(notes);
      open.stream().map(Status::level).distinct().forEach(lines::add);
    }

    private static String level(LedgerEntry entry) {
      return "  " + EvidenceText.level(entry.registration());
    }

    /** Returns the verdict on a challenger; if it passes, also what its promotion needs. */
    private String verdict(
        LedgerEntry entry, ChallengerRegistration challenger, ChallengerEvidence found) {
      if (isOutdated(entry)) {
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
        SegmentSpec text = SpecParser.parse(challenger.specText());
        PromotionPlan plan = PromotionPlan.of(history, limit, text, running);
        boolean isKept = plan.effect(entry.segment()).isModelKept();
        for (String segment : plan.passed(ledger, entry, running, oldest(), true).keySet()) {
          isKept &= plan.effect(segment).isModelKept();
        }
        return isKept ? verdict : verdict + " (promote needs --start-empty)";
      } catch (WatchRefusedException e) {
        return "%s (promote refuses now: %s)".formatted(verdict, e.code());
      } catch (SpecException e) {
        return verdict + " (promote cannot read its text)";
      }
    }

    private static void groups(LedgerEntry entry, List<String> lines) {
      GroupsRegistration groups = entry.registration().groups();
      if (groups == null) {
        return;
      }
      lines.add(
          "groups: %s, since %s"
              .formatted(EvidenceText.name(entry.registration()), time(groups.registeredAt())));
      WatchEvidence evidence = entry.newest();
      GroupsEvidence found = evidence == null ? null : evidence.ofGroups();
      if (found == null) {
        return;
      }
      TextTable table = new TextTable("level", "rows", "gap to all others", "evidence", "");
      for (GroupTest test : found.tests()) {
        table.row(
            test.level(),
            EvidenceText.count(test.rows()),
            EvidenceText.interval(test.low(), test.high()),
            EvidenceText.odds(test, groups.tolerance()),
            test.alarm() ? "ALARM" : test.flagged() ? "flagged now" : "");
      }
      lines.addAll(table.lines());
      lines.add(level(entry));
      String changes = "%d found, the last one began about seq %s";
      lines.add(
          "  changes: "
              + (found.changeAlarms() == 0
                  ? "none found"
                  : changes.formatted(found.changeAlarms(), found.changeSince())));
    }

    /** Returns a line on a registration that has ended; none on an open one. */
    private static Stream<String> ended(LedgerEntry entry) {
      WatchEnded end = entry.ended();
      WatchPromoted promoted = entry.promoted();
      return end == null
          ? Stream.empty()
          : Stream.of(
              "ended: %s: %s%s%s%s"
                  .formatted(
                      EvidenceText.name(entry.registration()),
                      end.reason(),
                      end.message().isEmpty()
                          ? ""
                          : ", " + ControlCharacters.escaped(end.message()),
                      promoted == null ? "" : "; promoted as " + promoted.specKey(),
                      entry.isPromotedInVain() ? ", " + EvidenceText.IN_VAIN : ""));
    }

    private static String time(long millis) {
      return Instant.ofEpochMilli(millis).toString();
    }
  }
}
