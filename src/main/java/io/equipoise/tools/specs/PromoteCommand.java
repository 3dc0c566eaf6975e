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
import io.equipoise.job.control.SpecHistory.Version;
import io.equipoise.job.control.WatchLedger;
import io.equipoise.job.control.WatchLedger.LedgerEntry;
import io.equipoise.job.control.WatchPublisher;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.SpecParser;
import io.equipoise.segmentspec.VersionEdit;
import io.equipoise.tools.adoption.ActiveSegments;
import io.equipoise.tools.watch.EvidenceCheck;
import io.equipoise.tools.watch.PromotionPlan;
import io.equipoise.watch.EvidenceText;
import io.equipoise.watch.WatchRefusal;
import io.equipoise.watch.WatchRefusedException;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
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
      "It first replays the challenger on the log, which takes seconds to minutes, so that a forged"
          + " record of evidence promotes nothing.",
      "It refuses otherwise: NOT_WATCHED, NOT_SELECTED, WOULD_BE_REJECTED, NOT_PASSED, STALE, ENDED,"
          + " STARTS_EMPTY or EVIDENCE_DIFFERS. `specs publish` asks for no evidence.",
      "A repeat after an interruption publishes nothing again; it writes the records of the promotion"
          + " that are missing.",
      "Exit codes as for publish."
    })
