package io.equipoise.lab;

import io.equipoise.cli.report.Sample;
import io.equipoise.simulation.Parallel;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.function.IntFunction;
import java.util.function.ToDoubleFunction;

/**
 * Collects the results of trials by contender, such as a policy in a world. All contenders have the
 * same trials, in the same order.
 */
public record Runs<K, R>(Map<K, List<R>> results) {
  /**
   * Runs trials, several at once.
   *
   * @param trial returns the result of every contender in a trial; called from several threads
   * @param onDone called after each trial, from several threads
   */
  public static <K, R> Runs<K, R> of(int count, IntFunction<Map<K, R>> trial, Runnable onDone) {
    Map<K, List<R>> results = new LinkedHashMap<>();
    for (Map<K, R> one : Parallel.trials(count, trial, onDone)) {
      one.forEach(
          (key, result) -> results.computeIfAbsent(key, any -> new ArrayList<>()).add(result));
    }
    return new Runs<>(results);
  }

  /** Runs every contender in every trial, several at once; {@code onDone} is called after each. */
  public static <K, R> Runs<K, R> of(
      Collection<K> keys, int count, BiFunction<K, Integer, R> trial, Runnable onDone) {
    List<K> all = List.copyOf(keys);
    List<R> done =
        Parallel.trials(
            all.size() * count, i -> trial.apply(all.get(i / count), i % count), onDone);
    Map<K, List<R>> results = new LinkedHashMap<>();
    for (int i = 0; i < all.size(); i++) {
      results.put(all.get(i), done.subList(i * count, (i + 1) * count));
    }
    return new Runs<>(results);
  }

  public boolean has(K key) {
    return results.containsKey(key);
  }

  /** Returns the results of a contender. */
  public List<R> of(K key) {
    return Objects.requireNonNull(results.get(key), () -> "not run: " + key);
  }

  public Sample sample(K key, ToDoubleFunction<R> metric) {
    return Sample.of(of(key), metric);
  }

  /** Returns one contender's metric minus a multiple of another's, trial by trial. */
  public Sample difference(K one, double factor, K other, ToDoubleFunction<R> metric) {
    return ofDifference(of(one), factor, of(other), metric);
  }

  /** Returns the sample of one metric minus a multiple of another, trial by trial. */
  static <T> Sample ofDifference(
      List<T> trials, double factor, List<T> others, ToDoubleFunction<T> metric) {
    List<Double> differences = new ArrayList<>();
    for (int trial = 0; trial < trials.size(); trial++) {
      differences.add(
          metric.applyAsDouble(trials.get(trial))
              - factor * metric.applyAsDouble(others.get(trial)));
    }
    return Sample.of(differences);
  }
}
