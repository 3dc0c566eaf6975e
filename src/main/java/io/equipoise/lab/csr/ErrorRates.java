package io.equipoise.lab.csr;

import io.equipoise.lab.report.ReplicationReport;
import io.equipoise.lab.report.Sample;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The answers of all trials, by setting, in the order in which settings were added. */
final class ErrorRates {
  private final Map<CsrSetting, List<CsrAnswer>> answers = new LinkedHashMap<>();

  void add(Map<CsrSetting, List<CsrAnswer>> more) {
    answers.putAll(more);
  }

  Iterable<CsrSetting> settings() {
    return answers.keySet();
  }

  /** Returns the error rate of a setting, if it was run. */
  Optional<Sample> error(CsrSetting csrSetting) {
    return Optional.ofNullable(answers.get(csrSetting)).map(ran -> sample(ran, CsrAnswer::isError));
  }

  private static Sample sample(List<CsrAnswer> answers, Predicate<CsrAnswer> metric) {
    return Sample.of(
        answers.stream().map(csrAnswer -> metric.test(csrAnswer) ? 1.0 : 0.0).toList());
  }

  /** Returns one row a setting: errors, and among them answers of none and of an unfair arm. */
  List<Map<String, @Nullable Object>> rows() {
    List<Map<String, @Nullable Object>> rows = new ArrayList<>();
    for (Map.Entry<CsrSetting, List<CsrAnswer>> entry : answers.entrySet()) {
      CsrSetting csrSetting = entry.getKey();
      Map<String, @Nullable Object> row = new LinkedHashMap<>();
      row.put("policy", csrSetting.policy().wire());
      row.put("instance", csrSetting.instance());
      row.put("T", csrSetting.samples());
      row.put("mode", csrSetting.mode().wire());
      ReplicationReport.put(row, "error", sample(entry.getValue(), CsrAnswer::isError));
      ReplicationReport.put(row, "none", sample(entry.getValue(), CsrAnswer::isNone));
      ReplicationReport.put(row, "unfair", sample(entry.getValue(), CsrAnswer::isUnfair));
      rows.add(row);
    }
    return rows;
  }
}
