package io.equipoise.lab.bench;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.function.ToDoubleFunction;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.RunResult;

/**
 * Summarizes JMH's measurements of one benchmark method with one set of parameters.
 *
 * @param turns one result for each turn
 */
record Series(BenchmarkParams benchmark, List<RunResult> turns) {
  /** Returns the only series whose method and parameter values include these names. */
  static Series of(List<Series> all, Object... names) {
    List<Series> found = new ArrayList<>();
    for (Series one : all) {
      if (one.names().containsAll(List.of(names).stream().map(Object::toString).toList())) {
        found.add(one);
      }
    }
    if (found.size() != 1) {
      throw new IllegalArgumentException(found + " series match " + List.of(names));
    }
    return found.get(0);
  }

  /** Returns the median of the turns' scores. */
  double median() {
    return quantile(turns, turn -> turn.getPrimaryResult().getScore(), .5);
  }

  /** Returns a quantile of the turns' values of an additional result, such as an allocation. */
  double quantile(String label, double share) {
    return quantile(
        turns,
        turn -> Objects.requireNonNull(turn.getSecondaryResults().get(label), label).getScore(),
        share);
  }

  List<IterationResult> iterations() {
    return turns.stream()
        .flatMap(turn -> turn.getBenchmarkResults().stream())
        .flatMap(result -> result.getIterationResults().stream())
        .toList();
  }

  /** Returns a quantile, interpolated between two measurements. */
  static <T> double quantile(Collection<T> measured, ToDoubleFunction<T> measure, double share) {
    double[] sorted = measured.stream().mapToDouble(measure).sorted().toArray();
    double place = share * (sorted.length - 1);
    int below = (int) place;
    int above = Math.min(below + 1, sorted.length - 1);
    return sorted[below] + (place - below) * (sorted[above] - sorted[below]);
  }

  /** Returns the method's name and the values of its parameters. */
  private List<String> names() {
    List<String> names = new ArrayList<>();
    names.add(benchmark.getBenchmark().replaceFirst(".*\\.", ""));
    benchmark.getParamsKeys().forEach(key -> names.add(benchmark.getParam(key)));
    return names;
  }

  @Override
  public String toString() {
    return String.join(" ", names());
  }
}
