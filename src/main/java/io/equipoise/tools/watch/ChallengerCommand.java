package io.equipoise.tools.watch;

import io.equipoise.event.ChallengerRegistration;
import io.equipoise.event.WatchRecord;
import io.equipoise.evidence.AlphaShares;
import io.equipoise.job.control.CatalogLimit;
import io.equipoise.job.control.SpecHistory;
import io.equipoise.job.control.WatchLedger;
import io.equipoise.job.control.WatchLedger.LedgerEntry;
import io.equipoise.segment.state.CompiledSpec;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.SpecFiles;
import io.equipoise.segmentspec.Variables;
import io.equipoise.tools.adoption.SpecChangePlan;
import io.equipoise.tools.adoption.SpecEffect;
import io.equipoise.watch.ChallengerCheck;
import io.equipoise.watch.EvidenceText;
import io.equipoise.watch.WatchRefusal;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Registers specs as challengers of a segment's spec: {@code watch challenger}. */
@Command(
    name = "challenger",
    description = {
      "Registers specs as challengers of the spec that a segment runs under. From then on"
          + " `equipoise watch run` asks them what they would have chosen; they decide nothing.",
      "Decisions before the registration train a challenger, decisions after it test it. Nothing of"
          + " a registration changes later. Specs of one command share what they spend of alpha.",
      "Exit code 1 if a registration is refused, 2 if an option, a file or a topic cannot be used."
    })
final class ChallengerCommand extends WatchVerb {
  static final int MOST_OPEN = 16;

  @Parameters(arity = "1..*", paramLabel = "SPEC", description = "Files of segment specs.")
  private List<Path> paths = new ArrayList<>();

  @Option(names = "--segment", required = true, paramLabel = "NAME", description = "The segment.")
  private String segment = "";

  @Option(
      names = "--margin",
      paramLabel = "M",
      defaultValue = "0",
      description =
          "The gate passes if a challenger earns at most this much less than the champion, in units"
              + " of the reward. Default: ${DEFAULT-VALUE}.")
  private double margin;

  @Option(
      names = "--certified-share",
      paramLabel = "SHARE",
      description =
          "Least share of rows in which the challenger's audit certifies its own draw. Default: the"
              + " champion's share on the same rows.")
  private @Nullable Double certifiedShare;

  @Option(
      names = "--max-violation",
      paramLabel = "V",
      description =
          "Greatest mean of the excess of the greatest upper end over tau, in units of tau.")
  private @Nullable Double maxViolation;

  @Option(
      names = "--max-gap",
      paramLabel = "ATTRIBUTE=GAP",
      description =
          "Greatest gap of the challenger's value between each level of an attribute and all others,"
              + " in units of the reward. May be repeated.")
  private Map<String, Double> maxGaps = new LinkedHashMap<>();

  @Option(
      names = "--alpha",
      paramLabel = "A",
      defaultValue = "0.05",
      description =
          "Greatest probability that any candidate of the segment ever passes wrongly, from"
              + " 0.000001 to 0.5. The first registration fixes it. Default: ${DEFAULT-VALUE}.")
  private double alpha;

  @Option(
      names = "--train-from",
      paramLabel = "INSTANT",
      description = "Event time of the first decision that trains. Default: the log's beginning.")
  private @Nullable Instant trainFrom;

  @Override
  void checkOptions() {
    require(margin >= 0, "--margin must be at least 0");
    require(
        certifiedShare == null || (certifiedShare >= 0 && certifiedShare <= 1),
        "--certified-share must be from 0 to 1");
    require(maxViolation == null || maxViolation >= 0, "--max-violation must be at least 0");
    requireAlpha(alpha);
    require(maxGaps.values().stream().allMatch(it -> it > 0), "--max-gap must be above 0");
    require(
        trainFrom == null || !trainFrom.isAfter(Clock.systemUTC().instant()),
        "--train-from: %s given, which is in the future; give a time before now, or leave it out"
            .formatted(trainFrom));
  }

  @Override
  int run(Session session) throws InterruptedException {
    CatalogLimit limit = CatalogLimit.of(session.config());
    List<CompiledSpec> specs = SpecFiles.loadCandidates(paths, limit::compiled);
    SpecHistory history = SpecHistory.read(session.config());
    WatchedSegment watched = WatchedSegment.of(session.config(), history, segment);
    watched.refuseBeforeAdoption(history);
    double width = watched.champion().spec().reward().range().width();
    refuseMeaningless("--margin", margin, width);
    maxGaps.values().forEach(gap -> refuseMeaningless("--max-gap", gap, width));
    Map<SegmentSpec, PromotionPlan> plans = new LinkedHashMap<>();
    for (CompiledSpec spec : specs) {
      check(watched.champion(), spec);
      PromotionPlan plan = PromotionPlan.of(history, limit, spec.spec(), watched.running());
      var unused = plan.effect(segment); // refuses a text that the segment would not adopt
      plans.put(spec.spec(), plan);
    }
    List<WatchRecord> records =
        session.register(ledger -> batch(ledger, watched, plans, watched.end(session.config())));
    for (WatchRecord record : records) {
      ChallengerRegistration made = Objects.requireNonNull(record.challenger());
      session.say(
          "%s: candidate %d of %s, id %s, share %s of alpha %s; tested from offset %d of %s/%d",
          EvidenceText.name(made),
          made.number(),
          segment,
          record.id(),
          EvidenceText.digits(made.share()),
          EvidenceText.digits(alpha),
          made.startOffset(),
          session.config().topics().decisions(),
          made.partition());
    }
    plans.forEach((spec, plan) -> show(session, spec, plan));
    if (certifiedShare == null
        && maxViolation == null
        && maxGaps.isEmpty()
        && watched.champion().spec().variables().sensitive().isEmpty()) {
      session.say(
          "WARNING: the champion certifies nothing, so the gate has no fairness condition; give"
              + " --certified-share, --max-violation or --max-gap");
    }
    return 0;
  }

