package io.equipoise.lab.campaign;

import io.equipoise.causal.bounds.ClopperPearson;
import io.equipoise.lab.campaign.RunResult.Count;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * Summarizes the results of the worlds of one family.
 *
 * @param rounds decisions of a run
 * @param biased seeds of worlds that are wrong too often under new people to be chance
 */
record FamilyResult(Family family, int rounds, List<RunResult> results, List<Long> biased) {
  private static final String ANYTIME = "ANYTIME";

  /** Counts runs, and computes the exact 95 % interval of the rate (Clopper and Pearson 1934). */
  record Rate(int hits, int runs) {
    private static final double ERROR = 0.05;

    private double lower() {
      return runs == 0 ? 0 : ClopperPearson.lower(hits, runs, ERROR);
    }

    private double upper() {
      return runs == 0 ? 1 : ClopperPearson.upper(hits, runs, ERROR);
    }

    /** Returns whether the whole interval is above a limit. */
    boolean exceeds(double limit) {
      return lower() > limit;
    }

    @Override
    public String toString() {
      return String.format(Locale.ROOT, "%d [%.2f, %.2f] %%", hits, 100 * lower(), 100 * upper());
    }
  }

  FamilyResult {
    results = List.copyOf(results);
    biased = List.copyOf(biased);
  }

  Set<String> guarantees() {
    Set<String> guarantees = new TreeSet<>();
    results.forEach(result -> guarantees.addAll(result.guarantees()));
    return guarantees;
  }

  boolean isAnytime() {
    return guarantees().contains(ANYTIME);
  }

  int count(Predicate<RunResult> what) {
    return (int) results.stream().filter(what).count();
  }

  long sum(Count what) {
    return results.stream().mapToLong(result -> result.get(what)).sum();
  }

  /** Returns the rate of runs with at least one such error. */
  Rate rate(Count errors) {
    return new Rate(count(result -> result.get(errors) > 0), runs());
  }

  private int runs() {
    return count(result -> result.refused() == null);
  }

  List<RunResult> offenders() {
    return results.stream().filter(result -> result.firstFault() != null).toList();
  }

  /** Returns how many specs were refused, by the kind of reason. */
  Map<String, Integer> refusals() {
    Map<String, Integer> refusals = new TreeMap<>();
    for (RunResult result : results) {
      String reason = result.refused();
      if (reason != null) {
        refusals.merge(reason, 1, Integer::sum);
      }
    }
    return refusals;
  }

  /** Returns whether the rate of runs with a wrong verdict exceeds delta. */
  boolean isBeyondDelta() {
    double delta = CampaignTrial.DELTA;
    return rate(Count.FALSE_CERTIFIED).exceeds(delta) || rate(Count.FALSE_UNFAIR).exceeds(delta);
  }

  /** Returns whether a guarantee for all times is broken. */
  boolean isBroken() {
    return isAnytime() && (isBeyondDelta() || !biased.isEmpty());
  }

  /** Returns the command that plays one world again. */
  String command(RunResult offender) {
    return "equipoise campaign certificates --family %s --seed %d --worlds 1 --rounds %d"
        .formatted(family.wire(), offender.seed(), rounds);
  }

  /** Returns the row of the table, by column. */
  Map<String, Object> row() {
    Map<String, Object> row = new LinkedHashMap<>();
    long audits = sum(Count.AUDITS);
    long certified = sum(Count.CERTIFIED);
    long unfair = sum(Count.UNFAIR);
    row.put("family", family.wire());
    row.put("guarantee", guarantees().isEmpty() ? "-" : String.join(" ", guarantees()));
    row.put("worlds", results.size());
    row.put("refused", results.size() - runs());
    row.put("runs", runs());
    row.put("decisions", sum(Count.DECISIONS));
    row.put("audits", audits);
    row.put("certified", certified);
    row.put("UNFAIR", unfair);
    row.put("neither", audits - certified - unfair);
    row.put("false certificate", rate(Count.FALSE_CERTIFIED).toString());
    row.put("false UNFAIR", rate(Count.FALSE_UNFAIR).toString());
    row.put("interval missed", rate(Count.MISSED).toString());
    return row;
  }
}
