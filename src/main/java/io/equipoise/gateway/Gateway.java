package io.equipoise.gateway;

import io.equipoise.console.Console;
import io.equipoise.console.ConsoleSettings;
import io.equipoise.http.HttpServer;
import io.equipoise.job.options.Delivery;
import io.equipoise.job.topics.Brokers;
import java.time.Clock;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs the gateway of one deployment. */
public final class Gateway implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Gateway.class);

  /** Covers the time of an at-least-once decision on machines with free processors. */
  private static final Duration USUAL_LATENCY = Duration.ofMillis(20);

  /** A gateway that did not hear from the brokers for this long is not ready. */
  private static final Duration MAX_SILENCE = Duration.ofSeconds(10);

  private static final Duration PAUSE = Duration.ofMillis(20);

  private final GatewayConfig config;
  private final SpecFollower specs;
  private final DecisionFollower decisions;
  private final @Nullable FairnessFollower fairness;
  private final InputSender sender;
  private final GatewayService service;
  private final CompletableFuture<Void> warm;
  private final @Nullable Console console;
  private final HttpServer server;
  private volatile boolean isStopping;

  private Gateway(GatewayConfig config, InstantSource clock) {
    this.config = config;
    OpenDecisions open = new OpenDecisions(config.maxPending(), config.maxRecent());
    specs = new SpecFollower(config.job());
    RunningSpecs running = new RunningSpecs(specs);
    decisions = new DecisionFollower(config.job(), config.maxRecent(), open, specs, running);
    fairness = config.readsAudits() ? new FairnessFollower(config.job(), open) : null;
    sender = new InputSender(config.job());
    GatewayMetrics metrics = new GatewayMetrics(open);
    service = new GatewayService(config, clock, specs, running, open, fairness, sender, metrics);
    warm =
        specs
            .caughtUp()
            .thenRunAsync(service::warmUp)
            .exceptionally(
                failure -> {
                  LOG.warn("The first decisions may be slow: the warm-up failed", failure);
                  return null;
                });
    specs.start();
    decisions.start();
    if (fairness != null) {
      fairness.start();
    }
    sender.warmUp();
    ConsoleSettings shown = config.console();
    console = shown == null ? null : new Console(shown, Clock.systemUTC());
    if (console != null) {
      console.register(metrics.registry());
    }
    server =
        HttpServer.start(
            config.http(),
            routes -> {
              new GatewayRoutes(this, config, service, specs, running, metrics).add(routes);
              metrics.add(routes);
              if (console != null) {
                console.routes(routes);
              }
            });
    if (console != null) {
      console.start();
    }
  }

  /**
   * Connects to the brokers and listens. {@link #isReady} becomes true soon after; if the job has
   * not created the topics yet, when it has.
   *
   * @param clock for event times and deadlines
   * @throws io.equipoise.job.options.StartRefusedException if the brokers do not reply
   */
  public static Gateway start(GatewayConfig config, InstantSource clock)
      throws InterruptedException {
    Brokers.connect(config.job()).close();
    return new Gateway(config, clock);
  }

  /**
   * Returns whether it has read the specs and the last decisions, has warmed up, and hears from the
   * brokers.
   */
  public boolean isReady() {
    return !isStopping
        && warm.isDone()
        && decisions.isCaughtUp()
        && (fairness == null || fairness.isCaughtUp())
        && decisions.silence().compareTo(MAX_SILENCE) < 0;
  }

  /** Waits until the gateway is ready; returns whether it is. */
  public boolean awaitReady(Duration atMost) {
    long end = System.nanoTime() + atMost.toNanos();
    while (!isReady() && System.nanoTime() < end) {
      LockSupport.parkNanos(PAUSE.toNanos());
    }
    return isReady();
  }

  /** Returns how long a decision usually takes in this deployment. */
  Duration expectedLatency() {
    return config.job().delivery() == Delivery.AT_LEAST_ONCE
        ? USUAL_LATENCY
        : config.job().checkpointInterval();
  }

  /** Returns the address for callers. */
  public String address() {
    return server.address();
  }

  /**
   * Accepts no further request, answers those that are open, appends what was accepted, and ends.
   */
  @Override
  public void close() {
    isStopping = true;
    if (console != null) {
      console.close();
    }
    server.close();
    sender.close();
    service.close();
    decisions.close();
    if (fairness != null) {
      fairness.close();
    }
    specs.close();
  }
}
