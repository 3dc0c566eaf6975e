package io.equipoise.console.document;

import io.equipoise.causal.effect.GapParts;
import io.equipoise.event.AuditEffectKind;
import io.equipoise.event.AuditGuarantee;
import io.equipoise.event.AuditVerdict;
import io.equipoise.event.AuditedEffect;
import io.equipoise.event.DecisionReason;
import io.equipoise.event.EffectUnit;
import io.equipoise.event.EliminationAudit;
import io.equipoise.event.ExcludedCandidate;
import io.equipoise.event.FairnessAudit;
import io.equipoise.event.GapPart;
import io.equipoise.event.GapPartKind;
import io.equipoise.event.GapSplit;
import io.equipoise.event.SegmentEvent;
import io.equipoise.event.SegmentMetrics;
import io.equipoise.event.SpecAdoption;
import io.equipoise.event.TerminalAudit;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.SpecVariable;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Explains records in plain words. The texts may contain names from records. */
public final class Wording {
  /** Three decimals would print a smaller number as 0. */
  private static final double SMALL = 5e-4;

  /** Beyond, nothing is known of a difference of log odds. */
  private static final double LARGEST_LOG_ODDS = 20;

  /** Differences below this are rounding errors. */
  private static final double NOTHING = 1e-9;

  /** Between the names of variables that a part matches together. */
  private static final Pattern JOINT = Pattern.compile("\\*");

  private Wording() {}

  /**
   * Returns a number with two digits after the point, below 0.1 with up to four, and below 0.005 as
   * a power of ten.
   */
  public static String number(double value) {
    double size = Math.abs(value);
    if (size != 0 && size < 0.005) {
      return String.format(Locale.ROOT, "%.1e", value);
    }
    return size < 0.1
        ? String.format(Locale.ROOT, "%.4f", value).replaceFirst("0{1,2}$", "")
        : String.format(Locale.ROOT, "%.2f", value);
  }

  /** Returns a whole number with separators. */
  public static String count(long value) {
    return String.format(Locale.ROOT, "%,d", value);
  }

  /** Returns a share as a percentage. */
  public static String percent(double share) {
    double percent = 100 * share;
    return percent == Math.rint(percent)
        ? String.format(Locale.ROOT, "%.0f %%", percent)
        : String.format(Locale.ROOT, "%.1f %%", percent);
  }

  /** Returns a signed difference as "0.02 lower", "0.02 higher" or "the same". */
  public static String difference(double value) {
    if (Math.abs(value) < NOTHING) {
      return "the same";
    }
    return number(Math.abs(value)) + (value < 0 ? " lower" : " higher");
  }

  private static String difference(double effect, EffectUnit unit) {
    if (unit == EffectUnit.REWARD) {
      return difference(effect);
    }
    return Math.abs(effect) > LARGEST_LOG_ODDS
        ? (effect < 0 ? "arbitrarily lower" : "arbitrarily higher")
        : number(StrictMath.exp(effect)) + " times as great";
  }

  public static String limit(double threshold, EffectUnit unit) {
    return unit == EffectUnit.REWARD
        ? "the limit is " + number(threshold)
        : "the limit is %s of log odds, a ratio of odds of %s"
            .formatted(number(threshold), number(StrictMath.exp(threshold)));
  }

  /**
   * Returns the person's attribute in words: what would be expected were it different.
   *
   * @param spec of the decision, null if its text is not known
   */
  public static String sentence(
      FairnessAudit audit, @Nullable Double delta, @Nullable SegmentSpec spec) {
    AuditedEffect effect = audit.effect();
    EffectUnit unit = audit.conclusion().unit();
    String limit = limit(audit.threshold(), unit) + ".";
    if (!effect.identified() && effect.estimate() == null && effect.lower() == null) {
      return "The causal graph does not determine the effect of "
          + effect.attribute()
          + " on this decision from data; "
          + limit;
    }
    if (effect.estimate() == null) {
      return "The effect of "
          + effect.attribute()
          + " is redacted: the records of this deployment contain no numbers about a person; "
          + limit;
    }
    String other =
        effect.factual() == null || effect.counterfactual() == null
            ? "different"
            : "%s instead of %s".formatted(effect.counterfactual(), effect.factual());
    String had =
        switch (effect.kind()) {
          case TOTAL, SPURIOUS ->
              "Had this person's %s been %s".formatted(effect.attribute(), other);
          case DIRECT ->
              "Had this person's %s been %s and %s"
                  .formatted(effect.attribute(), other, unchanged(spec, effect.attribute()));
          case INDIRECT ->
              "Had only what follows from this person's %s been as if that were %s"
                  .formatted(effect.attribute(), other);
        };
    String would =
        audit.verdict() == AuditVerdict.NO_OVERLAP
            ? "the traffic does not show what the expected reward of this arm would be"
            : (unit == EffectUnit.REWARD
                    ? "the expected reward of this arm would be "
                    : "the odds of a reward of this arm would be ")
                + difference(effect.estimate(), unit);
    return "%s, %s; %s; %s".formatted(had, would, interval(audit, delta), limit);
  }