  private void check(CompiledSpec champion, CompiledSpec challenger) {
    ChallengerCheck.check(champion, challenger);
    Variables variables = champion.spec().variables();
    List<String> sensitive =
        variables.sensitive().stream().map(it -> variables.features().get(it).name()).toList();
    for (String attribute : maxGaps.keySet()) {
      WatchRefusal.VARIABLE_DIFFERS.refuseIf(
          !sensitive.contains(attribute),
          "--max-gap: %s given; the champion's sensitive variables are %s"
              .formatted(attribute, sensitive));
    }
    List<String> unidentified = challenger.policy().unidentified();
    WatchRefusal.NOT_IDENTIFIED.refuseIf(
        certifiedShare != null && certifiedShare > 0 && !unidentified.isEmpty(),
        "--certified-share: %s given, and the features of spec %s do not show %s, so its audit certifies no decision; add such features, or give 0"
            .formatted(certifiedShare, challenger.spec().name(), unidentified));
  }

  /** Prints what a promotion does and needs. */
  private void show(Session session, SegmentSpec spec, PromotionPlan plan) {
    SpecEffect effect = plan.effect(segment);
    String needs = effect.isModelKept() ? "" : "; specs promote needs --start-empty";
    session.say("  a segment that adopts %s: %s%s", spec.name(), effect.line(), needs);
    List<String> others =
        plan.changes().expected().keySet().stream().filter(it -> !it.equals(segment)).toList();
    if (!others.isEmpty()) {
      session.say(
          "  specs promote needs a gate of this text that passes in %s too; register it there, or narrow its segments",
          SpecChangePlan.names(others));
    }
  }

  /** Numbers the candidates and divides what alpha has left for them. */
  private List<WatchRecord> batch(
      WatchLedger ledger,
      WatchedSegment watched,
      Map<SegmentSpec, PromotionPlan> plans,
      Map.Entry<TopicPartition, Long> end) {
    List<ChallengerRegistration> before = ledger.candidates(segment);
    double fixed = before.isEmpty() ? alpha : before.get(0).alpha();
    WatchRefusal.ALPHA_DIFFERS.refuseIf(
        fixed != alpha,
        "--alpha: %s given; the segment's first registration fixed %s".formatted(alpha, fixed));
    List<ChallengerRegistration> open =
        ledger.of(segment).stream()
            .filter(LedgerEntry::isOpen)
            .map(LedgerEntry::challenger)
            .flatMap(Stream::ofNullable)
            .toList();
    WatchRefusal.TOO_MANY_CHALLENGERS.refuseIf(
        open.size() + plans.size() > MOST_OPEN,
        "%d given and %d open; at most %d: end one with watch end"
            .formatted(plans.size(), open.size(), MOST_OPEN));
    int first = ledger.nextNumber(segment);
    long now = Clock.systemUTC().millis();
    List<WatchRecord> records = new ArrayList<>();
    for (Map.Entry<SegmentSpec, PromotionPlan> each : plans.entrySet()) {
      SegmentSpec spec = each.getKey();
      ChallengerRegistration made =
          new ChallengerRegistration(
              spec.name(),
              spec.hash(),
              spec.text(),
              watched.champion().spec().hash(),
              first + records.size(),
              plans.size(),
              alpha,
              AlphaShares.share(alpha, first, plans.size()),
              margin,
              certifiedShare,
              maxViolation,
              maxGaps,
              trainFrom == null ? null : trainFrom.toEpochMilli(),
              end.getKey().partition(),
              end.getValue(),
              now,
              each.getValue().effect(segment).isModelKept());
      WatchRefusal.ALREADY_OPEN.refuseIf(
          open.stream().anyMatch(it -> isSame(it, made)),
          EvidenceText.name(made) + " is open with the same conditions; see watch status");
      records.add(WatchRecord.of(segment, made));
    }
    return records;
  }

  private static boolean isSame(ChallengerRegistration one, ChallengerRegistration other) {
    return one.specHash().equals(other.specHash())
        && one.margin() == other.margin()
        && Objects.equals(one.certifiedShare(), other.certifiedShare())
        && Objects.equals(one.maxViolation(), other.maxViolation())
        && one.maxGaps().equals(other.maxGaps());
  }
}
