package io.equipoise.tools.specs;

import io.equipoise.cli.OptionValues.AtLeastOne;
import io.equipoise.event.ChallengerEvidence;
import io.equipoise.event.ChallengerRegistration;
import io.equipoise.event.WatchEnd;
import io.equipoise.event.WatchEnded;
import io.equipoise.event.WatchEvidence;
import io.equipoise.event.WatchPromoted;
import io.equipoise.event.WatchRecord;
import io.equipoise.job.control.CatalogLimit;
import io.equipoise.job.control.SpecHistory;
import io.equipoise.job.control.WatchLedger;
import io.equipoise.job.control.WatchPublisher;
import io.equipoise.segment.state.CompiledSpec;
import io.equipoise.segmentspec.SpecParser;
import io.equipoise.segmentspec.VersionEdit;
import io.equipoise.tools.adoption.ActiveSegments;
import io.equipoise.tools.adoption.SpecEffect.EffectOfChange;
import io.equipoise.tools.watch.EvidenceCheck;
import io.equipoise.watch.EvidenceText;
import io.equipoise.watch.WatchRefusal;
import io.equipoise.watch.WatchRefusedException;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Publishes a challenger whose gate passes: {@code specs promote}. */
@Command(
    name = "promote",
    description = {
      "Publishes a challenger under its name's next version, while its gate passes in every segment"
          + " that would adopt it, and records the evidence on the topic watch.",
      "It first replays the challenger on the log, which takes seconds to minutes, so that a forged"
          + " record of evidence promotes nothing.",
      "It refuses otherwise: NOT_WATCHED, NOT_PASSED, STALE, ENDED, STARTS_EMPTY or"
          + " EVIDENCE_DIFFERS. `specs publish` asks for no evidence.",
      "A repeat after an interruption publishes nothing again; it writes the records of the promotion"
          + " that are missing.",
      "Exit codes as for publish."
    })
final class PromoteCommand extends SpecsVerb {
  @Mixin private ChangeOptions change = new ChangeOptions();

  @Parameters(paramLabel = "NAME", description = "Name of the challenger's spec.")
  private String name = "";

  @Option(
      names = "--max-age",
      paramLabel = "MINUTES",
      converter = AtLeastOne.class,
      defaultValue = "60",
      description = "Refuses evidence that was written before. Default: ${DEFAULT-VALUE}.")
  private long maxAge;

  @Option(
      names = "--start-empty",
      description = "Promote also if a segment's model starts empty; the tested one had learned.")
  private boolean mayStartEmpty;

  @Override
  int run(Session session) throws IOException, InterruptedException {
    try {
      return promote(session);
    } catch (WatchRefusedException e) {
      session.text().println(e.code() + ": " + e.getMessage());
      session.result().put("code", e.code().name());
      session.result().put("message", e.getMessage());
      return 1;
    }
  }

  private int promote(Session session) throws IOException, InterruptedException {
    WatchLedger ledger = WatchLedger.read(session.config());
    CatalogLimit limit = CatalogLimit.of(session.config());
    SpecHistory history = session.history();
    SpecHistory.Version last = history.named(name).stream().reduce((a, b) -> b).orElse(null);
    if (last != null && isPromoted(ledger, last)) {
      return complete(session, ledger, last);
    }
    String text = VersionEdit.with(newest(ledger, name).specText(), history.nextVersion(name));
    CompiledSpec spec = SpecParser.parse(text, limit::compiled);
    Map<String, String> running = ActiveSegments.read(session.config());
    SpecChangePlan plan = SpecChangePlan.of(history, List.of(spec), Set.of(), running);
    long oldest = Clock.systemUTC().millis() - Duration.ofMinutes(maxAge).toMillis();
    Map<String, WatchLedger.LedgerEntry> passed =
        passed(ledger, name, plan, running, oldest, mayStartEmpty);
    passed.forEach(
        (segment, entry) -> {
          refuseUnlessGiven(EvidenceCheck.differences(session.config(), entry), segment);
          show(session, segment, entry);
        });
    int code = new Rollout(session, change).publish(List.of(spec));
    if (session.result().containsKey("sent")) {
      List<WatchRecord> records = new ArrayList<>();
      passed.forEach(
          (segment, entry) -> {
            WatchEvidence evidence = entry.newest();
            if (evidence != null) {
              records.add(
                  entry
                      .registration()
                      .with(new WatchPromoted(spec.spec().key(), isKept(plan, segment), evidence)));
            }
          });
      try (WatchPublisher publisher = new WatchPublisher(session.config())) {
        publisher.write(records);
      }
    }
    return code;
  }

