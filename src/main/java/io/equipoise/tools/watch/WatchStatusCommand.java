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
import io.equipoise.segmentspec.SpecException;
import io.equipoise.segmentspec.SpecParser;
import io.equipoise.tools.adoption.ActiveSegments;
import io.equipoise.tools.adoption.SpecChangePlan;
import io.equipoise.watch.EvidenceText;
import io.equipoise.watch.WatchRefusal;
import io.equipoise.watch.WatchRefusedException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
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
  private static final int MOST_ENDED = 10;

  @Override
  int run(Session session) throws InterruptedException {
    Status status =
        new Status(
            WatchLedger.read(session.config()),
            SpecHistory.read(session.config()),
            CatalogLimit.of(session.config()),
            ActiveSegments.read(session.config()),
            Clock.systemUTC().millis());
    status.lines().forEach(session.text()::println);
    session.result().putAll(status.json());
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

    /**
     * Describes what a segment runs, and what its candidates have spent.
     *
     * @param champion that the open challengers are compared with; null if the segment has left it
     * @param adopted the spec that the segment runs instead, until watch run has read that
     * @param alpha fixed by the first candidate; this and the two shares are null without one
     */
    record Segment(
        String segment,
        @Nullable RunSpec champion,
        @Nullable RunSpec adopted,
        @Nullable Double alpha,
        @Nullable Double spent,
        @Nullable Double nextShare) {}

    /** Names a spec; all but the hash are null if its text is not on the topic. */
    record RunSpec(
        String hash, @Nullable String name, @Nullable Long version, @Nullable Long publishedAt) {
      private String shown() {
        return name == null ? "spec " + hash : name + " version " + version;
      }
    }

    /**
     * Predicts {@code specs promote}.
     *
     * @param refusal its code; null if it would publish the text, and where there is nothing to
     *     promote
     * @param startsEmpty whether it needs --start-empty
     */
    record Promotion(boolean passes, @Nullable String refusal, boolean startsEmpty) {}

    /** Returns the facts that {@link #lines} puts into words. */
    Map<String, Object> json() {
      List<Object> registrations = new ArrayList<>();
      for (LedgerEntry entry : ledger.all()) {
        WatchEvidence newest = entry.newest();
        ChallengerEvidence found = entry.ofChallenger();
        Promotion promotion = promotion(entry);
        registrations.add(
            Json.of(entry.registration())
                .without("evidence", "ended", "promoted")
                .with(
                    "evidence",
                    newest == null || found == null
                        ? newest
                        : Json.of(newest).with("ofChallenger", Json.of(found).without("passes")))
                .with("writtenAt", newest == null ? null : entry.writtenAt())
                .with("stale", isStale(entry))
                .with("outdated", isOutdated(entry))
                .with("passes", promotion.passes())
                .with("refusal", promotion.refusal())
                .with("startsEmpty", promotion.startsEmpty())
                .with("promoted", entry.promoted())
                .with("promotedAt", entry.promoted() == null ? null : entry.promotedAt())
                .with("waits", entry.isWaiting())
                .with("supersededBy", entry.supersededBy())
                .with("ended", entry.ended())
                .with("endedAt", entry.isOpen() ? null : entry.endedAt())
                .node());
      }
      Map<String, Object> json = new LinkedHashMap<>();
      json.put("segments", registered().stream().map(this::segment).toList());
      json.put("registrations", registrations);
      json.put("unregistered", unregistered());
      return json;
    }

    private Set<String> registered() {
      return new TreeSet<>(ledger.all().stream().map(LedgerEntry::segment).toList());
    }

    private List<String> unregistered() {
      Set<String> registered = registered();
      return running.keySet().stream().filter(it -> !registered.contains(it)).toList();
    }

    private Segment segment(String segment) {
      String now = running.get(segment);
      String champion = now;
      for (LedgerEntry entry : ledger.of(segment)) {
        ChallengerRegistration challenger = entry.challenger();
        champion = challenger == null || !entry.isOpen() ? champion : challenger.championHash();
      }
      boolean isLeft = now != null && !now.equals(champion);
      List<ChallengerRegistration> ever = ledger.candidates(segment);
      Double alpha = ever.isEmpty() ? null : (Double) ever.get(0).alpha();
      return new Segment(
          segment,
          isLeft ? null : spec(champion),
          isLeft ? spec(now) : null,
          alpha,
          alpha == null
              ? null
              : (Double) ever.stream().mapToDouble(ChallengerRegistration::share).sum(),
          alpha == null ? null : (Double) AlphaShares.share(alpha, ever.size() + 1, 1));
    }

    private @Nullable RunSpec spec(@Nullable String hash) {
      return hash == null
          ? null
          : history.all().stream()
              .filter(it -> it.spec().hash().equals(hash))
              .map(it -> new RunSpec(hash, it.spec().name(), it.spec().version(), it.since()))
              .findFirst()
              .orElse(new RunSpec(hash, null, null, null));
    }

    /** Returns the lines for people, segment by segment. */
    List<String> lines() {
      List<String> lines = new ArrayList<>();
      if (ledger.all().stream().noneMatch(LedgerEntry::isOpen)) {
        lines.add("Nothing is watched; register with watch challenger or watch groups.");
      }
      for (String segment : registered()) {
        List<LedgerEntry> all = ledger.of(segment);
        List<LedgerEntry> open = all.stream().filter(LedgerEntry::isOpen).toList();
        Segment facts = segment(segment);
        lines.add(heading(facts) + freshness(open));
        challengers(facts, open, lines);
        open.forEach(entry -> groups(entry, lines));
        List<String> ended = all.stream().filter(it -> !it.isOpen()).map(Status::ended).toList();
        lines.addAll(ended.subList(Math.max(0, ended.size() - MOST_ENDED), ended.size()));
      }
      if (!unregistered().isEmpty()) {
        lines.add(
            "active segments without a registration: "
                + ControlCharacters.escaped(SpecChangePlan.names(unregistered())));
      }
      return lines;
    }

    private boolean isOutdated(LedgerEntry entry) {
      return entry.isOutdated(running.get(entry.segment()));
    }

    private boolean isStale(LedgerEntry entry) {
      return entry.newest() != null && entry.writtenAt() < oldest();
    }

    private static String heading(Segment facts) {
      RunSpec champion = facts.champion();
      RunSpec adopted = facts.adopted();
      String of = champion == null ? "" : "champion " + champion.shown() + "; ";
      if (adopted != null) {
        Long at = adopted.publishedAt();
        String since = at == null ? "" : ", published at " + time(at) + ",";
        of = adopted.shown() + since + " was adopted; waiting for watch run; ";
      }
      return ControlCharacters.escaped(facts.segment()) + ": " + of;
    }

    private String freshness(List<LedgerEntry> open) {
      if (open.isEmpty()) {
        return "nothing is watched";
      }
      LedgerEntry newest = Collections.max(open, Comparator.comparingLong(LedgerEntry::writtenAt));
      WatchEvidence found = newest.newest();
      return found == null
          ? "no evidence yet: it comes every 1,000 settled rows, while watch run runs"
          : "newest record %s ago%s, of %s; %s rows waited for rewards then"
              .formatted(
                  ago(now - newest.writtenAt()),
                  isStale(newest)
                      ? " (STALE: watch run does not run, or fewer than 1,000 rows settled since)"
                      : "",
                  EvidenceText.name(newest.registration()),
                  EvidenceText.count(found.pending()));
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

    private void challengers(Segment facts, List<LedgerEntry> watched, List<String> lines) {
      if (facts.alpha() == null || facts.spent() == null || facts.nextShare() == null) {
        return;
      }
      lines.add(
          "challengers (alpha %s, spent %s, next share %s)"
              .formatted(
                  EvidenceText.digits(facts.alpha()),
                  EvidenceText.digits(facts.spent()),
                  EvidenceText.digits(facts.nextShare())));
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
            verdict(entry, found));
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

    /** Returns the verdict on a challenger; if its evidence passes, also what a promotion needs. */
    private String verdict(LedgerEntry entry, ChallengerEvidence found) {
      Promotion promotion = promotion(entry);
      return isOutdated(entry)
          ? EvidenceText.OUTDATED
          : entry.promoted() != null
              ? EvidenceText.promoted(entry.promotedAt(), entry.supersededBy())
              : found.passes() && !promotion.passes()
                  ? "passed, but promote refuses now: " + promotion.refusal()
                  : EvidenceText.verdict(found)
                      + (promotion.startsEmpty() ? " (promote needs --start-empty)" : "");
    }

    /** Asks the rule of {@code specs promote}. */
    private Promotion promotion(LedgerEntry entry) {
      ChallengerRegistration challenger = entry.challenger();
      if (challenger == null || !entry.isOpen() || entry.promoted() != null) {
        return new Promotion(false, null, false);
      }
      if (!isOutdated(entry) && !entry.passes()) {
        return new Promotion(false, WatchRefusal.NOT_PASSED.name(), false);
      }
      try {
        PromotionPlan plan =
            PromotionPlan.of(history, limit, SpecParser.parse(challenger.specText()), running);
        boolean startsEmpty = !plan.effect(entry.segment()).isModelKept();
        for (String segment : plan.passed(ledger, entry, running, oldest(), true).keySet()) {
          startsEmpty |= !plan.effect(segment).isModelKept();
        }
        return new Promotion(true, null, startsEmpty);
      } catch (WatchRefusedException e) {
        return new Promotion(false, e.code().name(), false);
      } catch (SpecException e) {
        return new Promotion(false, "its text cannot be read", false);
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

    /** Returns a line on a registration that has ended. */
    static String ended(LedgerEntry entry) {
      WatchEnded end = Objects.requireNonNull(entry.ended());
      WatchPromoted promoted = entry.promoted();
      return "ended at %s: %s: %s%s%s%s"
          .formatted(
              time(entry.endedAt()),
              EvidenceText.name(entry.registration()),
              end.reason(),
              end.message().isEmpty() ? "" : ", " + ControlCharacters.escaped(end.message()),
              promoted == null ? "" : "; promoted as " + promoted.specKey(),
              entry.isPromotedInVain() ? ", " + EvidenceText.IN_VAIN : "");
    }

    private static String time(long millis) {
      return Instant.ofEpochMilli(millis).toString();
    }
  }
}
