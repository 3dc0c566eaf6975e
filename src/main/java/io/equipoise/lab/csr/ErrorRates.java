package io.equipoise.lab.csr;

import io.equipoise.lab.report.Report;
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
  private final Map<Setting, List<Answer>> answers = new LinkedHashMap<>();

  void add(Map<Setting, List<Answer>> more) {
    answers.putAll(more);
  }

  Iterable<Setting> settings() {
    return answers.keySet();
  }

  /** Returns the error rate of a setting, if it was run. */
  Optional<Sample> error(Setting setting) {
    return Optional.ofNullable(answers.get(setting)).map(ran -> sample(ran, Answer::isError));
  }

  private static Sample sample(List<Answer> answers, Predicate<Answer> metric) {
    return Sample.of(answers.stream().map(answer -> metric.test(answer) ? 1.0 : 0.0).toList());
  }

  /** Returns one row a setting: errors, and among them answers of none and of an unfair arm. */
  List<Map<String, @Nullable Object>> rows() {
    List<Map<String, @Nullable Object>> rows = new ArrayList<>();
    for (Map.Entry<Setting, List<Answer>> entry : answers.entrySet()) {
      Setting setting = entry.getKey();
      Map<String, @Nullable Object> row = new LinkedHashMap<>();
      row.put("policy", setting.policy().wire());
      row.put("instance", setting.instance());
      row.put("T", setting.samples());
      row.put("mode", setting.mode().wire());
      Report.put(row, "error", sample(entry.getValue(), Answer::isError));
      Report.put(row, "none", sample(entry.getValue(), Answer::isNone));
      Report.put(row, "unfair", sample(entry.getValue(), Answer::isUnfair));
      rows.add(row);
    }
    return rows;
  }
}