  /** Returns whether the newest text of a name is a challenger's that was registered before it. */
  static boolean isPromoted(WatchLedger ledger, SpecHistory.Version last) {
    return ledger.all().stream().anyMatch(it -> isOf(it, last));
  }

  private static boolean isOf(WatchLedger.LedgerEntry entry, SpecHistory.Version last) {
    ChallengerRegistration challenger = entry.challenger();
    WatchEnded ended = entry.ended();
    return challenger != null
        && challenger.name().equals(last.spec().name())
        && challenger.registeredAt() < last.since()
        && (ended == null || ended.reason() != WatchEnd.WITHDRAWN)
        && VersionEdit.with(challenger.specText(), last.spec().version())
            .equals(last.spec().text());
  }

  /** Ends a promotion whose text is on the topic: writes the records that are not there. */
  private static int complete(Session session, WatchLedger ledger, SpecHistory.Version last)
      throws InterruptedException {
    List<WatchRecord> records =
        unrecorded(WatchLedger.read(session.config(), last.since()), ledger, last);
    try (WatchPublisher publisher = new WatchPublisher(session.config())) {
      publisher.write(records);
    }
    session
        .text()
        .printf(
            Locale.ROOT,
            "%s was published before; %d promotions recorded now. See specs list for its adoption.%n",
            last.spec().key(),
            records.size());
    session.result().put("recorded", records.stream().map(WatchRecord::segment).toList());
    return 0;
  }

  /**
   * Returns the promotions of a published text that are not on the topic.
   *
   * @param then the topic as it was when the text was published
   */
  static List<WatchRecord> unrecorded(
      WatchLedger then, WatchLedger now, SpecHistory.Version published) {
    String key = published.spec().key();
    Map<String, WatchRecord> bySegment = new LinkedHashMap<>();
    for (WatchLedger.LedgerEntry entry : then.all()) {
      ChallengerRegistration challenger = entry.challenger();
      WatchEvidence evidence = entry.newestThatPasses();
      boolean isRecorded =
          now.of(entry.segment()).stream()
              .map(WatchLedger.LedgerEntry::promoted)
              .anyMatch(it -> it != null && it.specKey().equals(key));
      if (challenger != null && evidence != null && isOf(entry, published) && !isRecorded) {
        WatchPromoted promoted = new WatchPromoted(key, challenger.modelKept(), evidence);
        bySegment.putIfAbsent(entry.segment(), entry.registration().with(promoted));
      }
    }
    return List.copyOf(bySegment.values());
  }

  private static void show(Session session, String segment, WatchLedger.LedgerEntry entry) {
    ChallengerRegistration challenger = entry.challenger();
    WatchEvidence evidence = entry.newest();
    ChallengerEvidence found = entry.ofChallenger();
    if (challenger != null && evidence != null && found != null) {
      session.steps().done("evidence", segment + ": " + EvidenceText.name(challenger));
      session
          .steps()
          .detail(
              "%d rows; minus champion %s; gate %s; fairness %s"
                  .formatted(
                      evidence.rows(),
                      EvidenceText.difference(evidence, found),
                      EvidenceText.gate(challenger, found),
                      EvidenceText.fairness(challenger, found)));
    }
  }

  /**
   * Returns the newest registration of a name, an open one if there is any.
   *
   * @throws WatchRefusedException if none is open
   */
  static ChallengerRegistration newest(WatchLedger ledger, String name) {
    @Nullable ChallengerRegistration newest = null;
    boolean isEnded = false;
    for (WatchLedger.LedgerEntry entry : ledger.all()) {
      ChallengerRegistration challenger = entry.challenger();
      if (challenger != null && challenger.name().equals(name)) {
        newest = entry.isOpen() ? challenger : newest;
        isEnded = isEnded || !entry.isOpen();
      }
    }
    if (newest == null) {
      throw isEnded
          ? new WatchRefusedException(
              WatchRefusal.ENDED,
              name + " is no challenger any more; register it again with watch challenger")
          : new WatchRefusedException(
              WatchRefusal.NOT_WATCHED,
              name + " is no challenger; register it with watch challenger");
    }
    return newest;
  }

