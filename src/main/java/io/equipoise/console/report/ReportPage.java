package io.equipoise.console.report;

import static io.equipoise.console.document.Wording.count;
import static io.equipoise.console.document.Wording.number;
import static io.equipoise.console.document.Wording.percent;

import io.equipoise.cli.TextTable;
import io.equipoise.cli.report.HtmlPage;
import io.equipoise.console.document.WatchText;
import io.equipoise.console.document.Wording;
import io.equipoise.console.report.PairFigures.ArmEffect;
import io.equipoise.console.report.ReportFigures.Group;
import io.equipoise.console.report.ReportFigures.Version;
import io.equipoise.console.state.ChangeLog;
import io.equipoise.console.state.SampleMoments;
import io.equipoise.event.AuditVerdict;
import io.equipoise.event.AuditedEffect;
import io.equipoise.event.DecisionReason;
import io.equipoise.event.EffectUnit;
import io.equipoise.event.ErrorCode;
import io.equipoise.event.FairnessAudit;
import io.equipoise.event.GapPart;
import io.equipoise.event.GapSplit;
import io.equipoise.event.SegmentEventType;
import io.equipoise.event.SegmentMetrics;
import io.equipoise.job.control.WatchLedger.LedgerEntry;
import io.equipoise.privacy.SmallCellSuppression;
import io.equipoise.watch.EvidenceText;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Writes the figures as one HTML page for people: no scripts, no other files, printable. */
public final class ReportPage {
  private static final int MOST_ARMS = 60;
  private static final String REDACTED = "redacted";

  private final ReportFigures figures;
  private final @Nullable Double delta;
  private final HtmlPage page;

  private ReportPage(ReportFigures figures, @Nullable Double delta) {
    this.figures = figures;
    this.delta = delta;
    page = new HtmlPage("Fairness report: " + figures.segment);
  }

  /**
   * Writes the page.
   *
   * @param delta how likely a certificate may be wrong, as the newest spec says; null if unknown
   * @param madeAt when, epoch ms
   */
  public static String of(
      ReportFigures figures, String deployment, @Nullable Double delta, long madeAt) {
    ReportPage page = new ReportPage(figures, delta);
    page.page.paragraph(
        "Segment %s of deployment %s, from %s to %s (UTC, by the time at which records were written). Made %s."
            .formatted(
                figures.segment,
                deployment,
                Instant.ofEpochMilli(figures.period.from()),
                Instant.ofEpochMilli(figures.period.to()),
                Instant.ofEpochMilli(madeAt)));
    page.summary();
    page.decided();
    page.effects();
    page.groups();
    page.violations();
    page.overrides();
    page.quality();
    page.method();
    page.watched();
    return page.page.text();
  }

  private void summary() {
    page.heading("In short");
    if (figures.decisions == 0) {
      page.paragraph("No decision of this segment was written in the period.");
      return;
    }
    page.paragraph(
        "%s decisions were made. In %s of them the chosen arm was certified fair (%s)."
            .formatted(
                count(figures.decisions),
                count(figures.certified),
                share(figures.certified, figures.decisions)));
    page.paragraph(
        "%s of %s audited decisions (%s) have an effect that is proven beyond %s. %s"
            .formatted(
                figures.unfair == 0 ? "None" : count(figures.unfair),
                count(figures.audited),
                share(figures.unfair, figures.audited),
                figures.leastThreshold < figures.greatestThreshold
                    ? "its limit"
                    : "the limit of " + number(figures.greatestThreshold),
                figures.hasHiddenEffects
                    ? "The effects are redacted, so their verdicts count."
                    : figures.violations == 0
                        ? "No estimated effect is beyond it."
                        : "%s have an estimate beyond it, the widest by %s; an estimate alone is no proof."
                            .formatted(count(figures.violations), number(figures.widestExcess))));
    Double mean = figures.rewards.mean();
    if (mean != null) {
      page.paragraph(
          "The mean of the %s rewards that were learned is %s."
              .formatted(count(figures.rewards.count()), mean(figures.rewards)));
    }
    long refuted = figures.count(SegmentEventType.ASSUMPTION_REFUTED);
    if (refuted > 0 || figures.withRefuted > 0) {
      page.paragraph(
          "The rewards refute assumptions of the spec; see the data quality. Verdicts that rest on"
              + " them are withheld unless the spec says otherwise.");
    }
  }

