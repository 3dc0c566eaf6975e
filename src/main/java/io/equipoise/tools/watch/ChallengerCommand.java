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
import io.equipoise.segmentspec.SpecParser;
import io.equipoise.segmentspec.VersionEdit;
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
import java.util.Set;
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
          "Greatest probability that any candidate of the segment ever passes wrongly, at"
              + " most 0.5. The first registration fixes it. Default: ${DEFAULT-VALUE}.")
  private double alpha;

  @Option(
      names = "--train-from",
      paramLabel = "INSTANT",
      description = "Event time of the first decision that trains. Default: the log's beginning.")
  private @Nullable Instant trainFrom;

  @Override
  protected void checkOptions() {
    require(margin >= 0, "--margin must be at least 0");
    require(
        certifiedShare == null || (certifiedShare >= 0 && certifiedShare <= 1),
        "--certified-share must be from 0 to 1");
    require(maxViolation == null || maxViolation >= 0, "--max-violation must be at least 0");
    requireAlpha(alpha);
    require(maxGaps.values().stream().allMatch(it -> it > 0), "--max-gap must be above 0");
  }

  @Override
  protected int runOn(Deployment deployment) throws InterruptedException {
    CatalogLimit limit = CatalogLimit.of(deployment.config());
    SpecHistory history = SpecHistory.read(deployment.config());
    WatchedSegment watched = WatchedSegment.of(deployment.config(), history, segment);
    CompiledSpec champion = watched.champion();
    requireBelow("--margin", margin, champion.spec().reward().range().width());
    Map<SegmentSpec, SpecEffect> effects = new LinkedHashMap<>();
    for (CompiledSpec spec : SpecFiles.loadCandidates(paths, limit::compiled)) {
      ChallengerCheck.check(champion, spec);
      ChallengerCheck.checkSensitive(champion, maxGaps.keySet());
      effects.put(spec.spec(), adoption(history, champion, spec.spec(), segment));
    }
    register(
        deployment, ledger -> batch(ledger, watched, effects, watched.end(deployment.config())));
    effects.forEach(
        (spec, effect) ->
            deployment.say(
                "  a segment that adopts %s: %s%s",
                spec.name(),
                effect.line(),
                effect.isModelKept() ? "" : "; specs promote needs --start-empty"));
    if (certifiedShare == null
        && maxViolation == null
        && maxGaps.isEmpty()
        && watched.champion().spec().variables().sensitive().isEmpty()) {
      deployment.say(
          "WARNING: the champion certifies nothing, so the gate has no fairness condition; give"
              + " --certified-share, --max-violation or --max-gap");
    }
    return 0;
  }

  /** Returns the effect on the segment; refuses a text that it has or would not adopt. */
  static SpecEffect adoption(
      SpecHistory history, CompiledSpec champion, SegmentSpec text, String segment) {
    WatchRefusal.SAME_TEXT.refuseIf(
        VersionEdit.with(champion.spec().text(), text.version()).equals(text.text()),
        "%s decides in segment %s already; compare it with a spec that differs in more than its version"
            .formatted(SpecChangePlan.named(champion.spec()), segment));
    String next = VersionEdit.with(text.text(), history.nextVersion(text.name()));
    CompiledSpec spec = SpecParser.parse(next, CompiledSpec::of);
    Map<String, String> running = Map.of(segment, champion.spec().hash());
    return SpecChangePlan.of(history, List.of(spec), Set.of(), running)
        .adoption(segment, spec.spec(), segment);
  }

  /** Numbers the candidates and divides what alpha has left for them. */
  private List<WatchRecord> batch(
      WatchLedger ledger,
      WatchedSegment watched,
      Map<SegmentSpec, SpecEffect> effects,
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
        open.size() + effects.size() > MOST_OPEN,
        "%d given and %d open; at most %d: end one with watch end"
            .formatted(effects.size(), open.size(), MOST_OPEN));
    int first = ledger.nextNumber(segment);
    long now = Clock.systemUTC().millis();
    List<WatchRecord> records = new ArrayList<>();
    for (Map.Entry<SegmentSpec, SpecEffect> each : effects.entrySet()) {
      SegmentSpec spec = each.getKey();
      ChallengerRegistration made =
          new ChallengerRegistration(
              spec.name(),
              spec.hash(),
              spec.text(),
              watched.champion().spec().hash(),
              first + records.size(),
              effects.size(),
              alpha,
              AlphaShares.share(alpha, first, effects.size()),
              margin,
              certifiedShare,
              maxViolation,
              maxGaps,
              trainFrom == null ? null : trainFrom.toEpochMilli(),
              end.getKey().partition(),
              end.getValue(),
              now,
              each.getValue().isModelKept());
      WatchRefusal.ALREADY_OPEN.refuseIf(
          open.stream().anyMatch(it -> it.specHash().equals(spec.hash()) && it.margin() == margin),
          EvidenceText.name(made) + " is open with this margin; end it, or give another margin");
      records.add(WatchRecord.of(segment, made));
    }
    return records;
  }
}
