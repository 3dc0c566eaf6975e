package io.equipoise.tools.specs;

import io.equipoise.cli.OptionValues.AtLeastOne;
import io.equipoise.event.ChallengerEvidence;
import io.equipoise.event.ChallengerRegistration;
import io.equipoise.event.WatchEvidence;
import io.equipoise.event.WatchPromoted;
import io.equipoise.event.WatchRecord;
import io.equipoise.job.control.CatalogLimit;
import io.equipoise.job.control.SpecHistory;
import io.equipoise.job.control.WatchLedger;
import io.equipoise.job.control.WatchLedger.LedgerEntry;
import io.equipoise.job.control.WatchPublisher;
import io.equipoise.job.options.JobConfig;
import io.equipoise.segment.state.CompiledSpec;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.SpecParser;
import io.equipoise.segmentspec.VersionEdit;
import io.equipoise.tools.adoption.ActiveSegments;
import io.equipoise.tools.adoption.SpecChangePlan;
import io.equipoise.tools.adoption.SpecEffect;
import io.equipoise.watch.EvidenceText;
import io.equipoise.watch.WatchRefusal;
import io.equipoise.watch.WatchRefusedException;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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
      "Publishes a challenger under its name's next version, while its gate passes in every active"
          + " segment that would adopt it, and records the evidence on the topic watch. A segment"
          + " without a record among the last 50,000 of its partition is not asked, and adopts the"
          + " text all the same.",
      "It refuses otherwise: NOT_WATCHED, NOT_SELECTED, WOULD_BE_REJECTED, NOT_PASSED, STALE, ENDED"
          + " or STARTS_EMPTY. It trusts the topic; `watch verify` finds a forged record. `specs"
          + " publish` asks for no evidence.",
      "Exit codes as for publish."
    })
final class PromoteCommand extends SpecsVerb {
  @Mixin private ChangeOptions.OfVersions change = new ChangeOptions.OfVersions();

