package io.equipoise.lab.linear;

import io.equipoise.lab.AdultData;
import io.equipoise.lab.linear.Population.Student;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IntSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Encodes UCI's {@code adult.data} as the 107 features of Fair-LinUCB, section 5.1.1: eight
 * categorical attributes one-hot, their values sorted, {@code ?} included; age, education-num and
 * hours-per-week scaled to [0, 1] over the file; income one-hot.
 */
final class AdultFile {
  private static final Map<String, Integer> CATEGORICAL = new LinkedHashMap<>();
  private static final Map<String, Integer> NUMERIC = new LinkedHashMap<>();
  private static final int EDUCATION_NUMBER = 4;

  static {
    CATEGORICAL.put("workclass", 1);
    CATEGORICAL.put("education", 3);
    CATEGORICAL.put("marital-status", 5);
    CATEGORICAL.put("occupation", 6);
    CATEGORICAL.put("relationship", 7);
    CATEGORICAL.put("race", AdultData.RACE);
    CATEGORICAL.put("sex", AdultData.SEX);
    CATEGORICAL.put("native-country", 13);
    NUMERIC.put("age", AdultData.AGE);
    NUMERIC.put("education-num", EDUCATION_NUMBER);
    NUMERIC.put("hours-per-week", 12);
  }

  private final List<String[]> rows;
  private final List<String> names = new ArrayList<>();

  private AdultFile(List<String[]> rows) {
    this.rows = rows;
    CATEGORICAL.forEach((name, field) -> addLevels(name, field));
    names.addAll(NUMERIC.keySet());
    addLevels("income", AdultData.INCOME);
  }

  /** Reads the file, or {@code adult.data} in the directory. */
  static AdultFile read(Path directoryOrFile) throws IOException {
    int[] numeric = NUMERIC.values().stream().mapToInt(field -> field).toArray();
    AdultFile file = new AdultFile(AdultData.read(directoryOrFile, numeric));
    if (file.names.size() != Population.USER_FEATURES) {
      throw new IllegalArgumentException(
          String.format(
              "%s: its values make %d features, not %d; it must be UCI's adult.data, whole",
              AdultData.file(directoryOrFile), file.names.size(), Population.USER_FEATURES));
    }
    return file;
  }

  private void addLevels(String name, int field) {
    rows.stream().map(row -> name + "=" + row[field]).distinct().sorted().forEach(names::add);
  }

  /** Returns the names of the features, attribute=value for one-hot features. */
  List<String> featureNames() {
    return List.copyOf(names);
  }

  List<Student> students() {
    Map<String, IntSummaryStatistics> ranges = new HashMap<>();
    NUMERIC.forEach(
        (name, field) ->
            ranges.put(
                name,
                rows.stream().mapToInt(row -> Integer.parseInt(row[field])).summaryStatistics()));
    List<Student> students = new ArrayList<>(rows.size());
    for (String[] row : rows) {
      double[] features = new double[names.size()];
      CATEGORICAL.forEach((name, field) -> features[names.indexOf(name + "=" + row[field])] = 1);
      ranges.forEach(
          (name, range) -> {
            double value = Integer.parseInt(row[NUMERIC.getOrDefault(name, 0)]) - range.getMin();
            features[names.indexOf(name)] = value / (range.getMax() - range.getMin());
          });
      features[names.indexOf("income=" + row[AdultData.INCOME])] = 1;
      double education = Student.education(Integer.parseInt(row[EDUCATION_NUMBER]));
      students.add(new Student(features, row[AdultData.SEX].equals("Male"), education));
    }
    return students;
  }
}
