package io.equipoise.gateway;

import io.equipoise.http.HttpServer;
import io.equipoise.job.options.Delivery;
import io.equipoise.job.options.StartRefusedException;
import io.equipoise.job.options.Topics;
import io.equipoise.job.topics.Brokers;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.admin.Admin;

/** A running gateway of one deployment. */
public final class Gateway implements AutoCloseable {
  /** What an at-least-once decision takes on machines with free processors. */
  private static final Duration USUAL_LATENCY = Duration.ofMillis(20);

  /** A gateway that did not hear from the brokers for this long is not ready. */
  private static final Duration MAX_SILENCE = Duration.ofSeconds(10);

  private static final Duration PAUSE = Duration.ofMillis(20);

  private final GatewayConfig config;
  private final SpecFollower specs;
  private final DecisionFollower decisions;
  private final InputSender sender;
  private final GatewayService service;
  private final HttpServer server;
  private volatile boolean isStopping;

  private Gateway(GatewayConfig config, InstantSource clock) {
    this.config = config;
    OpenDecisions open = new OpenDecisions(config.maxPending(), config.maxRecent());
    specs = new SpecFollower(config.job());
    decisions = new DecisionFollower(config.job(), config.maxRecent(), open, specs);
    sender = new InputSender(config.job());
    service = new GatewayService(config, clock, specs, open, sender);
    specs.start();
    decisions.start();
    sender.warmUp();
    server =
        HttpServer.start(
            config.http(), routes -> new GatewayRoutes(this, config, service, specs).add(routes));
  }

  /**
   * Connects to the brokers, checks that the job has created the topics, and listens. {@link
   * #isReady} becomes true soon after.
   *
   * @param clock for event times and deadlines
   * @throws StartRefusedException if the brokers do not reply or the topics are missing
   */
  public static Gateway start(GatewayConfig config, InstantSource clock)
      throws InterruptedException {
    try (Admin admin = Brokers.connect(config.job())) {
      refuseMissingTopics(admin, config.job().topics());
    }
    return new Gateway(config, clock);
  }

  private static void refuseMissingTopics(Admin admin, Topics topics) throws InterruptedException {
    try {
      Set<String> present = admin.listTopics().names().get();
      List<String> missing =
          List.of(topics.contexts(), topics.rewards(), topics.decisions(), topics.specs()).stream()
              .filter(topic -> !present.contains(topic))
              .toList();
      if (!missing.isEmpty()) {
        throw new StartRefusedException(
            "The gateway was not started because topics are missing",
            List.of(
                "equipoise.deployment: topics %s do not exist; start the job once, or correct the name"
                    .formatted(String.join(", ", missing))));
      }
    } catch (ExecutionException e) {
      throw new StartRefusedException(
          "The gateway was not started because the brokers do not list their topics",
          List.of(String.valueOf(e.getCause().getMessage())));
    }
  }

  /** Returns whether it has read the specs and the last decisions, and hears from the brokers. */
  public boolean isReady() {
    return !isStopping
        && specs.isCaughtUp()
        && decisions.isCaughtUp()
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
    server.close();
    sender.close();
    service.close();
    decisions.close();
    specs.close();
  }
}
