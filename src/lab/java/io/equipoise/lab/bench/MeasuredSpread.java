package io.equipoise.lab.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** Summarizes repeated measurements by median and range. */
record MeasuredSpread(double median, double least, double greatest) {
  /** Summarizes one measure of some results. */
  static <T> MeasuredSpread of(List<T> measured, ToDoubleFunction<T> measure) {
    return new MeasuredSpread(
        Series.quantile(measured, measure, .5),
        Series.quantile(measured, measure, 0),
        Series.quantile(measured, measure, 1));
  }

  /** Summarizes the ratios of one measure, turn by turn. */
  static <T> MeasuredSpread ofRatios(List<T> over, List<T> under, ToDoubleFunction<T> measure) {
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