  private void decided() {
    page.heading("What was decided");
    TextTable versions = new TextTable("policy", "spec version", "spec", "decisions", "share");
    for (Map.Entry<Version, Long> entry : figures.versions.entrySet()) {
      versions.row(
          entry.getKey().policy(),
          Long.toString(entry.getKey().specVersion()),
          entry.getKey().specHash(),
          count(entry.getValue()),
          share(entry.getValue(), figures.decisions));
    }
    page.table(versions);
    TextTable reasons = new TextTable("reason", "meaning", "answers", "share");
    figures.reasons.forEach(
        (reason, number) ->
            reasons.row(
                reason.name(),
                Wording.reason(reason),
                count(number),
                share(number, figures.answers())));
    page.table(reasons);
    TextTable arms = new TextTable("arm", "decisions", "share", "rewards", "mean reward");
    List<Map.Entry<String, Long>> sorted = new ArrayList<>(figures.decisionsOfArms.entrySet());
    sorted.sort(Map.Entry.<String, Long>comparingByValue().reversed());
    for (Map.Entry<String, Long> entry : sorted.stream().limit(MOST_ARMS).toList()) {
      SampleMoments rewards =
          figures.rewardsOfArms.getOrDefault(entry.getKey(), SampleMoments.NONE);
      arms.row(
          entry.getKey(),
          count(entry.getValue()),
          share(entry.getValue(), figures.decisions),
          count(rewards.count()),
          mean(rewards));
    }
    page.table(arms);
    leftOut(sorted.size() - MOST_ARMS, "arms with fewer decisions");
    for (ChangeLog.Change change : figures.changes) {
      page.paragraph(
          "%s: %s"
              .formatted(
                  Instant.ofEpochMilli(change.time()),
                  Wording.event(change.event(), change.event().eventTime())));
    }
  }

  private void leftOut(int count, String what) {
    if (count > 0) {
      page.paragraph("%s %s are left out.".formatted(count(count), what));
    }
  }

  private void effects() {
    page.heading("Effects and verdicts by attribute");
    page.paragraph(
        "An effect says by how much the expected reward of the chosen arm would change had the"
            + " person's attribute been different. The limit is the largest effect that counts as"
            + " fair. The latest effect of an arm is that of its last decision in the period, made"
            + " at the event time in its row; it does not change while the arm is not played.");
    Map<PairFigures.FigureKey, PairFigures> pairs = figures.publishedPairs();
    pairs.forEach(this::pair);
    int suppressed = figures.pairs.size() - pairs.size();
    if (suppressed > 0) {
      page.paragraph(
          "%d comparisons are not shown because they have fewer than %d decisions."
              .formatted(suppressed, figures.minGroupSize));
    }
    if (figures.pairs.isEmpty()) {
      page.paragraph("No decision of the period was audited.");
    }
  }