  /**
   * Returns the registration of each segment that the plan moves.
   *
   * @param running hash of the spec that each active segment runs
   * @param oldest time from which on evidence counts, epoch ms
   * @throws WatchRefusedException if one of them has no evidence that passes
   */
  static Map<String, WatchLedger.LedgerEntry> passed(
      WatchLedger ledger,
      String name,
      SpecChangePlan plan,
      Map<String, String> running,
      long oldest,
      boolean mayStartEmpty) {
    String hash = newest(ledger, name).specHash();
    Set<String> segments = plan.expected().keySet();
    if (segments.isEmpty()) {
      throw new WatchRefusedException(
          WatchRefusal.NOT_WATCHED,
          "no active segment would adopt %s; check its segments".formatted(name));
    }
    Map<String, WatchLedger.LedgerEntry> passed = new LinkedHashMap<>();
    for (String segment : segments) {
      WatchLedger.LedgerEntry entry = registered(ledger, segment, hash, running.get(segment));
      refuseUnlessPassed(entry, segment, oldest);
      if (!mayStartEmpty && !isKept(plan, segment)) {
        throw new WatchRefusedException(
            WatchRefusal.STARTS_EMPTY,
            "segment %s: its model would start empty, and the tested one had learned; give --start-empty to promote it so"
                .formatted(segment));
      }
      passed.put(segment, entry);
    }
    return passed;
  }

  /** Returns the open registration of a text, one that passes if several margins are tested. */
  private static WatchLedger.LedgerEntry registered(
      WatchLedger ledger, String segment, String hash, @Nullable String running) {
    boolean isEnded = false;
    WatchLedger.LedgerEntry open = null;
    for (WatchLedger.LedgerEntry entry : ledger.of(segment)) {
      ChallengerRegistration challenger = entry.challenger();
      if (challenger != null && challenger.specHash().equals(hash)) {
        if (entry.isOpen() && challenger.championHash().equals(running)) {
          ChallengerEvidence found = entry.ofChallenger();
          open = open == null || (found != null && found.passes()) ? entry : open;
        }
        isEnded = true;
      }
    }
    if (open != null) {
      return open;
    }
    throw isEnded
        ? new WatchRefusedException(
            WatchRefusal.ENDED,
            "segment %s: the challenger was compared with a spec that is gone, or was ended; register it again"
                .formatted(segment))
        : new WatchRefusedException(
            WatchRefusal.NOT_WATCHED,
            "segment %s would adopt the text without evidence; register it there, or narrow segments"
                .formatted(segment));
  }

  private static void refuseUnlessPassed(
      WatchLedger.LedgerEntry entry, String segment, long oldest) {
    ChallengerEvidence found = entry.ofChallenger();
    if (found == null || !found.passes()) {
      throw new WatchRefusedException(
          WatchRefusal.NOT_PASSED,
          found == null
              ? "segment %s: there is no evidence yet".formatted(segment)
              : "segment %s: the newest evidence fails %s".formatted(segment, found.failing()));
    }
    if (entry.writtenAt() < oldest) {
      throw new WatchRefusedException(
          WatchRefusal.STALE,
          "segment %s: the newest evidence is older than --max-age; keep watch run running, or raise --max-age where fewer than 1,000 rows settle in that time"
              .formatted(segment));
    }
  }

  private static void refuseUnlessGiven(List<String> differences, String segment) {
    if (!differences.isEmpty()) {
      throw new WatchRefusedException(
          WatchRefusal.EVIDENCE_DIFFERS,
          "segment %s: the log does not give %d records of the topic watch; run watch verify --segment %s, and see who may write the topic. The first: %s"
              .formatted(segment, differences.size(), segment, differences.get(0)));
    }
  }

  private static boolean isKept(SpecChangePlan plan, String segment) {
    return plan.moves().stream()
        .filter(move -> move.segments().contains(segment))
        .allMatch(
            move ->
                move.effect().kind() == EffectOfChange.KEPT
                    || move.effect().kind() == EffectOfChange.MIGRATED);
  }
}
