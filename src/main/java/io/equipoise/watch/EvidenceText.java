package io.equipoise.watch;

import io.equipoise.event.ChallengerEvidence;
import io.equipoise.event.ChallengerRegistration;
import io.equipoise.event.GroupTest;
import io.equipoise.event.GroupsRegistration;
import io.equipoise.event.WatchEnded;
import io.equipoise.event.WatchEvidence;
import io.equipoise.event.WatchRecord;
import io.equipoise.event.WatchedQuantity;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Puts evidence into words, the same for the command line, the console and the report. */
public final class EvidenceText {
  /** Says why an open challenger's evidence says nothing about the spec that decides now. */
  public static final String OUTDATED = "another spec was adopted; waiting for watch run";

  public static final String LEVEL =
      "Intervals hold at all times at once: those of a value or a difference with the probability 95 %, for each number alone, those of a monitor of groups with 1 - alpha together.";

  private static final int HASH_DIGITS = 8;
  private static final double MOST_ODDS = 1e6;

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

  /** Returns the watched mean, the attributes, the tolerance and alpha. */
  public static String name(GroupsRegistration groups) {
    String what =
        groups.quantity() == WatchedQuantity.REWARD
            ? "reward"
            : "arm " + String.join(" or ", groups.arms());
    return "%s by %s, tolerance %s, alpha %s"
        .formatted(
            what,
            String.join("*", groups.attributes()),
            number(groups.tolerance()),
            digits(groups.alpha()));
  }

  /** Returns why a registration ended, and what to do. */
  public static String ended(WatchEnded ended) {
    String remedy =
        switch (ended.reason()) {
          case WITHDRAWN -> "";
          case CHAMPION_CHANGED -> // a monitor's message has its remedy
              ended.adopted() == null
                  ? ""
                  : "; register it again to compare it with the spec that decides now";
          case ESTIMATED_PROPENSITIES -> "; register a policy with exact propensities";
          case LOG_GAP ->
              "; restore the segment's records in decisions and segment-events, of which all are needed, and register it again";
          case TOO_MANY_PENDING -> "; then register it again";
          case FAILED ->
              "; correct the spec and register it again, or report the message if it is right";
        };
    return "%s %s%s".formatted(ended.reason(), ended.message(), remedy).strip();
  }

  public static String value(WatchEvidence evidence, ChallengerEvidence found) {
    return interval(evidence, found, found.value(), found.valueLow(), found.valueHigh());
  }

  public static String difference(WatchEvidence evidence, ChallengerEvidence found) {
    return interval(
        evidence, found, found.difference(), found.differenceLow(), found.differenceHigh());
  }

  /** The number between the ends is an estimate only if the log knows everything. */
  private static String interval(
      WatchEvidence evidence, ChallengerEvidence found, double value, double low, double high) {
    boolean isKnown = evidence.missing() == 0 && found.unsupported() == 0;
    return (isKnown ? number(value) + " " : "") + interval(low, high);
  }

  public static String interval(double low, double high) {
    return "[%s, %s]".formatted(number(low), number(high));
  }

  public static String gate(
      ChallengerRegistration registered, WatchEvidence evidence, ChallengerEvidence found) {
    return "minus champion %s; gate %s; fairness %s"
        .formatted(
            difference(evidence, found), gate(registered, found), fairness(registered, found));
  }

  public static String gate(ChallengerRegistration registered, ChallengerEvidence found) {
    return compared(found, "reward", number(found.gateLow()), ">=", number(-registered.margin()));
  }

  public static String fairness(ChallengerRegistration registered, ChallengerEvidence found) {
    List<String> parts = new ArrayList<>();
    Double given = registered.certifiedShare();
    String least = percent(given == null ? found.championCertifiedShare() : given);
    parts.add(compared(found, "certified-share", percent(found.certifiedShare()), ">=", least));
    Double most = registered.maxViolation();
    if (most != null) {
      String violation = number(found.upperViolation());
      parts.add(compared(found, "max-violation", violation, "<=", number(most)));
    }
    registered
        .maxGaps()
        .forEach(
            (attribute, limit) -> {
              String condition = "max-gap " + attribute;
              String gap = "gap by %s %s".formatted(attribute, number(greatest(found, attribute)));
              parts.add(compared(found, condition, gap, "<=", number(limit)));
            });
    return String.join(", ", parts);
  }

  private static String compared(
      ChallengerEvidence found, String condition, String one, String sign, String other) {
    boolean isFailing = found.failing().contains(condition);
    return "%s %s %s".formatted(one, isFailing ? "not " + sign : sign, other);
  }

  /** Returns the greatest gap that is possible between any level and all others. */
  private static double greatest(ChallengerEvidence found, String attribute) {
    return found.gaps().stream()
        .filter(it -> it.attribute().equals(attribute))
        .mapToDouble(it -> Math.max(-it.low(), it.high()))
        .max()
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
                : "some " + count(rows) + " more rows";
  }

  /** Returns the e-value of a group as odds, rounded down to two digits, at most 1,000,000. */
  public static String odds(GroupTest test, double tolerance) {
    if (test.logEvalue() <= 0) {
      return "no evidence that the gap exceeds " + number(tolerance);
    }
    BigDecimal odds = new BigDecimal(Math.min(MOST_ODDS, Math.exp(test.logEvalue())));
    String rounded = odds.round(new MathContext(2, RoundingMode.DOWN)).toPlainString();
    return "%s : 1 that the gap exceeds %s".formatted(rounded, number(tolerance));
  }

  /** Returns a probability with three digits. */
  public static String digits(double probability) {
    return new BigDecimal(probability)
        .round(new MathContext(3))
        .stripTrailingZeros()
        .toPlainString();
  }

  public static String percent(double share) {
    return decimals("%.2f", 100 * share) + " %";
  }

  public static String count(long count) {
    return String.format(Locale.ROOT, "%,d", count);
  }

  /** Returns a number with three decimals, more if it is small. */
  public static String number(@Nullable Double number) {
    return number == null ? "-" : decimals(Math.abs(number) < 0.1 ? "%.4f" : "%.3f", number);
  }

  private static String decimals(String format, double number) {
    String text = String.format(Locale.ROOT, format, number).replaceFirst("\\.?0+$", "");
    return text.equals("-0") ? "0" : text;
  }
}
