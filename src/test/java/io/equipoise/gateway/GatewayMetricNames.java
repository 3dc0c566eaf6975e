package io.equipoise.gateway;

import io.equipoise.console.ConsoleMetricNames;
import java.util.List;

/** The names of the gateway's metrics. */
public final class GatewayMetricNames {
  private GatewayMetricNames() {}

  /** Returns all names. */
  public static List<String> all() {
    return ConsoleMetricNames.names(new GatewayMetrics(new OpenDecisions(1, 1)).registry());
  }
}