  @Parameters(
      paramLabel = "NAME",
      description =
          "Name of the challenger's spec; NAME/HASH, or its beginning, where several texts of the"
              + " name are open.")
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
    JobConfig config = session.config();
    SpecHistory history = session.history();
    WatchLedger ledger = WatchLedger.read(config);
    LedgerEntry chosen = chosen(ledger, name);
    SegmentSpec text = SpecParser.parse(challenger(chosen).specText());
    CompiledSpec next =
        SpecParser.parse(
            VersionEdit.with(text.text(), history.nextVersion(text.name())),
            CatalogLimit.of(config)::compiled);
    Map<String, String> running = ActiveSegments.read(config);
    SpecChangePlan changes = SpecChangePlan.of(history, List.of(next), Set.of(), running);
    long oldest = Clock.systemUTC().millis() - Duration.ofMinutes(maxAge).toMillis();
    List<WatchRecord> promotions = new ArrayList<>();
    for (LedgerEntry entry :
        passed(ledger, chosen, next.spec(), changes, running, oldest, mayStartEmpty)) {
      WatchEvidence evidence = Objects.requireNonNull(entry.newest());
      ChallengerEvidence found = Objects.requireNonNull(evidence.ofChallenger());
      ChallengerRegistration challenger = challenger(entry);
      session.steps().done("evidence", entry.segment() + ": " + EvidenceText.name(challenger));
      session
          .steps()
          .detail(evidence.rows() + " rows; " + EvidenceText.gate(challenger, evidence, found));
      boolean isKept = Objects.requireNonNull(changes.effect(entry.segment())).isModelKept();
      WatchPromoted promoted = new WatchPromoted(next.spec().key(), isKept, evidence);
      promotions.add(entry.registration().with(promoted));
    }
    int code = new Rollout(session, change).publish(List.of(next));
    if (session.result().containsKey("sent")) {
      try (WatchPublisher publisher = new WatchPublisher(config)) {
        publisher.write(promotions);
      }
    }
    return code;
  }

  /**
   * Returns the newest open registration of a text.
   *
   * @param given its name, or the beginning of NAME/HASH
   * @throws WatchRefusedException if none is open
   * @throws IllegalArgumentException if several texts are
   */
  static LedgerEntry chosen(WatchLedger ledger, String given) {
    String start = given.contains("/") ? given : given + "/";
    List<LedgerEntry> named =
        ledger.all().stream()
            .filter(it -> it.challenger() != null && it.challenger().specKey().startsWith(start))
            .toList();
    List<LedgerEntry> open = named.stream().filter(LedgerEntry::isOpen).toList();
    List<String> texts = open.stream().map(it -> challenger(it).specKey()).distinct().toList();
    WatchRefusal.NOT_WATCHED.refuseIf(
        named.isEmpty(), given + " is no challenger; register it with watch challenger");
    WatchRefusal.ENDED.refuseIf(
        open.isEmpty(),
        given + " is no challenger any more; register it again with watch challenger");
    if (texts.size() > 1) {
      throw new IllegalArgumentException(
          "NAME: %s given, of which several texts are open: %s; give one of them"
              .formatted(given, String.join(", ", texts)));
    }
    return open.get(open.size() - 1);
  }

  /**
   * Returns the registration of each segment that a promotion moves.
   *
   * @param chosen a registration of the text
   * @param text under its name's next version
   * @param changes of the active segments
   * @param running hash of the spec that each active segment runs
   * @param oldest time from which on evidence counts, epoch ms
   * @throws WatchRefusedException if one of them has no evidence that passes
   */
  static List<LedgerEntry> passed(
      WatchLedger ledger,
      LedgerEntry chosen,
      SegmentSpec text,
      SpecChangePlan changes,
      Map<String, String> running,
      long oldest,
      boolean mayStartEmpty) {
    Set<String> segments = new LinkedHashSet<>(changes.expected().keySet());
    segments.add(chosen.segment());
    List<LedgerEntry> passed = new ArrayList<>();
    for (String segment : segments) {
      SpecEffect effect = changes.adoption(segment, text, chosen.segment());
      LedgerEntry entry =
          registered(ledger, segment, challenger(chosen).specHash(), running.get(segment));
      ChallengerEvidence found = entry.ofChallenger();
      WatchRefusal.NOT_PASSED.refuseIf(
          !entry.passes(),
          "segment %s: the newest evidence fails %s"
              .formatted(segment, found == null ? "as there is none yet" : found.failing()));
      WatchRefusal.STALE.refuseIf(
          entry.writtenAt() < oldest,
          "segment %s: the newest evidence is older than --max-age; keep watch run running, or raise --max-age where fewer than 1,000 rows settle in that time"
              .formatted(segment));
      WatchRefusal.STARTS_EMPTY.refuseIf(
          !effect.isModelKept() && !mayStartEmpty,
          "segment %s: its model would start empty, and the tested one had learned; give --start-empty to promote it so"
              .formatted(segment));
      passed.add(entry);
    }
    return passed;
  }

  /** Returns the open registration of a text, one that passes if several margins are tested. */
  private static LedgerEntry registered(
      WatchLedger ledger, String segment, String hash, @Nullable String running) {
    List<LedgerEntry> ever =
        ledger.of(segment).stream()
            .filter(it -> it.challenger() != null && it.challenger().specHash().equals(hash))
            .toList();
    WatchRefusal.NOT_WATCHED.refuseIf(
        ever.isEmpty(),
        "segment %s would adopt the text without evidence; register it there, or narrow its segments"
            .formatted(segment));
    return ever.stream()
        .filter(it -> it.isOpen() && !it.isOutdated(running))
        .max(Comparator.comparing(LedgerEntry::passes))
        .orElseThrow(
            () ->
                WatchRefusal.ENDED.because(
                    "segment %s: the challenger was compared with a spec that is gone, or was ended; register it again"
                        .formatted(segment)));
  }

  private static ChallengerRegistration challenger(LedgerEntry entry) {
    return Objects.requireNonNull(entry.challenger());
  }
}
