package io.equipoise.gateway;

import io.equipoise.event.DecisionReason;
import io.equipoise.http.JsonBody;
import io.equipoise.http.MetricsText;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.javalin.http.Handler;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.model.registry.PrometheusRegistry;

/**
 * Counts a gateway's requests and answers, in the text format of Prometheus. Labels contain no ids
 * and no values.
 */
final class GatewayMetrics {
  private static final String PATH = "gateway.path";
  private static final String START = "gateway.start";
  private static final double NANOS = 1e9;

  private final PrometheusRegistry registry = new PrometheusRegistry();

  private final Counter requests =
      Counter.builder()
          .name("equipoise_gateway_requests_total")
          .help("Requests by route and HTTP status.")
          .labelNames("path", "status")
          .register(registry);

  private final Histogram seconds =
      Histogram.builder()
          .name("equipoise_gateway_request_seconds")
          .help("Time from a complete request to its answer, by route.")
          .labelNames("path")
          .classicOnly()
          .classicUpperBounds(.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10)
          .register(registry);

  private final Counter decisions =
      Counter.builder()
          .name("equipoise_gateway_decisions_total")
          .help("Decisions that callers got, by reason.")
          .labelNames("reason")
          .register(registry);

  private final Counter unknownAttributes =
      Counter.builder()
          .name("equipoise_gateway_unknown_attributes_total")
          .help("Contexts with an attribute that is no variable of their spec.")
          .register(registry);

  private final Counter problems =
      Counter.builder()
          .name("equipoise_gateway_problems_total")
          .help("Problem documents by code, those in the places of a batch too.")
          .labelNames("code")
          .register(registry);

  GatewayMetrics(OpenDecisions open) {
    GaugeWithCallback unused =
        GaugeWithCallback.builder()
            .name("equipoise_gateway_pending_decisions")
            .help("Decision ids that wait for their answer.")
            .callback(gauge -> gauge.call(open.size()))
            .register(registry);
  }

  /** Counts an answer to a caller. */
  void decided(DecisionReason reason) {
    decisions.labelValues(reason.name()).inc();
  }

  /** Counts a context with an attribute that is no variable of its spec. */
  void hasUnknownAttribute() {
    unknownAttributes.inc();
  }

  /** Counts a problem in a batch. */
  void refused(String code) {
    problems.labelValues(code).inc();
  }

  /** Returns a handler that is counted under its path. */
  Handler counted(String path, Handler handler) {
    return request -> {
      request.attribute(PATH, path);
      request.attribute(START, System.nanoTime());
      handler.handle(request);
    };
  }

  /** Adds the count of every answer. */
  void add(RoutesConfig routes) {
    routes.after(this::answered);
  }

  private void answered(Context request) {
    String path = request.attribute(PATH);
    Long start = request.attribute(START);
    String label = path == null ? "none" : path;
    requests.labelValues(label, Integer.toString(request.statusCode())).inc();
    String code = request.attribute(JsonBody.PROBLEM);
    if (code != null) {
      refused(code);
    }
    if (start != null) {
      seconds.labelValues(label).observe((System.nanoTime() - start) / NANOS);
    }
  }

  /** Returns the registry, for what runs beside the gateway. */
  PrometheusRegistry registry() {
    return registry;
  }

  void write(Context request) {
    MetricsText.answer(request, registry);
  }
}