  private void pair(PairFigures.FigureKey key, PairFigures pair) {
    String title =
        key.factual().isEmpty() || key.counterfactual().isEmpty()
            ? key.attribute() + " (levels are redacted)"
            : "%s: %s instead of %s (%s)"
                .formatted(
                    key.attribute(),
                    key.counterfactual(),
                    key.factual(),
                    Wording.kind(key.kind(), key.attribute(), figures.newest));
    TextTable verdicts = new TextTable(title, "meaning", "audits", "share");
    for (AuditVerdict verdict : AuditVerdict.values()) {
      long audits = pair.verdicts.getOrDefault(verdict, 0L);
      verdicts.row(
          verdict.name(), Wording.verdict(verdict), count(audits), share(audits, pair.audits()));
    }
    page.table(verdicts);
    List<Map.Entry<String, ArmEffect>> arms = new ArrayList<>(pair.arms.entrySet());
    arms.sort((one, other) -> Long.compare(other.getValue().audits(), one.getValue().audits()));
    TextTable effects =
        new TextTable(
            "arm",
            "audits",
            "latest at",
            "mean effect",
            "latest effect",
            "interval",
            "verdict",
            "limit");
    ForestPlot plot = new ForestPlot(arms.get(0).getValue().latest().threshold());
    for (Map.Entry<String, ArmEffect> entry : arms.stream().limit(MOST_ARMS).toList()) {
      FairnessAudit latest = entry.getValue().latest();
      AuditedEffect effect = latest.effect();
      plot.add(latest);
      effects.row(
          entry.getKey(),
          count(entry.getValue().audits()),
          Instant.ofEpochMilli(latest.eventTime()).truncatedTo(ChronoUnit.SECONDS).toString(),
          orRedacted(entry.getValue().estimates().mean()),
          orRedacted(effect.estimate()),
          effect.lower() == null || effect.upper() == null
              ? REDACTED
              : "%s to %s".formatted(number(effect.lower()), number(effect.upper())),
          latest.verdict().name(),
          number(latest.threshold()));
    }
    if (!plot.isEmpty()) {
      page.drawing(plot.svg());
    }
    page.table(effects);
    leftOut(arms.size() - MOST_ARMS, "arms with fewer audits");
    if (pair.weakest() != null) {
      EffectUnit unit = arms.get(0).getValue().latest().conclusion().unit();
      page.paragraph(
          "Effects are of kind %s%s; %s. Guarantee of the intervals: %s."
              .formatted(
                  key.kind(),
                  unit == EffectUnit.REWARD ? "" : ", differences of log odds",
                  Wording.limit(arms.get(0).getValue().latest().threshold(), unit),
                  Wording.guarantee(pair.weakest())));
    }
  }

  private void splits() {
    SegmentMetrics last = figures.lastSnapshot;
    if (last == null) {
      return;
    }
    SegmentMetrics published = new SmallCellSuppression(figures.minGroupSize).suppress(last);
    for (GapSplit split : published.splits()) {
      TextTable table =
          new TextTable(
              "%s: where the gap from %s to %s comes from"
                  .formatted(split.attribute(), split.reference(), split.other()),
              "estimate",
              "interval",
              "without counterpart");
      for (GapPart part : split.withGap()) {
        table.row(
            Wording.part(part, split, figures.newest),
            number(part.estimate()),
            "%s to %s".formatted(number(part.lower()), number(part.upper())),
            percent(Math.min(1, part.unmatched())));
      }
      page.table(table);
      page.paragraph(
          "%s The intervals hold at all times together. %s, up to the snapshot of %s (event times), and not only those of the period."
              .formatted(
                  Wording.split(split, published, figures.newest),
                  Wording.counted(split),
                  Instant.ofEpochMilli(last.eventTime())));
    }
  }

  private void groups() {
    page.heading("Outcomes by group");
    Map<Group, SampleMoments> published = figures.publishedGroups();
    TextTable table =
        new TextTable("attribute", "group", "rewards", "mean reward", "approximate 95 % interval");
    published.forEach(
        (group, rewards) ->
            table.row(
                group.attribute(),
                group.level(),
                count(rewards.count()),
                text(rewards.mean()),
                interval(rewards)));
    page.table(table);
    TextTable gaps =
        new TextTable("attribute", "groups", "difference", "approximate 95 % interval");
    List<Map.Entry<Group, SampleMoments>> all = new ArrayList<>(published.entrySet());
    List<Group> order = inOrderOfSpec();
    all.sort(Comparator.comparingInt(it -> order.indexOf(it.getKey()))); // stable
    for (int one = 0; one < all.size(); one++) {
      for (int other = one + 1; other < all.size(); other++) {
        if (all.get(one).getKey().attribute().equals(all.get(other).getKey().attribute())) {
          gap(gaps, all.get(other), all.get(one));
        }
      }
    }
    page.table(gaps);
    splits();
    int suppressed = figures.groups.size() - published.size();
    if (suppressed > 0) {
      page.paragraph(
          "%d groups are not shown: they, or others that follow from them, have fewer than %d rewards."
              .formatted(suppressed, figures.minGroupSize));
    }
    if (figures.rewardsOfRedactedGroups > 0) {
      page.paragraph(
          "%s rewards are in no group, because this deployment redacts the levels of their people."
              .formatted(count(figures.rewardsOfRedactedGroups)));
    }
    page.paragraph(
        "These are differences in what people got, for whatever reason. The effects above compare"
            + " alike people. %s rewards belong to decisions before the period and are in no group."
                .formatted(count(figures.rewardsOfOtherDecisions)));
  }

