package io.equipoise.lab;

import io.equipoise.lab.StructuralModel.Node;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
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
    List<String> lines = Files.readAllLines(file);
    if (lines.isEmpty()) {
      throw new IllegalArgumentException(file + " is empty");
    }
    List<String> header = Arrays.asList(lines.get(0).split(",", -1));
    int[] featureColumns =
        features.stream().mapToInt(node -> column(file, header, node.name())).toArray();
    int[] uniformColumns =
        mediators.stream().mapToInt(node -> column(file, header, "u" + node.name())).toArray();
    int noiseColumn = column(file, header, "noise");
    List<Round> rounds = new ArrayList<>();
    for (int line = 1; line < lines.size(); line++) {
      String[] fields = lines.get(line).split(",", -1);
      try {
        int[] context = new int[featureColumns.length];
        for (int i = 0; i < context.length; i++) {
          context[i] = Integer.parseInt(fields[featureColumns[i]]);
          require(context[i] >= 0 && context[i] < features.get(i).values().length, "no such level");
        }
        double[] uniforms = new double[uniformColumns.length];
        for (int i = 0; i < uniforms.length; i++) {
          uniforms[i] = Double.parseDouble(fields[uniformColumns[i]]);
          require(uniforms[i] >= 0 && uniforms[i] < 1, "a uniform outside of [0, 1)");
        }
        double noise = Double.parseDouble(fields[noiseColumn]);
        require(Double.isFinite(noise), "noise is not finite");
        rounds.add(new Round(context, uniforms, noise));
      } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException e) {
        throw new IllegalArgumentException(
            file + ", line " + (line + 1) + ": " + e.getMessage(), e);
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
