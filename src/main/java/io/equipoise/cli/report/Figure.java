package io.equipoise.cli.report;

import java.awt.BasicStroke;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.VectorGraphicsEncoder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.Styler.LegendPosition;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Draws named curves over a common axis, with or without error bars. */
public final class Figure {
  /** A number with more than two decimals. */
  private static final Pattern DECIMALS = Pattern.compile("(\\d\\.\\d\\d)\\d+");

  private static final Pattern CLIP = Pattern.compile("clip\\d+");

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

  public String key() {
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
    XYChart chart = chart();
    if (isVector) {
      VectorGraphicsEncoder.saveVectorGraphic(
          chart, file.toString(), VectorGraphicsEncoder.VectorGraphicsFormat.SVG);
    } else {
      BitmapEncoder.saveBitmap(chart, file.toString(), BitmapEncoder.BitmapFormat.PNG);
    }
  }

  /**
   * Draws as the SVG element of an HTML page.
   *
   * @param id names the figure on the page; its clip paths have names of their own
   */
  String svg(String id) throws IOException {
    XYChart chart = chart();
    chart.getStyler().setPlotGridLinesStroke(new BasicStroke(0.5f)); // dashes are long paths
    ByteArrayOutputStream drawn = new ByteArrayOutputStream();
    VectorGraphicsEncoder.saveVectorGraphic(
        chart, drawn, VectorGraphicsEncoder.VectorGraphicsFormat.SVG);
    String text = drawn.toString(StandardCharsets.UTF_8);
    String svg = DECIMALS.matcher(text.substring(text.indexOf("<svg"))).replaceAll("$1");
    Map<String, String> clips = new HashMap<>();
    return CLIP.matcher(svg)
        .replaceAll(
            clip -> clips.computeIfAbsent(clip.group(), any -> "clip-" + id + "-" + clips.size()));
  }

  private XYChart chart() {
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
    return chart;
  }
}
