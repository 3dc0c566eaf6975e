package io.equipoise.lab;

import io.equipoise.lab.Outcome.Run;
import io.equipoise.spec.PolicyName;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.VectorGraphicsEncoder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.style.Styler.LegendPosition;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Draws mean cumulative regret over rounds, a curve for each run; as .svg or .png. */
final class RegretPlot {
  private static final int POINTS = 200;

  private RegretPlot() {}

  /** Writes the plot; the name's ending says the format. */
  static void write(Path file, String title, Outcome outcome) throws IOException {
    XYChart chart =
        new XYChartBuilder()
            .width(900)
            .height(600)
            .title(title)
            .xAxisTitle("round")
            .yAxisTitle("cumulative regret")
            .build();
    chart.getStyler().setLegendPosition(LegendPosition.InsideNW);
    for (Map.Entry<Run, List<Trial>> run : outcome.trials().entrySet()) {
      add(chart, name(run.getKey(), outcome.taus()), run.getValue());
    }
    if (isVector(file)) {
      VectorGraphicsEncoder.saveVectorGraphic(
          chart, file.toString(), VectorGraphicsEncoder.VectorGraphicsFormat.SVG);
    } else {
      BitmapEncoder.saveBitmap(chart, file.toString(), BitmapEncoder.BitmapFormat.PNG);
    }
  }

  static boolean isVector(Path file) {
    return file.toString().toLowerCase(Locale.ROOT).endsWith(".svg");
  }

  static boolean isBitmap(Path file) {
    return file.toString().toLowerCase(Locale.ROOT).endsWith(".png");
  }

  private static String name(Run run, double[] taus) {
    String tau = run.policy() == PolicyName.F_UCB ? " tau " + taus[run.tauPlace()] : "";
    return run.policy().wire() + tau;
  }

  private static void add(XYChart chart, String name, List<Trial> trials) {
    int rounds = trials.get(0).regret().length;
    int points = Math.min(POINTS, rounds);
    double[] x = new double[points];
    double[] y = new double[points];
    for (int i = 0; i < points; i++) {
      int t = (int) ((i + 1L) * rounds / points);
      x[i] = t;
      for (Trial trial : trials) {
        y[i] += trial.regret()[t - 1] / trials.size();
      }
    }
    chart.addSeries(name, x, y).setMarker(SeriesMarkers.NONE);
  }
}
