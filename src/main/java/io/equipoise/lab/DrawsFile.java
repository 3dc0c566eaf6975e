package io.equipoise.lab;

import io.equipoise.cli.CsvFile;
import io.equipoise.lab.StructuralModel.Node;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads rounds from a file instead of drawing them: CSV with a header that names the features,
 * {@code u} and a mediator's name for each mediator's uniform, and {@code noise}; other columns are
 * ignored.
 */
final class DrawsFile {
  private DrawsFile() {}

  /**
   * Reads all rounds.
   *
   * @throws IllegalArgumentException if a column is missing or a value is not what it should be,
   *     with the line
   */
  static List<Round> read(Path file, List<Node> features, List<Node> mediators) throws IOException {
    try (CsvFile csv = CsvFile.open(file)) {
      return read(csv, file, features, mediators);
    }
  }

  private static List<Round> read(CsvFile csv, Path file, List<Node> features, List<Node> mediators)
      throws IOException {
    List<String> header = csv.heading();
    int[] featureColumns =
        features.stream().mapToInt(node -> column(file, header, node.name())).toArray();
    int[] uniformColumns =
        mediators.stream().mapToInt(node -> column(file, header, "u" + node.name())).toArray();
    int noiseColumn = column(file, header, "noise");
    List<Round> rounds = new ArrayList<>();
    for (List<String> fields = csv.next(); fields != null; fields = csv.next()) {
      try {
        int[] context = new int[featureColumns.length];
        for (int i = 0; i < context.length; i++) {
          context[i] = Integer.parseInt(fields.get(featureColumns[i]));
          require(context[i] >= 0 && context[i] < features.get(i).values().length, "no such level");
        }
        double[] uniforms = new double[uniformColumns.length];
        for (int i = 0; i < uniforms.length; i++) {
          uniforms[i] = Double.parseDouble(fields.get(uniformColumns[i]));
          require(uniforms[i] >= 0 && uniforms[i] < 1, "a uniform outside of [0, 1)");
        }
        double noise = Double.parseDouble(fields.get(noiseColumn));
        require(Double.isFinite(noise), "noise is not finite");
        rounds.add(new Round(context, uniforms, noise));
      } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
        throw new IllegalArgumentException(csv.place() + e.getMessage(), e);
      }
    }
    return rounds;
  }

  private static void require(boolean isGood, String otherwise) {
    if (!isGood) {
      throw new IllegalArgumentException(otherwise);
    }
  }

  private static int column(Path file, List<String> header, String name) {
    int column = header.indexOf(name);
    if (column < 0) {
      throw new IllegalArgumentException(file + " has no column " + name + ", only " + header);
    }
    return column;
  }
}