  /** Returns what a direct effect leaves as it is. */
  private static String unchanged(@Nullable SegmentSpec spec, String attribute) {
    List<String> followers = spec == null ? List.of() : spec.followers(attribute);
    return spec != null && followers.isEmpty()
        ? "all that follows from it as it is"
        : "all else that is known before the decision as it is"
            + (followers.isEmpty() ? "" : ", while it moves %s".formatted(names(followers)));
  }

  private static String names(List<String> names) {
    return String.join(" and ", names);
  }

  private static String interval(FairnessAudit audit, @Nullable Double delta) {
    Double lower = audit.effect().lower();
    Double upper = audit.effect().upper();
    EffectUnit unit = audit.conclusion().unit();
    if (lower == null || upper == null) {
      return "its interval is not known";
    }
    String between =
        lower.equals(upper)
            ? difference(lower, unit)
            : "between %s and %s".formatted(difference(lower, unit), difference(upper, unit));
    return switch (audit.guarantee()) {
      case ANYTIME ->
          delta == null
              ? "we are sure that it is " + between + ", up to the error that the spec allows"
              : "we are %s sure that it is %s".formatted(percent(1 - delta), between);
      case APPROXIMATE ->
          delta == null
              ? "it is about " + between
              : "we are about %s sure that it is %s".formatted(percent(1 - delta), between);
      case PER_ROUND -> "the paper's interval of this round is " + between;
      case NONE -> "it may be " + between + ", without a guarantee";
    };
  }

  /**
   * Returns which paths an effect of an attribute takes.
   *
   * @param spec that the effect is of, null if its text is not known
   */
  public static String kind(AuditEffectKind kind, String attribute, @Nullable SegmentSpec spec) {
    List<String> followers = spec == null ? List.of() : spec.followers(attribute);
    return switch (kind) {
      case TOTAL -> attribute + " altogether";
      case DIRECT ->
          spec == null
              ? attribute + ", all else known before the decision being equal"
              : followers.isEmpty()
                  ? attribute + " alone"
                  : "%s, and %s after the decision".formatted(attribute, names(followers));
      case INDIRECT -> "by way of what follows " + attribute;
      case SPURIOUS -> "by way of causes of " + attribute;
    };
  }

  /**
   * Returns the cause of a part of a gap, as a phrase.
   *
   * @param spec of the split, null if its text is not known
   */
  public static String part(GapPart part, GapSplit split, @Nullable SegmentSpec spec) {
    return switch (part.kind()) {
      case SPURIOUS -> "who comes (" + part.name() + ")";
      case INDIRECT -> "by way of " + part.name();
      case POLICY -> "what the policy decides";
      case DIRECT -> direct(split, spec);
      case REST -> "decision and after, and " + direct(split, spec);
      default -> "the gap";
    };
  }

  /** Returns the attribute and the variables after it whose part is in the direct one. */
  private static String direct(GapSplit split, @Nullable SegmentSpec spec) {
    String attribute = split.attribute();
    if (spec == null || !spec.graph().contains(attribute)) {
      return attribute + ", and what follows it and is not matched";
    }
    List<String> matched =
        Stream.concat(
                split.parts().stream()
                    .flatMap(
                        it -> Stream.concat(Stream.of(it.name()), JOINT.splitAsStream(it.name()))),
                spec.variables().actions().stream().map(SpecVariable::name))
            .filter(it -> !it.equals(attribute))
            .toList();
    List<String> unmatched =
        GapParts.unmatched(
            spec.graph(),
            attribute,
            spec.variables().reward().name(),
            List.of(new GapParts.Level("", GapPartKind.INDIRECT, matched)));
    return unmatched.isEmpty() ? attribute + " itself" : attribute + ", and " + names(unmatched);
  }

