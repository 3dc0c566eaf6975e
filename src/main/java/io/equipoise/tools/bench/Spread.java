package io.equipoise.tools.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** Median and range of repeated measurements. */
record Spread(double median, double least, double greatest) {
  /** Summarizes one measure of some results. */
  static <T> Spread of(List<T> measured, ToDoubleFunction<T> measure) {
    return new Spread(
        Series.quantile(measured, measure, .5),
        Series.quantile(measured, measure, 0),
        Series.quantile(measured, measure, 1));
  }

  /** Summarizes the ratios of one measure, turn by turn. */
  static <T> Spread ofRatios(List<T> over, List<T> under, ToDoubleFunction<T> measure) {
    List<Double> ratios = new ArrayList<>();
    for (int turn = 0; turn < under.size(); turn++) {
      ratios.add(measure.applyAsDouble(over.get(turn)) / measure.applyAsDouble(under.get(turn)));
    }
    return of(ratios, ratio -> ratio);
  }

  /** Formats as {@code median (least to greatest)} with a number of decimals. */
  String text(int decimals) {
    String number = "%,." + decimals + "f";
    return String.format(
        Locale.ROOT, number + " (" + number + " to " + number + ")", median, least, greatest);
  }
}
