package io.equipoise.lab.chaos;

import io.equipoise.cli.TextTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.DoubleStream;

/**
 * Decides which measures of a soak grow, and draws them.
 *
 * <p>The slope is the median of the slopes between any two samples of the same piece, and it is
 * significant if the Kendall statistic, summed over the pieces, exceeds {@value #SIGNIFICANT}
 * standard deviations (Hirsch, Slack and Smith 1982, Techniques of trend analysis for monthly water
 * quality data, with pieces for seasons). A measure GROWS if a significant slope, or the difference
 * between the medians of the last and the first quarter, adds more than its tolerance over the run.
 */
final class SoakReport {
  /** Samples that are excluded at the start of each piece; at most a third of it. */
  static final double WARM_UP_SECONDS = 600;

  private static final double SIGNIFICANT = 3;

  /** With fewer samples after warm-up there is no verdict. */
  private static final int FEWEST = 8;

  /** Tolerated growth, as a share of the first quarter's median. */
  private static final double SHARE = .1;

  /** Latencies depend on what else the machine does. */
  private static final double SHARE_OF_LATENCY = .5;

  private static final String LATENCY = "http ms";

  private static final int COLUMNS = 5;
  private static final int WIDTH = 260;
  private static final int HEIGHT = 110;
  private static final int PLOT_HEIGHT = 60;
  private static final int MOST_POINTS = 250;

  private final Map<String, List<Point>> series = new TreeMap<>();
  private final List<Trend> trends = new ArrayList<>();

  /**
   * A value of a measure.
   *
   * @param hours of traffic since the first piece started
   */
  private record Point(int piece, double hours, double value, boolean isWarm) {}

  /**
   * The result of one measure.
   *
   * @param first median of the first quarter of the samples after warm-up
   * @param last median of the last quarter
   * @param perHour slope
   */
  record Trend(
      String measure, int samples, double first, double last, double perHour, boolean grows) {
    String verdict() {
      return samples < FEWEST ? "-" : grows ? "GROWS" : "FLAT";
    }
  }

  SoakReport(List<SoakSample> samples) {
    double before = 0;
    for (int i = 0; i < samples.size(); ) {
      int piece = samples.get(i).piece();
      List<SoakSample> all = samples.stream().filter(it -> it.piece() == piece).toList();
      double end = all.get(all.size() - 1).seconds();
      for (SoakSample sample : all) {
        double hours = before + sample.seconds() / 3600;
        boolean isWarm = sample.seconds() > Math.min(WARM_UP_SECONDS, end / 3);
        sample
            .values()
            .forEach(
                (measure, value) ->
                    series
                        .computeIfAbsent(measure, any -> new ArrayList<>())
                        .add(new Point(piece, hours, value, isWarm)));
      }
      before += end / 3600;
      i += all.size();
    }
    series.forEach((measure, points) -> trends.add(trend(measure, points)));
  }

  List<Trend> trends() {
    return List.copyOf(trends);
  }

  private static Trend trend(String measure, List<Point> all) {
    List<Point> points = all.stream().filter(Point::isWarm).toList();
    int count = points.size();
    int quarter = (count + 3) / 4;
    double first = median(points.subList(0, quarter).stream().mapToDouble(Point::value));
    double last = median(points.subList(count - quarter, count).stream().mapToDouble(Point::value));
    List<Double> slopes = new ArrayList<>();
    double rises = 0;
    double variance = 0;
    for (int i = 0; i < count; i++) {
      Point one = points.get(i);
      int earlier = 0;
      for (int j = i - 1; j >= 0 && points.get(j).piece() == one.piece(); j--) {
        double rise = one.value() - points.get(j).value();
        slopes.add(rise / (one.hours() - points.get(j).hours()));
        rises += Math.signum(rise);
        earlier++;
      }
      // The sum over the n samples of a piece is n (n - 1) (2n + 5) / 18.
      variance += earlier * (earlier + 2) / 3.0;
    }
    double perHour = slopes.isEmpty() ? 0 : median(slopes.stream().mapToDouble(it -> it));
    double hours = count == 0 ? 0 : points.get(count - 1).hours() - points.get(0).hours();
    boolean isSignificant = rises > SIGNIFICANT * Math.sqrt(variance);
    double added = Math.max(last - first, isSignificant ? perHour * hours : 0);
    return new Trend(measure, count, first, last, perHour, added > tolerance(measure, first));
  }

