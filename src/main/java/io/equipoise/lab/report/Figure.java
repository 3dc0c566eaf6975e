package io.equipoise.lab.report;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.VectorGraphicsEncoder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.Styler.LegendPosition;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Named curves over a common axis, with or without error bars. */
public final class Figure {
  private final String key;
  private final String title;
  private final String xTitle;
  private final String yTitle;
  private final List<Curve> curves = new ArrayList<>();

  /**
   * @param key distinguishes the figures of one report in file names
   */
  public Figure(String key, String title, String xTitle, String yTitle) {
    this.key = key;
    this.title = title;
    this.xTitle = xTitle;
    this.yTitle = yTitle;
  }

  @SuppressWarnings("ArrayRecordComponent") // compared by nobody
  private record Curve(String name, double[] x, double[] y, double @Nullable [] errors) {}

  String key() {
    return key;
  }

  /** Adds a curve; both arrays have the same length, at least 1. */
  public Figure curve(String name, double[] x, double[] y) {
    curves.add(new Curve(name, x.clone(), y.clone(), null));
    return this;
  }

  /** Adds a curve with error bars of one length to both sides of every point. */
  public Figure curve(String name, double[] x, double[] y, double[] errors) {
    curves.add(new Curve(name, x.clone(), y.clone(), errors.clone()));
    return this;
  }

  /** Draws to a file, as SVG or as PNG. */
  public void write(Path file, boolean isVector) throws IOException {
    XYChart chart =
        new XYChartBuilder()
            .width(900)
            .height(600)
            .title(title)
            .xAxisTitle(xTitle)
            .yAxisTitle(yTitle)
            .build();
    chart.getStyler().setLegendPosition(LegendPosition.OutsideE);
    for (Curve curve : curves) {
      XYSeries series =
          curve.errors() == null
              ? chart.addSeries(curve.name(), curve.x(), curve.y())
              : chart.addSeries(curve.name(), curve.x(), curve.y(), curve.errors());
      series.setMarker(curve.x().length > 1 ? SeriesMarkers.NONE : SeriesMarkers.CIRCLE);
    }
    if (isVector) {
      VectorGraphicsEncoder.saveVectorGraphic(
          chart, file.toString(), VectorGraphicsEncoder.VectorGraphicsFormat.SVG);
    } else {
      BitmapEncoder.saveBitmap(chart, file.toString(), BitmapEncoder.BitmapFormat.PNG);
    }
  }
}
