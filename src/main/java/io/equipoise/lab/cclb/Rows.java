package io.equipoise.lab.cclb;

import io.equipoise.event.AuditVerdict;
import io.equipoise.lab.report.ReplicationReport;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** Lays out results as the flat rows of a report. */
final class Rows {
  /** The rounds of the reference's tables. */
  static final List<Integer> TABLE = List.of(1000, 2500, 5000, 10_000, 50_000);

  private static final Map<String, ToDoubleFunction<Totals>> MEASURES = new LinkedHashMap<>();
  private static final Map<String, ToDoubleFunction<Totals>> AUDIT = new LinkedHashMap<>();

  static {
    MEASURES.put("R", Totals::regret);
    MEASURES.put("V", Totals::violation);
    MEASURES.put("nv", Totals::violations);
    MEASURES.put("pen", Totals::penalized);
    MEASURES.put("phi", Totals::phi);
    MEASURES.put("Rplus", Totals::mixedRegret);
    MEASURES.put("Vsigned", Totals::signedViolation);
    MEASURES.put("explored", Totals::explored);
    for (AuditVerdict auditVerdict : AuditVerdict.values()) {
      AUDIT.put(
          auditVerdict.name().toLowerCase(Locale.ROOT), totals -> totals.verdict(auditVerdict));
    }
    AUDIT.put("wrong", Totals::wrong);
    AUDIT.put("excluded", Totals::excluded);
    AUDIT.put("alarms", Totals::alarms);
  }

  private Rows() {}

  /** Returns means over trials: a row for each setting, at the table's rounds and at the end. */
  static List<Map<String, @Nullable Object>> means(List<Result> results) {
    boolean hasAudit = results.stream().anyMatch(result -> result.setting().isAudited());
    List<Map<String, @Nullable Object>> rows = new ArrayList<>();
    for (Result result : results) {
      for (int t : result.checkpoints()) {
        if (TABLE.contains(t) || t == result.setting().rounds()) {
          rows.add(mean(result, t, hasAudit));
        }
      }
    }
    return rows;
  }

  private static Map<String, @Nullable Object> mean(Result result, int t, boolean hasAudit) {
    Map<String, @Nullable Object> row = settings(result.setting());
    row.put("t", t);
    MEASURES.forEach(
        (name, measure) -> ReplicationReport.put(row, name, result.sample(t, measure)));
    for (Map.Entry<String, ToDoubleFunction<Totals>> measure : AUDIT.entrySet()) {
      if (result.setting().isAudited()) {
        ReplicationReport.put(row, measure.getKey(), result.sample(t, measure.getValue()));
      } else if (hasAudit) {
        for (String suffix : List.of("_mean", "_se", "_n")) {
          row.put(measure.getKey() + suffix, null);
        }
      }
    }
    return row;
  }

  /** Returns a row for each setting and seed, at the end. */
  static List<Map<String, @Nullable Object>> perTrial(List<Result> results) {
    boolean hasAudit = results.stream().anyMatch(result -> result.setting().isAudited());
    List<Map<String, @Nullable Object>> rows = new ArrayList<>();
    for (Result result : results) {
      for (int trial = 0; trial < result.seeds().size(); trial++) {
        Totals totals = result.last(trial);
        Map<String, @Nullable Object> row = settings(result.setting());
        row.put("t", totals.t());
        row.put("seed", result.seeds().get(trial));
        MEASURES.forEach((name, measure) -> row.put(name, measure.applyAsDouble(totals)));
        for (Map.Entry<String, ToDoubleFunction<Totals>> measure : AUDIT.entrySet()) {
          if (hasAudit) {
            boolean isKnown = result.setting().isAudited();
            row.put(measure.getKey(), isKnown ? measure.getValue().applyAsDouble(totals) : null);
          }
        }
        rows.add(row);
      }
    }
    return rows;
  }

  private static Map<String, @Nullable Object> settings(CclbSetting cclbSetting) {
    Map<String, @Nullable Object> row = new LinkedHashMap<>();
    row.put("figure", cclbSetting.figure());
    row.put("policy", cclbSetting.policy().wire());
    row.put("estimator", cclbSetting.estimator().name());
    row.put("instance", cclbSetting.instance());
    row.put("tau", cclbSetting.tau());
    row.put("eps", cclbSetting.eps());
    row.put("effectAt", cclbSetting.effectAt().name());
    row.put("T", cclbSetting.horizon());
    return row;
  }
}