  /** Returns the groups in the order in which a split compares them. */
  private List<Group> inOrderOfSpec() {
    return figures.lastSnapshot == null
        ? List.of()
        : figures.lastSnapshot.groups().means().stream()
            .map(it -> new Group(it.attribute(), it.level()))
            .toList();
  }

  private static void gap(
      TextTable gaps, Map.Entry<Group, SampleMoments> one, Map.Entry<Group, SampleMoments> other) {
    Double mean = one.getValue().mean();
    Double otherMean = other.getValue().mean();
    if (mean == null || otherMean == null) {
      return;
    }
    Double half = one.getValue().halfWidth();
    Double otherHalf = other.getValue().halfWidth();
    double gap = mean - otherMean;
    gaps.row(
        one.getKey().attribute(),
        "%s less %s".formatted(one.getKey().level(), other.getKey().level()),
        number(gap),
        half == null || otherHalf == null
            ? "unknown"
            : interval(gap, Math.sqrt(half * half + otherHalf * otherHalf)));
  }

  private void violations() {
    page.heading("Violations");
    page.paragraph(
        "An effect is proven beyond the limit if its whole interval is. An estimate beyond it may"
            + " be chance: of an arm with few rewards, the true effect may be smaller or larger.");
    TextTable table = new TextTable("figure", "value");
    table.row("audited decisions", count(figures.audited));
    table.row("decisions with a proven effect beyond the limit", count(figures.unfair));
    table.row(
        figures.hasHiddenEffects
            ? "decisions with a redacted effect that is unfair or uncertain"
            : "decisions with an estimated effect beyond the limit",
        count(figures.violations));
    table.row("sum of the estimates beyond the limit", sumOrRedacted(figures.excess));
    table.row("widest estimate beyond the limit", sumOrRedacted(figures.widestExcess));
    page.table(table);
  }

  private String sumOrRedacted(double figure) {
    return orRedacted(figures.hasHiddenEffects ? null : (Double) figure);
  }

  /** A plain record lacks no number. */
  private static String orRedacted(@Nullable Double figure) {
    return figure == null ? REDACTED : number(figure);
  }

  private void overrides() {
    page.heading("Overrides");
    TextTable table = new TextTable("what", "answers", "share");
    override(
        table,
        "no arm met the constraint, the spec's fallback was used",
        figures.count(DecisionReason.FALLBACK));
    override(
        table,
        "no arm met the constraint, an uncertified arm was used",
        figures.count(DecisionReason.UNCERTIFIED));
    override(
        table,
        "policy.explore or the rule tried an arm that has too few rewards",
        figures.count(DecisionReason.FORCED_EXPLORATION));
    override(table, "exploration replaced the arm of the rule", figures.explored);
    override(table, "the constraint excluded an arm that might pay more", figures.withExcluded);
    override(table, "an earlier answer was repeated after a failure", figures.recovered);
    override(table, "the context was rejected", figures.count(DecisionReason.REJECTED));
    override(
        table,
        "the context came after its deadline",
        figures.count(DecisionReason.DEADLINE_EXCEEDED));
    page.table(table);
  }

  private void override(TextTable table, String what, long answers) {
    table.row(what, count(answers), share(answers, figures.answers()));
  }

