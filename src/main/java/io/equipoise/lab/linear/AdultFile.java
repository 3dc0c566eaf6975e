package io.equipoise.lab.linear;

import io.equipoise.cli.CsvFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Reads UCI's {@code adult.data} (Becker and Kohavi 1996) into the 107 features of Fair-LinUCB,
 * section 5.1.1: eight categorical attributes one-hot, their values sorted, {@code ?} one of them;
 * age, education-num and hours-per-week scaled to [0, 1] over the file; income one-hot.
 */
final class AdultFile {
  private static final int FIELDS = 15;
  private static final int[] CATEGORICAL = {1, 3, 5, 6, 7, 8, 9, 13};
  private static final String[] NAMES = {
    "workclass",
    "education",
    "marital-status",
    "occupation",
    "relationship",
    "race",
    "sex",
    "native-country"
  };
  private static final int[] NUMERIC = {0, 4, 12};
  private static final String[] NUMERIC_NAMES = {"age", "education-num", "hours-per-week"};
  private static final int EDUCATION_NUMBER = 4;
  private static final int SEX = 9;
  private static final int INCOME = 14;

  private final List<String[]> rows = new ArrayList<>();
  private final List<String> names = new ArrayList<>();

  private AdultFile() {}

  /** Reads the file, or {@code adult.data} in the directory. */
  static AdultFile read(Path directoryOrFile) throws IOException {
    Path path =
        Files.isDirectory(directoryOrFile)
            ? directoryOrFile.resolve("adult.data")
            : directoryOrFile;
    AdultFile file = new AdultFile();
    int number = 0;
    for (String line : Files.readAllLines(path, StandardCharsets.ISO_8859_1)) {
      number++;
      if (!line.isBlank() && !line.startsWith("|")) {
        file.rows.add(fields(line, path + ", line " + number));
      }
    }
    file.name(path);
    return file;
  }

  private static String[] fields(String line, String place) {
    String[] fields = CsvFile.fields(line).toArray(String[]::new);
    if (fields.length != FIELDS) {
      throw new IllegalArgumentException(
          place + ": " + fields.length + " fields instead of " + FIELDS);
    }
    for (int field : NUMERIC) {
      if (!fields[field].matches("[0-9]{1,6}")) {
        throw new IllegalArgumentException(
            place + ": field " + (field + 1) + " is " + fields[field] + ", not a number");
      }
    }
    fields[INCOME] = fields[INCOME].replace(".", "");
    return fields;
  }

  private void name(Path path) {
    for (int i = 0; i < CATEGORICAL.length; i++) {
      for (String value : values(CATEGORICAL[i])) {
        names.add(NAMES[i] + "=" + value);
      }
    }
    names.addAll(List.of(NUMERIC_NAMES));
    for (String value : values(INCOME)) {
      names.add("income=" + value);
    }
    if (names.size() != Population.USER_FEATURES) {
      throw new IllegalArgumentException(
          path
              + ": its values make "
              + names.size()
              + " features, not "
              + Population.USER_FEATURES
              + "; it must be UCI's adult.data, whole");
    }
  }

  private Set<String> values(int field) {
    Set<String> values = new TreeSet<>();
    rows.forEach(row -> values.add(row[field]));
    return values;
  }

  /** Returns the names of the features, attribute=value where they are one-hot. */
  List<String> featureNames() {
    return List.copyOf(names);
  }

  List<Student> students() {
    int[] least = new int[NUMERIC.length];
    int[] greatest = new int[NUMERIC.length];
    for (int i = 0; i < NUMERIC.length; i++) {
      int field = NUMERIC[i];
      least[i] = rows.stream().mapToInt(row -> Integer.parseInt(row[field])).min().orElse(0);
      greatest[i] = rows.stream().mapToInt(row -> Integer.parseInt(row[field])).max().orElse(1);
    }
    List<Student> students = new ArrayList<>(rows.size());
    for (String[] row : rows) {
      double[] features = new double[names.size()];
      for (int i = 0; i < CATEGORICAL.length; i++) {
        features[names.indexOf(NAMES[i] + "=" + row[CATEGORICAL[i]])] = 1;
      }
      for (int i = 0; i < NUMERIC.length; i++) {
        double value = Integer.parseInt(row[NUMERIC[i]]) - least[i];
        features[names.indexOf(NUMERIC_NAMES[i])] = value / (greatest[i] - least[i]);
      }
      features[names.indexOf("income=" + row[INCOME])] = 1;
      double education = Student.education(Integer.parseInt(row[EDUCATION_NUMBER]));
      students.add(new Student(features, row[SEX].equals("Male"), education));
    }
    return students;
  }
}
