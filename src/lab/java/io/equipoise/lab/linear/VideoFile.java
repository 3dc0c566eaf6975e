package io.equipoise.lab.linear;

import io.equipoise.lab.linear.Population.Video;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Reads a crawl of YouTube (Cheng, Dale and Liu 2008), tab-separated with a header, into the 25
 * features of Fair-LinUCB, section 5.1.1: age, length, views, ratings and comments in four quantile
 * bins each, the rate in five levels. It ignores uploaders and related videos.
 */
final class VideoFile {
  private static final int AGE = 2;
  private static final int LENGTH = 4;
  private static final int VIEWS = 5;
  private static final int RATE = 6;
  private static final int RATINGS = 7;
  private static final int COMMENTS = 8;
  private static final int[] FIELDS = {AGE, LENGTH, VIEWS, RATE, RATINGS, COMMENTS};
  private static final double BEST_RATE = 5;

  private VideoFile() {}

  /** Reads the rows whose six quantities are numbers. */
  static List<Video> read(Path path) throws IOException {
    List<double[]> rows = new ArrayList<>();
    List<String> lines = Files.readAllLines(path, StandardCharsets.ISO_8859_1);
    for (String line : lines.subList(Math.min(1, lines.size()), lines.size())) {
      double[] row = numbers(line.split("\t", -1));
      if (row.length > 0) {
        rows.add(row);
      }
    }
    if (rows.isEmpty()) {
      throw new IllegalArgumentException(
          path + ": no row has numbers for age, length, views, rate, ratings and comments");
    }
    double[][] edges = new double[FIELDS.length][];
    for (int i = 0; i < FIELDS.length; i++) {
      edges[i] = edges(rows, i, Video.LEVELS[i]);
    }
    List<Video> videos = new ArrayList<>(rows.size());
    for (double[] row : rows) {
      int[] bins = new int[FIELDS.length];
      for (int i = 0; i < FIELDS.length; i++) {
        bins[i] = i == Video.RATE ? level(row[i]) : bin(row[i], edges[i]);
      }
      videos.add(Video.of(bins));
    }
    return videos;
  }

  private static double[] numbers(String[] fields) {
    double[] row = new double[FIELDS.length];
    for (int i = 0; i < FIELDS.length; i++) {
      if (fields.length <= FIELDS[i] || !fields[FIELDS[i]].strip().matches("[0-9]+(\\.[0-9]*)?")) {
        return new double[0];
      }
      row[i] = Double.parseDouble(fields[FIELDS[i]].strip());
    }
    return row;
  }

  /** Half to even. */
  private static int level(double rate) {
    int best = Video.LEVELS[Video.RATE] - 1;
    return Math.min(best, (int) Math.rint(rate / BEST_RATE * best));
  }

  /** Quantiles k/bins by linear interpolation. */
  private static double[] edges(List<double[]> rows, int column, int bins) {
    double[] sorted = rows.stream().mapToDouble(row -> row[column]).sorted().toArray();
    double[] edges = new double[bins - 1];
    for (int k = 1; k < bins; k++) {
      double at = (sorted.length - 1) * (double) k / bins;
      int below = (int) at;
      int above = Math.min(below + 1, sorted.length - 1);
      edges[k - 1] = sorted[below] + (at - below) * (sorted[above] - sorted[below]);
    }
    return edges;
  }

  private static int bin(double value, double[] edges) {
    return (int) Arrays.stream(edges).filter(edge -> edge <= value).count();
  }
}