final class PromoteCommand extends SpecsVerb {
  @Mixin private ChangeOptions change = new ChangeOptions();

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
      defaultValue = "" + PromotionPlan.MOST_MINUTES,
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
      session.result().put("code", e.code().name());
      session.result().put("message", e.getMessage());
      return failed(1, command().qualifiedName() + ": " + e.code() + ": " + e.getMessage());
    }
  }

  private int promote(Session session) throws IOException, InterruptedException {
    WatchLedger ledger = WatchLedger.read(session.config());
    SpecHistory history = session.history();
    Version last = history.named(name.split("/", 2)[0]).stream().reduce((a, b) -> b).orElse(null);
    if (last != null && isPromoted(ledger, name, last)) {
      return complete(session, ledger, last);
    }
    LedgerEntry chosen = chosen(ledger, name);
    SegmentSpec text = SpecParser.parse(challenger(chosen).specText());
    Map<String, String> running = ActiveSegments.read(session.config());
    CatalogLimit limit = CatalogLimit.of(session.config());
    PromotionPlan plan = PromotionPlan.of(history, limit, text, running);
    long oldest = Clock.systemUTC().millis() - Duration.ofMinutes(maxAge).toMillis();
    Collection<LedgerEntry> passed =
        plan.passed(ledger, chosen, running, oldest, mayStartEmpty).values();
    passed.forEach(entry -> check(session, entry, ledger.of(entry.segment())));
    int code = new Rollout(session, change).publish(List.of(plan.spec()));
    if (session.result().containsKey("sent")) {
      String key = plan.spec().spec().key();
      List<WatchRecord> records = new ArrayList<>();
      for (LedgerEntry entry : passed) {
        boolean isKept = plan.effect(entry.segment()).isModelKept();
        WatchEvidence evidence = Objects.requireNonNull(entry.newest());
        records.add(entry.registration().with(new WatchPromoted(key, isKept, evidence)));
      }
      write(session, records);
    }
    return code;
  }

  private static void write(Session session, List<WatchRecord> records)
      throws InterruptedException {
    try (WatchPublisher publisher = new WatchPublisher(session.config())) {
      publisher.write(records);
    }
  }

  /** Replays the challenger of a segment on the log, and shows its evidence. */
  private static void check(Session session, LedgerEntry entry, List<LedgerEntry> ofSegment) {
    String segment = entry.segment();
    List<String> differences = EvidenceCheck.differences(session.config(), entry);
    if (!differences.isEmpty()) {
      throw WatchRefusal.EVIDENCE_DIFFERS.because(
          "segment %s: the log does not give %d records of the topic watch; run watch verify --segment %s, and see who may write the topic. The first: %s"
              .formatted(segment, differences.size(), segment, differences.get(0)));
    }
    ChallengerRegistration challenger = challenger(entry);
    WatchEvidence evidence = Objects.requireNonNull(entry.newest());
    ChallengerEvidence found = Objects.requireNonNull(evidence.ofChallenger());
    session.steps().done("evidence", segment + ": " + EvidenceText.name(challenger));
    session
        .steps()
        .detail(evidence.rows() + " rows; " + EvidenceText.gate(challenger, evidence, found));
    ofSegment.stream()
        .filter(it -> it.isWaiting() && !it.equals(entry))
        .map(
            it ->
                "WARNING: segment %s: %s was promoted and waits for the next input; this text replaces it"
                    .formatted(segment, EvidenceText.name(challenger(it))))
        .forEach(session.text()::println);
  }

  /**
   * Returns whether the newest text of a name is a challenger's that was registered before it, and
   * none was registered after it.
   */
  static boolean isPromoted(WatchLedger ledger, String given, Version last) {
    List<LedgerEntry> named = named(ledger, given);
    return named.stream().anyMatch(it -> isOf(it, last))
        && named.stream()
            .noneMatch(it -> it.isOpen() && challenger(it).registeredAt() >= last.since());
  }

  private static boolean isOf(LedgerEntry entry, Version last) {
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
  private static int complete(Session session, WatchLedger ledger, Version last)
      throws InterruptedException {
    List<WatchRecord> records =
        unrecorded(WatchLedger.read(session.config(), last.since()), ledger, last);
    write(session, records);
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
   * Returns the promotions of a published text that are not on the topic, one for each segment: of
   * the challengers that were open.
   *
   * @param then the topic as it was when the text was published
   */
  static List<WatchRecord> unrecorded(WatchLedger then, WatchLedger now, Version published) {
    String key = published.spec().key();
    Set<String> recorded =
        now.all().stream()
            .filter(it -> it.promoted() != null && it.promoted().specKey().equals(key))
            .map(LedgerEntry::segment)
            .collect(Collectors.toCollection(HashSet::new));
    List<WatchRecord> records = new ArrayList<>();
    for (LedgerEntry entry : then.all()) {
      WatchEvidence evidence = entry.newestThatPasses();
      if (entry.isOpen()
          && evidence != null
          && isOf(entry, published)
          && recorded.add(entry.segment())) {
        boolean isKept = challenger(entry).modelKept();
        records.add(entry.registration().with(new WatchPromoted(key, isKept, evidence)));
      }
    }
    return records;
  }

  /**
   * Returns the newest open registration of a text.
   *
   * @param given its name, or the beginning of NAME/HASH
   * @throws WatchRefusedException if none is open
   * @throws IllegalArgumentException if several texts are
   */
  static LedgerEntry chosen(WatchLedger ledger, String given) {
    List<LedgerEntry> named = named(ledger, given);
    Map<String, LedgerEntry> open = new LinkedHashMap<>();
    named.stream()
        .filter(LedgerEntry::isOpen)
        .forEach(it -> open.put(EvidenceText.name(challenger(it)), it));
    if (open.size() > 1) {
      throw new IllegalArgumentException(
          "NAME: %s given, of which several texts are open: %s; give one of them"
              .formatted(given, String.join(", ", open.keySet())));
    }
    WatchRefusal.NOT_WATCHED.refuseIf(
        named.isEmpty(), given + " is no challenger; register it with watch challenger");
    WatchRefusal.ENDED.refuseIf(
        open.isEmpty(),
        given + " is no challenger any more; register it again with watch challenger");
    return open.values().iterator().next();
  }

  private static List<LedgerEntry> named(WatchLedger ledger, String given) {
    return ledger.all().stream()
        .filter(it -> it.challenger() != null && isNamed(challenger(it), given))
        .toList();
  }

  private static boolean isNamed(ChallengerRegistration challenger, String given) {
    return given.contains("/")
        ? challenger.specKey().startsWith(given)
        : challenger.name().equals(given);
  }

  private static ChallengerRegistration challenger(LedgerEntry entry) {
    return Objects.requireNonNull(entry.challenger());
  }
}