  /**
   * Returns the parts of a gap whose intervals exclude 0, in sentences, and which assumptions are
   * refuted. A part that may be 0 is not named.
   *
   * @param metrics the snapshot with the split
   * @param spec of the split, null if its text is not known
   */
  public static String split(GapSplit split, SegmentMetrics metrics, @Nullable SegmentSpec spec) {
    List<String> refuted = metrics.assumptions().refuted();
    List<String> proven =
        split.parts().stream()
            .filter(GapPart::isProven)
            .map(it -> signed(it.estimate()) + " " + part(it, split, spec))
            .toList();
    return String.format(
        Locale.ROOT,
        "%s gap from %s to %s is %s%s. %s",
        refuted.isEmpty()
            ? "The"
            : "The rewards refute what the spec assumes (%s), so this may be wrong: the"
                .formatted(String.join("; ", refuted)),
        split.reference(),
        split.other(),
        signed(split.gap().estimate()),
        split.gap().isProven() ? "" : ", which may be 0",
        proven.isEmpty()
            ? "No part of it is proven to differ from 0."
            : "Proven to differ from 0: %s.".formatted(String.join(", ", proven)));
  }

  /** Returns a number with its sign, and a small one with a power of ten instead of as 0. */
  private static String signed(double number) {
    boolean isSmall = number != 0 && Math.abs(number) < SMALL;
    return String.format(Locale.ROOT, isSmall ? "%+.1e" : "%+.3f", number);
  }

  /** Returns which rewards a split counts, as the beginning of a sentence. */
  public static String counted(GapSplit split) {
    return "This split counts all learned rewards of decisions since "
        + Instant.ofEpochMilli(split.since());
  }

  /** Returns the meaning of a verdict in a sentence. */
  public static String verdict(AuditVerdict verdict) {
    return switch (verdict) {
      case CERTIFIED_FAIR -> "Certified fair: the whole interval is within the limit.";
      case UNFAIR -> "Unfair: the whole interval is beyond the limit.";
      case NO_OVERLAP -> "Undecided: the traffic has had hardly anybody to compare with so far.";
      case FAIR -> "Undecided; the estimate is within the limit. This is no certificate.";
      case UNCERTAIN -> "Undecided; the estimate is beyond the limit.";
      case NOT_IDENTIFIED -> "Undecidable: the causal graph does not determine the effect.";
    };
  }

  /** Returns how strong an interval is. */
  public static String guarantee(AuditGuarantee guarantee) {
    return switch (guarantee) {
      case ANYTIME -> "holds at all times at once";
      case APPROXIMATE -> "approximate: measured, or if several arms have one effect";
      case PER_ROUND -> "as the paper gives it, for one round";
      case NONE -> "no guarantee";
    };
  }

  /** Returns why an arm was chosen. */
  public static String reason(DecisionReason reason) {
    return switch (reason) {
      case EXPLORE -> "The policy chose it to learn.";
      case EXPLOIT -> "The policy chose the best arm that it knows.";
      case FALLBACK -> "No arm met the constraint; the spec names this arm for that case.";
      case UNCERTIFIED -> "No arm met the constraint; the policy chose one without a certificate.";
      case FORCED_EXPLORATION ->
          "policy.explore or the rule tried an arm that has too few rewards.";
      case SAMPLE -> "The experiment asked for this sample.";
      case NOT_SAMPLED -> "The experiment pauses and serves its control.";
      case RECOMMENDED -> "The experiment has ended; this is its recommendation.";
      case REJECTED -> "The context was rejected and got the fallback arm.";
      case DEADLINE_EXCEEDED -> "The context came after its deadline.";
      case REPEATED -> "The decision id was answered before, with this arm.";
    };
  }

  /**
   * Describes the candidate that the constraint excluded.
   *
   * @param threshold limit of the audit, which need not be the one that excludes
   */
  public static String excluded(ExcludedCandidate excluded, double threshold) {
    Double lower = excluded.lower();
    Double upper = excluded.upper();
    String reward = excluded.reward() == null ? "" : " (up to " + number(excluded.reward()) + ")";
    String effect =
        lower == null || upper == null
            ? ""
            : ": between %s and %s".formatted(number(lower), number(upper));
    String why =
        excluded.verdict() == AuditVerdict.UNFAIR
            ? "its effect is beyond the limit"
            : lower != null
                    && upper != null
                    && Math.max(Math.abs(lower), Math.abs(upper)) <= threshold
                ? "another of its effects is not known well enough; this one is within the limit"
                : "its effect is not known well enough";
    return "%s might have paid more%s, but %s%s.".formatted(excluded.arm(), reward, why, effect);
  }

