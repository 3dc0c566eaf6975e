package io.equipoise.watch;

import io.equipoise.event.ChallengerEvidence;
import io.equipoise.event.ChallengerRegistration;
import io.equipoise.event.GapInterval;
import io.equipoise.event.GroupTest;
import io.equipoise.event.GroupsRegistration;
import io.equipoise.event.WatchEvidence;
import io.equipoise.event.WatchRecord;
import io.equipoise.event.WatchedQuantity;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Puts evidence into words, the same for the command line, the console and the report. */
public final class EvidenceText {
  /** Says why an open challenger's evidence says nothing about the spec that decides now. */
  public static final String OUTDATED = "another spec was adopted; waiting for watch run";

  /** Says that a promoted text decided nothing before the segment adopted another spec. */
  public static final String IN_VAIN = "but the segment adopted another spec";

  private static final int HASH_DIGITS = 8;
  private static final double MOST_ODDS = 1e6;
  private static final double PERCENT = 100;
  private static final int MOST_DIGITS = 6;
  private static final double LEAST_SHOWN = 0.001;

  private EvidenceText() {}

  /** Returns NAME/HASH with the first digits of the hash. */
  public static String name(ChallengerRegistration challenger) {
    return challenger.name() + "/" + challenger.specHash().substring(0, HASH_DIGITS);
  }

  /** Returns the name of a registration with the first digits of its id. */
  public static String name(WatchRecord registration) {
    ChallengerRegistration challenger = registration.challenger();
    GroupsRegistration groups = registration.groups();
    String name = challenger != null ? name(challenger) : groups != null ? name(groups) : "";
    return "%s (id %s)".formatted(name, registration.id().substring(0, HASH_DIGITS));
  }

  /** Returns the watched mean, the attributes and the tolerance. */
  public static String name(GroupsRegistration groups) {
    String what =
        groups.quantity() == WatchedQuantity.REWARD
            ? "reward"
            : "arm " + String.join(" or ", groups.arms());
    return "%s by %s, tolerance %s"
        .formatted(what, String.join("*", groups.attributes()), number(groups.tolerance()));
  }

  /** Returns with which probability the intervals and verdicts of a registration hold. */
  public static String level(WatchRecord registration) {
    ChallengerRegistration challenger = registration.challenger();
    GroupsRegistration groups = registration.groups();
    return challenger != null
        ? "Each interval of a value or a difference holds at all times at once with the probability %s, for this number alone. Over all candidates and all times together a gate passes wrongly with at most the probability %s."
            .formatted(percent(1 - 2 * ChallengerWatch.LEVEL_OF_ENDS), digits(challenger.alpha()))
        : groups != null
            ? String.format(
                Locale.ROOT,
                "For each monitor by itself: all intervals hold at all times at once with the probability 1 - %s, and any of its alarms is ever wrong with at most the probability %s. Changes have no such level: where there is none, at least %,d rows pass on average until one is found.",
                digits(groups.alpha()),
                digits(groups.alpha()),
                groups.rowsBetweenFalseAlarms())
            : "";
  }

  /** Returns what a challenger earns. */
  public static String value(WatchEvidence evidence, ChallengerEvidence found) {
    return interval(evidence, found, found.value(), found.valueLow(), found.valueHigh());
  }

  /** Returns what a challenger earns more than the champion. */
  public static String difference(WatchEvidence evidence, ChallengerEvidence found) {
    return interval(
        evidence, found, found.difference(), found.differenceLow(), found.differenceHigh());
  }

  /** The number between the ends is an estimate only if the log knows everything. */
  private static String interval(
      WatchEvidence evidence, ChallengerEvidence found, double value, double low, double high) {
    String ends = interval(low, high);
    return isKnown(evidence, found) ? number(value) + " " + ends : ends;
  }

  public static String interval(double low, double high) {
    return "[%s, %s]".formatted(number(low), number(high));
  }

  private static boolean isKnown(WatchEvidence evidence, ChallengerEvidence found) {
    return evidence.missing() == 0 && found.unsupported() == 0;
  }

  /** Returns why there is no estimate between the ends; empty if there is one. */
  public static String unknown(WatchEvidence evidence, ChallengerEvidence found) {
    return isKnown(evidence, found)
        ? ""
        : "%s of the rewards are missing, and the log cannot show %s of its choices; each end assumes the worst of them, so there is no estimate between the ends"
            .formatted(
                part((double) evidence.missing() / evidence.rows()), part(found.unsupported()));
  }

  private static String part(double share) {
    return share > 0 && share < LEAST_SHOWN
        ? "less than " + percent(LEAST_SHOWN, 1)
        : percent(share, 1);
  }

  /** Returns the estimate and all conditions of the gate with their numbers. */
  public static String gate(
      ChallengerRegistration registered, WatchEvidence evidence, ChallengerEvidence found) {
    return "minus champion %s; gate %s; fairness %s"
        .formatted(
            difference(evidence, found), gate(registered, found), fairness(registered, found));
  }