  private void quality() {
    page.heading("Data quality");
    TextTable table = new TextTable("figure", "value");
    table.row("rewards that were learned", count(figures.rewards.count()));
    if (figures.silent > 0) {
      table.row(
          "decisions without a reward in time, of which reward.default was learned",
          count(figures.silent));
    }
    table.row(
        figures.silent > 0
            ? "decisions without a reward in time, of which nothing was learned"
            : "decisions without a reward in time",
        count(figures.count(SegmentEventType.REWARD_TIMEOUT) - figures.silent));
    table.row(
        "decisions that were given up", count(figures.count(SegmentEventType.DECISION_EVICTED)));
    table.row("records that could not be decoded", count(figures.unreadable));
    SegmentMetrics last = figures.lastSnapshot;
    if (last != null) {
      table.row(
          "latest decisions that compare people whom the traffic lacks",
          percent(last.fairness().noOverlapShare()));
      table.row("assumptions that rewards can refute", list(last.assumptions().tested()));
      table.row("assumptions that the rewards refute", list(last.assumptions().refuted()));
      table.row("assumptions that cannot be tested", list(last.assumptions().untested()));
    }
    page.table(table);
    Map<String, Long> codes = new TreeMap<>(figures.deadLetters);
    TextTable rejected = new TextTable("rejected inputs", "cause", "remedy", "count");
    codes.forEach(
        (code, number) -> {
          ErrorCode known = ErrorCode.of(code);
          rejected.row(
              code,
              known == null ? "" : known.cause(),
              known == null ? "" : known.remedy(),
              count(number));
        });
    page.table(rejected);
  }

  private void method() {
    page.heading("Method and limits");
    page.paragraph(
        "All figures are counts and means over the committed records of the topics decisions,"
            + " audit, segment-events, metrics and dead-letter that were written within the"
            + " period, except where a text names another time. Splits of a gap count all"
            + " learned rewards since they began, up to the last snapshot of the period.");
    page.paragraph(
        "Effects follow from the causal graph that the spec declares. If the graph is wrong, they"
            + " are wrong. The job tests the assumptions that rewards can refute and lists the"
            + " others above.");
    page.paragraph(
        delta == null
            ? "A certificate may be wrong with the probability that the spec allows."
            : "Over all decisions together, a certificate is wrong with a probability of at most %s, if the assumptions hold and its guarantee is ANYTIME."
                .formatted(percent(delta)));
    page.paragraph(
        "Intervals of means of rewards are approximate: mean plus or minus 1.96 standard errors."
            + " They ignore that decisions depend on earlier rewards.");
    page.paragraph(
        "An effect concerns the reward only. A fair effect does not say that the reward measures"
            + " the right thing, that the levels describe people well, or that the law is met.");
    if (figures.minGroupSize > 1) {
      page.paragraph(
          "Groups with fewer than %d rewards are not published.".formatted(figures.minGroupSize));
    }
  }

  private void watched() {
    if (figures.watched.isEmpty()) {
      return;
    }
    page.heading("Challengers and watched groups");
    page.paragraph(
        "Evidence at the end of the period, on means over all rows since a registration. It is valid"
            + " however often it was read. A gap between two such means is no proof of unequal"
            + " treatment: the mix of groups and the level of rewards may have changed together. "
            + EvidenceText.LEVEL);
    TextTable table = new TextTable("registered", "since", "rows", "evidence", "state");
    for (LedgerEntry entry : figures.watched) {
      WatchText text = WatchText.of(entry, null);
      table.row(text.name(), text.since(), text.rows(), text.evidence(), text.state());
    }
    page.table(table);
  }

  private static String share(long part, long whole) {
    return whole == 0 ? "" : percent((double) part / whole);
  }

  private static String text(@Nullable Double value) {
    return value == null ? "" : number(value);
  }

  private static String mean(SampleMoments moments) {
    Double mean = moments.mean();
    return mean == null ? "" : "%s (%s)".formatted(number(mean), interval(moments));
  }

  private static String interval(SampleMoments moments) {
    Double mean = moments.mean();
    Double half = moments.halfWidth();
    return mean == null || half == null ? "unknown" : interval(mean, half);
  }

  private static String interval(double center, double half) {
    return "%s to %s".formatted(number(center - half), number(center + half));
  }

  private static String list(List<String> names) {
    return names.isEmpty() ? "none" : String.join("; ", names);
  }
}
