package io.equipoise.console;

import io.equipoise.console.document.OverviewDocument;
import io.equipoise.console.state.Aggregator;
import io.equipoise.console.state.Limits;
import io.equipoise.console.state.TimeAxis;
import io.equipoise.console.topics.ControlCatalog;
import io.equipoise.console.topics.DecisionSearch;
import io.equipoise.console.topics.InputWatch;
import io.equipoise.console.topics.JobWatch;
import io.equipoise.console.topics.OutputFollower;
import io.equipoise.console.topics.WatchCatalog;
import io.equipoise.job.options.JobConfig;
import io.javalin.config.RoutesConfig;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.Semaphore;

/**
 * Follows the topics of one deployment and answers the page's requests. It only reads. A server of
 * its own or another one gives it its routes.
 */
public final class Console implements AutoCloseable {
  private final Aggregator aggregator;
  private final OutputFollower follower;
  private final InputWatch inputs;
  private final LiveStream live;
  private final ConsoleApi api;
  private final ControlCatalog controls;
  private final int metricsSegments;

  /** Prepares a console; {@link #start} begins to read. */
  public Console(ConsoleSettings settings, Clock clock) {
    JobConfig config = settings.job();
    Duration history = settings.history();
    TimeAxis axis = TimeAxis.of(history);
    aggregator = new Aggregator(axis, Limits.DEFAULT);
    follower = new OutputFollower(config, aggregator, history, clock);
    inputs = new InputWatch(config, aggregator);
    JobWatch job = new JobWatch(settings.flinkRest(), config.topics().deployment());
    controls = new ControlCatalog(config);
    Documents documents =
        new Documents(
            config,
            aggregator,
            new OverviewDocument(aggregator),
            follower,
            inputs,
            new WatchCatalog(config, aggregator),
            job,
            controls,
            new DecisionSearch(config),
            new Semaphore(Documents.MOST_SEARCHES),
            new Semaphore(1),
            clock);
    live = new LiveStream(documents);
    api = new ConsoleApi(documents, live);
    metricsSegments = settings.metricsSegments();
  }

  /** Starts to read. */
  public void start() {
    follower.start();
    inputs.start();
    live.start();
  }

  /** Adds the routes of page and API to a server. */
  public void routes(RoutesConfig routes) {
    api.routes(routes);
    new PageFiles().routes(routes);
  }

  /** Adds the figures of segments to the metrics of a server, if an option asks for them. */
  public void register(PrometheusRegistry registry) {
    ConsoleMetrics.register(registry, aggregator, metricsSegments, controls::published);
  }

  /** Returns how far it reads. */
  public OutputFollower.Status status() {
    return follower.status();
  }

  /** Ends open streams and stops reading. */
  @Override
  public void close() {
    live.close();
    follower.close();
    inputs.close();
  }
}