  /** Returns the reward condition of the gate with its numbers. */
  public static String gate(ChallengerRegistration registered, ChallengerEvidence found) {
    String sign = sign(found, "reward", ">=", "<");
    return "%s %s %s".formatted(signed(found.gateLow()), sign, signed(-registered.margin()));
  }

  private static String sign(
      ChallengerEvidence found, String condition, String holds, String fails) {
    return found.failing().contains(condition) ? fails : holds;
  }

  /** Returns the fairness conditions of the gate with their numbers. */
  public static String fairness(ChallengerRegistration registered, ChallengerEvidence found) {
    List<String> parts = new ArrayList<>();
    Double given = registered.certifiedShare();
    double limit = given == null ? found.championCertifiedShare() : given;
    parts.add(
        found.certifiedShare() == 0 && limit == 0
            ? "nothing certified, nothing required"
            : shares(found.certifiedShare(), sign(found, "certified-share", ">=", "<"), limit));
    Double most = registered.maxViolation();
    if (most != null) {
      String sign = sign(found, "max-violation", "<=", ">");
      parts.add("%s %s %s".formatted(number(found.upperViolation()), sign, number(most)));
    }
    for (Map.Entry<String, Double> each : registered.maxGaps().entrySet()) {
      String attribute = each.getKey();
      String low = signed(ends(found, attribute, true));
      String high = signed(ends(found, attribute, false));
      String sign = sign(found, "max-gap " + attribute, "within", "not within");
      String gap = number(each.getValue());
      parts.add("gap by %s in [%s, %s], %s %s".formatted(attribute, low, high, sign, gap));
    }
    return String.join("; ", parts);
  }

  /** Returns a comparison with as many digits as different shares need. */
  static String shares(double one, String sign, double other) {
    int digits = 0;
    while (digits < MOST_DIGITS
        && one != other
        && percent(one, digits).equals(percent(other, digits))) {
      digits++;
    }
    return "%s %s %s".formatted(percent(one, digits), sign, percent(other, digits));
  }

  private static double ends(ChallengerEvidence found, String attribute, boolean isLow) {
    return found.gaps().stream()
        .filter(it -> it.attribute().equals(attribute))
        .mapToDouble(isLow ? GapInterval::low : GapInterval::high)
        .reduce(isLow ? Math::min : Math::max)
        .orElse(Double.NaN);
  }

  /** Returns PASSES, or when it may; without a forecast, whether it is known to earn less. */
  public static String verdict(ChallengerEvidence found) {
    Long rows = found.rowsToPass();
    return found.passes()
        ? "PASSES"
        : !found.failing().contains("reward")
            ? "fails " + String.join(", ", found.failing())
            : rows == null
                ? found.differenceHigh() < 0 ? "earns less" : "undecided, no forecast"
                : rows == 0 ? "a few more rows" : "some " + count(rows) + " more rows";
  }

  /**
   * Returns since when a promoted text waits for its adoption, or why it no longer does.
   *
   * @param supersededBy key of the spec that was promoted after it
   */
  public static String promoted(long promotedAt, @Nullable String supersededBy) {
    return supersededBy == null
        ? "promoted, waits for the segment's next input since " + Instant.ofEpochMilli(promotedAt)
        : "promoted, but superseded by " + supersededBy;
  }

  /** Returns the e-value of a group as odds, rounded down to two digits. */
  public static String odds(GroupTest test, double tolerance) {
    if (test.logEvalue() <= 0) {
      return "no evidence that the gap exceeds " + number(tolerance);
    }
    double evalue = Math.exp(test.logEvalue());
    String odds =
        evalue > MOST_ODDS
            ? "more than 1,000,000"
            : String.format(
                Locale.ROOT,
                "%,.10g",
                new BigDecimal(evalue).round(new MathContext(2, RoundingMode.DOWN)).doubleValue());
    return "%s : 1 that the gap exceeds %s".formatted(trimmed(odds), number(tolerance));
  }

  private static String trimmed(String number) {
    return number.contains(".") ? number.replaceFirst("0+$", "").replaceFirst("\\.$", "") : number;
  }

  /** Returns a probability with three digits. */
  public static String digits(double probability) {
    return new BigDecimal(probability)
        .round(new MathContext(3))
        .stripTrailingZeros()
        .toPlainString();
  }

  public static String percent(double share) {
    return percent(share, 0);
  }

  private static String percent(double share, int digits) {
    return String.format(Locale.ROOT, "%." + digits + "f %%", PERCENT * share);
  }

  public static String count(long count) {
    return String.format(Locale.ROOT, "%,d", count);
  }

  /** Returns a number with three decimals, more if it is small. */
  public static String number(@Nullable Double number) {
    if (number == null) {
      return "-";
    }
    boolean isSmall = Math.abs(number) < 0.1;
    String text = trimmed(String.format(Locale.ROOT, isSmall ? "%.4f" : "%.3f", number));
    return text.equals("-0") ? "0" : text;
  }

  private static String signed(double number) {
    String text = number(number);
    return text.startsWith("-") || text.equals("0") ? text : "+" + text;
  }
}
