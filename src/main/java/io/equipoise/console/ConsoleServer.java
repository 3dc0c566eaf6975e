package io.equipoise.console;

import io.equipoise.http.HttpServer;
import io.equipoise.http.MetricsText;
import io.equipoise.http.TokenScope;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Clock;

/** Runs a console with its own server. */
public final class ConsoleServer implements AutoCloseable {
  private final Console console;
  private final HttpServer server;

  private ConsoleServer(Console console, HttpServer server) {
    this.console = console;
    this.server = server;
  }

  /**
   * Starts console and server.
   *
   * @throws IllegalStateException if the server cannot listen on its address
   */
  public static ConsoleServer start(ConsoleSettings settings) {
    Console console = new Console(settings, Clock.systemUTC());
    PrometheusRegistry registry = new PrometheusRegistry();
    console.register(registry);
    HttpServer server =
        HttpServer.start(
            settings.http(),
            routes -> {
              routes.get( // before the files of the page, which take every name
                  "/metrics", request -> MetricsText.answer(request, registry), TokenScope.READ);
              console.routes(routes);
            });
    console.start();
    return new ConsoleServer(console, server);
  }

  /** Returns the address of the page. */
  public String address() {
    return server.address();
  }

  public Console console() {
    return console;
  }

  /** Ends streams, server and console. */
  @Override
  public void close() {
    console.close();
    server.close();
  }
}
