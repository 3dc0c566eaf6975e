package io.equipoise.lab;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.equipoise.lab.Check.Skipped;
import io.equipoise.spec.PolicyName;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What a replication found: for machines as JSON, for people as a table. */
record Report(
    String experiment,
    Map<String, Object> settings,
    long seed,
    String version,
    List<PolicyName> policies,
    Outcome outcome,
    int rounds,
    List<Check> checks,
    List<Skipped> skipped) {

  /** Returns 0 if all checks hold, 1 if one fails, 2 if none applied. */
  int exitCode() {
    if (checks.isEmpty()) {
      return 2;
    }
    return checks.stream().allMatch(Check::ok) ? 0 : 1;
  }

  String json() {
    Map<String, Object> report = new LinkedHashMap<>();
    report.put("experiment", experiment);
    report.put("settings", settings);
    report.put("seed", seed);
    report.put("version", version);
    report.put("rows", rows());
    report.put("checks", checks);
    report.put("skipped", skipped);
    try {
      ObjectMapper mapper = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
      return mapper.writeValueAsString(report) + "\n";
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private List<Map<String, Object>> rows() {
    List<Map<String, Object>> rows = new ArrayList<>();
    for (PolicyName policy : policies) {
      for (int place = 0; place < outcome.taus().length; place++) {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("policy", policy.wire());
        row.put("tau", outcome.taus()[place]);
        put(row, "regret", outcome.regret(policy, place, rounds));
        put(row, "unfair", outcome.unfair(policy, place));
        put(row, "twin", outcome.twin(policy, place));
        rows.add(row);
      }
    }
    return rows;
  }

  private static void put(Map<String, Object> row, String metric, Sample sample) {
    row.put(metric + "_mean", sample.mean());
    row.put(metric + "_se", sample.standardError());
    row.put(metric + "_n", sample.n());
  }

  void printTable(PrintWriter out) {
    out.printf(Locale.ROOT, "%s: %s%n%n", experiment, settings);
    out.printf("%-8s %4s %17s %17s %17s%n", "policy", "tau", "regret", "unfair", "twin");
    for (PolicyName policy : policies) {
      for (int place = 0; place < outcome.taus().length; place++) {
        out.printf(
            Locale.ROOT,
            "%-8s %4.2f %17s %17s %17s%n",
            policy.wire(),
            outcome.taus()[place],
            text(outcome.regret(policy, place, rounds)),
            text(outcome.unfair(policy, place)),
            text(outcome.twin(policy, place)));
      }
    }
    out.printf("%n");
    for (Check check : checks) {
      String low = check.low() == null ? "" : number(check.low());
      String high = check.high() == null ? "" : number(check.high());
      String ok = check.ok() ? "ok  " : "FAIL";
      out.printf("%s %-28s %9s in [%s, %s]%n", ok, check.name(), number(check.value()), low, high);
    }
    skipped.forEach(skip -> out.printf("skip %s: %s%n", skip.name(), skip.why()));
    out.flush();
  }

  private static String text(Sample sample) {
    String mean = number(sample.mean());
    Double error = sample.standardError();
    return error == null ? mean : mean + " +- " + number(error);
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.1f", value);
  }
}
