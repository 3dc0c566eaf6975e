package io.equipoise.console;

import io.equipoise.console.state.Aggregator;
import io.equipoise.console.state.Limits;
import io.equipoise.console.state.TimeAxis;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import java.time.Duration;
import java.util.List;

/** The names of the figures of segments. */
public final class ConsoleMetricNames {
  private ConsoleMetricNames() {}

  /** Returns all names. */
  public static List<String> all() {
    PrometheusRegistry registry = new PrometheusRegistry();
    ConsoleMetrics.register(
        registry,
        new Aggregator(TimeAxis.of(Duration.ofHours(1)), Limits.DEFAULT),
        1,
        hash -> null);
    return names(registry);
  }

  /** Returns the names of a registry, as queries use them. */
  public static List<String> names(PrometheusRegistry registry) {
    return registry.scrape().stream()
        .map(it -> it.getMetadata().getName() + (it instanceof CounterSnapshot ? "_total" : ""))
        .toList();
  }
}