  /** Returns the tolerated growth: a share, or a least size where that is more. */
  private static double tolerance(String measure, double first) {
    String unit = measure.substring(0, measure.indexOf('/'));
    double share = unit.equals(LATENCY) ? SHARE_OF_LATENCY : SHARE;
    double least =
        switch (unit) {
          case "waiting" -> 50;
          case "resident MB" -> 25;
          case LATENCY -> 20;
          case "heap MB", "open files" -> 5;
          case "metaspace MB", "threads" -> 3;
          case "disk MB" -> 2;
          case "topic MB" -> 1;
          default -> .2;
        };
    return Math.max(share * first, least);
  }

  private static double median(DoubleStream values) {
    double[] sorted = values.sorted().toArray();
    int count = sorted.length;
    return count == 0 ? Double.NaN : (sorted[(count - 1) / 2] + sorted[count / 2]) / 2;
  }

  List<String> table() {
    TextTable table =
        new TextTable("measure", "samples", "first quarter", "last quarter", "per hour", "verdict");
    for (Trend trend : trends) {
      table.row(
          trend.measure(),
          Integer.toString(trend.samples()),
          number(trend.first()),
          number(trend.last()),
          number(trend.perHour()),
          trend.verdict());
    }
    return table.lines();
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.2f", value);
  }

  /** Returns an SVG document with a small plot of each measure; a line for each piece. */
  String svg() {
    int rows = (trends.size() + COLUMNS - 1) / COLUMNS;
    StringBuilder svg = new StringBuilder();
    svg.append(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" font-family=\"sans-serif\" font-size=\"11\">%n"
            .formatted(COLUMNS * WIDTH, rows * HEIGHT));
    svg.append("<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n");
    for (int i = 0; i < trends.size(); i++) {
      svg.append(
          "<g transform=\"translate(%d,%d)\">%n"
              .formatted(i % COLUMNS * WIDTH + 10, i / COLUMNS * HEIGHT + 15));
      svg.append(plot(trends.get(i)));
      svg.append("</g>\n");
    }
    return svg.append("</svg>\n").toString();
  }

  private String plot(Trend trend) {
    List<Point> points = series.getOrDefault(trend.measure(), List.of());
    int step = (points.size() + MOST_POINTS - 1) / MOST_POINTS;
    double most = points.stream().mapToDouble(Point::value).max().orElse(0);
    double hours = Math.max(points.get(points.size() - 1).hours(), 1e-9);
    String color = trend.grows() ? "firebrick" : "steelblue";
    StringBuilder plot = new StringBuilder();
    plot.append(
        String.format(
            Locale.ROOT,
            "<text fill=\"%s\">%s, 0 to %.4g, %.1f h</text>%n"
                + "<path d=\"M0 %d H%d\" stroke=\"lightgray\"/>%n",
            color,
            trend.measure(),
            most,
            hours,
            PLOT_HEIGHT + 10,
            WIDTH - 25));
    plot.append("<path fill=\"none\" stroke=\"%s\" d=\"".formatted(color));
    int piece = 0;
    for (int i = 0; i < points.size(); i += step) {
      Point point = points.get(i);
      plot.append(
          String.format(
              Locale.ROOT,
              "%s%.1f %.1f",
              point.piece() == piece ? "L" : "M",
              point.hours() / hours * (WIDTH - 25),
              10 + PLOT_HEIGHT * (1 - point.value() / Math.max(most, 1e-9))));
      piece = point.piece();
    }
    return plot.append("\"/>\n").toString();
  }
}