  /** Describes a segment event in a sentence. */
  public static String event(SegmentEvent event, long decidedAt) {
    String learned = event.learned() ? " and was learned." : " and was not learned.";
    String after = duration(Duration.ofMillis(Math.max(0, event.eventTime() - decidedAt)));
    Double reward = event.observedReward();
    return switch (event.type()) {
      case REWARD_APPLIED ->
          reward == null
              ? "It was known after %s that no arm of it was shown.".formatted(after)
              : "A reward of %s arrived after %s%s".formatted(number(reward), after, learned);
      case REWARD_BUFFERED ->
          reward == null
              ? "It was confirmed after %s that %s was shown.".formatted(after, event.arm())
              : "A reward of %s arrived after %s; it is learned when the window closes."
                  .formatted(number(reward), after);
      case REWARD_TIMEOUT ->
          event.learned()
              ? "No reward arrived within the window; the default was learned."
              : "No reward arrived within the window.";
      case WINDOW_CLOSED -> "The window closed" + learned;
      case DECISION_EVICTED -> "Too many decisions waited for rewards; this one was given up.";
      case SPEC_ADOPTED -> adopted(event);
      case BOUNDS_ADOPTED ->
          "Causal bounds version %s adopted.".formatted(event.versions().boundsVersion());
      case ASSUMPTION_REFUTED ->
          event.assumption() == null
              ? "The rewards refute an assumption of the spec."
              : "The rewards refute: %s. Verdicts after record %d and before this one do not count. %s"
                  .formatted(
                      event.assumption().name(),
                      event.assumption().sinceSeq(),
                      event.assumption().remedy());
      case BOUNDS_REFUTED -> "The rewards refute a row of the causal bounds.";
      case PHASE_CLOSED -> "A phase of the experiment closed.";
      case DEDUP_ENTRY_EVICTED -> "The decision id is no longer remembered.";
      case SEGMENT_PASSIVATED -> "The segment was idle and gave up its state.";
      case SEGMENT_ACTIVATED -> "The segment became active again.";
    };
  }

  private static String adopted(SegmentEvent event) {
    StringBuilder text =
        new StringBuilder("Spec version " + event.versions().specVersion() + " adopted.");
    SpecAdoption adoption = Objects.requireNonNull(event.adoption());
    List<String> extended = adoption.extendedVariables();
    if (!extended.isEmpty()) {
      text.append(" More levels: ").append(String.join(", ", extended));
      text.append('.');
    }
    if (!adoption.stateReset().isEmpty()) {
      text.append(" Started empty: ").append(String.join(", ", adoption.stateReset())).append('.');
    }
    return text.toString();
  }

  /** Returns a duration with its largest unit. */
  public static String duration(Duration duration) {
    if (duration.toHours() >= 48) {
      return duration.toDays() + " days";
    }
    if (duration.toMinutes() >= 120) {
      return duration.toHours() + " h";
    }
    return duration.toSeconds() >= 120
        ? duration.toMinutes() + " min"
        : duration.toSeconds() + " s";
  }

  /** Returns why an experiment dropped an arm. */
  public static String eliminated(EliminationAudit eliminated) {
    String arm = eliminated.arm();
    String value = number(eliminated.value());
    String bound = number(eliminated.bound());
    return eliminated.reason().isUnfair()
        ? "%s is dropped as unfair: the near end of its effect's band, %s, is beyond %s."
            .formatted(arm, value, bound)
        : "%s is dropped: its reward is at most %s, the leader's estimate is %s."
            .formatted(arm, value, bound);
  }

  /** Returns how an experiment ended. */
  public static String terminal(TerminalAudit terminal) {
    return switch (terminal.kind()) {
      case BEST_FAIR_ARM -> "The experiment found the best fair arm: " + terminal.arm() + ".";
      case NO_FAIR_ARM ->
          Boolean.TRUE.equals(terminal.proved())
              ? "Every arm is beyond the limit; " + terminal.arm() + " is served."
              : "No arm could be certified; " + terminal.arm() + " is served.";
      case ABORTED -> "The experiment was aborted: " + terminal.abortReason() + ".";
    };
  }
}
