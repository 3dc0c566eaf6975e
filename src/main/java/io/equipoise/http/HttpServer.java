package io.equipoise.http;

import io.javalin.Javalin;
import io.javalin.config.JavalinConfig;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.javalin.http.HttpResponseException;
import io.javalin.http.MethodNotAllowedResponse;
import io.javalin.util.JavalinException;
import io.javalin.util.JavalinLogger;
import java.io.IOException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.NetworkConnectionLimit;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.server.handler.EagerContentHandler;
import org.eclipse.jetty.server.handler.EagerContentHandler.RetainedContentLoaderFactory;
import org.eclipse.jetty.server.handler.GracefulHandler;
import org.eclipse.jetty.server.handler.SizeLimitHandler;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves the routes of one service. Every error is answered with a problem document, and every
 * route names its {@link TokenScope}. A handler that waits uses {@code Context.future}: it occupies
 * no thread.
 *
 * <p>A body is read completely before its handler runs, without a thread that waits for it, so slow
 * bodies occupy only their connection and at most {@code maxRequestBytes}. A GET, whose body no
 * route reads, and a request of another host are answered without their body.
 */
public final class HttpServer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(HttpServer.class);

  /** A connection without traffic for this long is closed; open answers may take longer. */
  private static final Duration IDLE_TIMEOUT = Duration.ofSeconds(30);

  /** Longer than any answer may take; the handlers' own deadlines end before. */
  private static final Duration ASYNC_TIMEOUT = Duration.ofMinutes(5);

  private static final int MAX_HEADER_BYTES = 32 << 10;

  /** Javalin copies each answer through a new array of this size, by default 32 KB. */
  private static final int COPIED_BYTES = 4 << 10;

  /** Threads that end in each minute after a burst of requests. */
  private static final int MAX_EVICTED = 30;

  private static final String EXECUTOR = "equipoise.executor";
  private static final String BEGIN = "equipoise.begin";

  private final Javalin javalin;
  private final HttpSettings settings;

  private HttpServer(Javalin javalin, HttpSettings settings) {
    this.javalin = javalin;
    this.settings = settings;
  }

  /**
   * Starts a server.
   *
   * @param routes adds the routes, each with a {@link TokenScope}
   * @throws IllegalStateException if the server cannot listen on the address
   */
  public static HttpServer start(HttpSettings settings, Consumer<RoutesConfig> routes) {
    return start(settings, SlowRequests.Limits.DEFAULT, routes);
  }

  /** Starts a server with other limits for slow requests. */
  static HttpServer start(
      HttpSettings settings, SlowRequests.Limits limits, Consumer<RoutesConfig> routes) {
    Javalin javalin = Javalin.create(config -> configure(config, settings, limits, routes));
    JavalinLogger.enabled = false; // the exception says the same, and better
    try {
      return new HttpServer(javalin.start(), settings);
    } catch (RuntimeException e) {
      javalin.stop();
      throw new IllegalStateException(
          "cannot listen on %s: %s; choose a free port".formatted(settings, e.getMessage()), e);
    } finally {
      JavalinLogger.enabled = true;
    }
  }

  /**
   * Answers when a future ends, in a thread of the server: a caller that does not read its answer
   * delays no other.
   *
   * @param answer writes the answer
   */
  public static <T> void later(
      Context request, Supplier<CompletableFuture<T>> future, Consumer<T> answer) {
    Executor executor = Objects.requireNonNull(request.attribute(EXECUTOR), EXECUTOR);
    request.future(() -> future.get().thenAcceptAsync(answer, executor));
  }

  /** Returns how long ago the body of a request had arrived. */
  public static Duration age(Context request) {
    Long begin = Objects.requireNonNull(request.attribute(BEGIN), BEGIN);
    return Duration.ofNanos(System.nanoTime() - begin);
  }

  /** Returns the port; if the settings contain 0, the free port that was found. */
  public int port() {
    return javalin.port();
  }

  /** Returns the address for callers, such as {@code http://127.0.0.1:8080}. */
  public String address() {
    String host = settings.address();
    return "%s://%s:%d"
        .formatted(
            settings.keystore() == null ? "http" : "https",
            host.contains(":") ? "[" + host + "]" : host,
            port());
  }

  /**
   * Accepts no further request, waits for those whose body has arrived, at most the stop timeout,
   * and ends.
   */
  @Override
  public void close() {
    try {
      javalin.stop();
    } catch (JavalinException e) {
      LOG.warn("requests were still open after {} and are ended", settings.stopTimeout(), e);
    }
  }

  private static void configure(
      JavalinConfig config,
      HttpSettings settings,
      SlowRequests.Limits limits,
      Consumer<RoutesConfig> routes) {
    config.startup.showJavalinBanner = false;
    config.startup.showOldJavalinVersionWarning = false;
    config.startup.startupWatcherEnabled = false;
    config.http.maxRequestSize = settings.maxRequestBytes();
    config.http.responseBufferSize = COPIED_BYTES;
    config.http.prefer405over404 = true;
    config.http.asyncTimeout = ASYNC_TIMEOUT.toMillis();
    AccessRule rule = new AccessRule(settings);
    config.jetty.modifyServer(server -> limit(server, settings, rule));
    config.jetty.modifyServletContextHandler(handler -> handler.setErrorHandler(errors(settings)));
    config.jetty.modifyHttpConfiguration(HttpServer::limit);
    config.jetty.addConnector((server, http) -> connector(server, http, settings, limits));
    config.routes.beforeMatched(rule::check);
    config.routes.beforeMatched(HttpServer::refuseOtherThanUtf8);
    config.routes.beforeMatched(HttpServer::refuseRepeated);
    config.routes.exception(
        ProblemException.class, (e, request) -> JsonBody.answer(request, e.problem()));
    config.routes.exception(
        HttpResponseException.class,
        (e, request) -> {
          if (e instanceof MethodNotAllowedResponse) {
            request.header("Allow", allowed(e.getDetails()));
          }
          JsonBody.answer(request, Problem.of(HttpCode.of(e.getStatus()), request.path()));
        });
    config.routes.exception(
        CompletionException.class,
        (e, request) ->
            JsonBody.answer(
                request,
                e.getCause() instanceof ProblemException problem
                    ? problem.problem()
                    : failed(request.path(), e)));
    config.routes.exception( // the caller has gone, or sends no more of its body
        IOException.class,
        (e, request) ->
            JsonBody.answer(request, Problem.of(HttpCode.INVALID_REQUEST, "the body ended early")));
    config.routes.exception(
        Exception.class, (e, request) -> JsonBody.answer(request, failed(request.path(), e)));
    routes.accept(config.routes);
  }

  /** Decoding has replaced bytes of the address that are no UTF-8: several would be one. */
  private static void refuseOtherThanUtf8(Context request) {
    String texts = request.pathParamMap().values() + "" + request.queryParamMap();
    if (texts.indexOf('\uFFFD') >= 0) {
      throw new ProblemException(
          HttpCode.INVALID_REQUEST, "the address has bytes that are no UTF-8");
    }
  }

  /** A route would read the first value only. */
  private static void refuseRepeated(Context request) {
    request
        .queryParamMap()
        .forEach(
            (name, values) -> {
              if (values.size() > 1) {
                throw new ProblemException(
                    HttpCode.INVALID_REQUEST,
                    "%s: the query parameter is given %d times".formatted(name, values.size()));
              }
            });
  }

  /** Returns the methods of a path that Javalin found; a route for GET answers HEAD too. */
  private static String allowed(Map<String, String> details) {
    Set<String> methods =
        new TreeSet<>(List.of(details.getOrDefault("availableMethods", "").split(",\\s*")));
    if (methods.contains("GET")) {
      methods.add("HEAD");
    }
    return String.join(", ", methods);
  }

  /** The log has the path and the exception, and nothing of the body. */
  private static Problem failed(String path, Exception failure) {
    LOG.error("{} failed", path, failure);
    return Problem.of(HttpCode.INTERNAL, null);
  }

  private static ProblemErrorHandler errors(HttpSettings settings) {
    return new ProblemErrorHandler(settings.maxRequestBytes(), MAX_HEADER_BYTES);
  }

  private static void limit(HttpConfiguration http) {
    http.setSendServerVersion(false);
    http.setRequestHeaderSize(MAX_HEADER_BYTES);
    http.setHeaderCacheSize(0); // of each connection; 4,096 of them would occupy 140 MB
  }

  private static void limit(Server server, HttpSettings settings, AccessRule rule) {
    int most = settings.maxRequestBytes();
    server.setStopTimeout(settings.stopTimeout().toMillis());
    if (server.getThreadPool() instanceof QueuedThreadPool threads) {
      threads.setMaxEvictCount(MAX_EVICTED); // with Jetty's 1 they would stay for hours
    }
    server.setErrorHandler(errors(settings));
    EagerContentHandler eager =
        new EagerContentHandler(new RetainedContentLoaderFactory(most, -1, true));
    eager.excludeMethod(HttpMethod.GET.asString(), HttpMethod.HEAD.asString());
    eager.exclude(request -> !rule.allowsHost(request.getHeaders().get(HttpHeader.HOST)));
    eager.setHandler(new FirstHandler(new GracefulHandler()));
    SizeLimitHandler sized = new SizeLimitHandler(most, -1);
    sized.setHandler(eager);
    server.setHandler(new LongBodyHandler(sized, most));
    server.addBean(new NetworkConnectionLimit(settings.maxConnections(), server));
  }

  private static ServerConnector connector(
      Server server, HttpConfiguration http, HttpSettings settings, SlowRequests.Limits limits) {
    ConnectionFactory[] factories = {new HttpConnectionFactory(http)};
    if (settings.keystore() != null) {
      http.addCustomizer(new SecureRequestCustomizer(false));
      SslContextFactory.Server tls = new SslContextFactory.Server();
      tls.setKeyStorePath(settings.keystore().toUri().toString());
      tls.setKeyStoreType("PKCS12");
      tls.setKeyStorePassword(settings.keystorePassword());
      factories =
          new ConnectionFactory[] {
            new SslConnectionFactory(tls, "http/1.1"), new HttpConnectionFactory(http)
          };
    }
    ServerConnector connector = new ServerConnector(server, factories);
    connector.setHost(settings.address());
    connector.setPort(settings.port());
    connector.setAcceptQueueSize(settings.maxConnections());
    connector.setIdleTimeout(IDLE_TIMEOUT.toMillis());
    connector.addBean(new SlowRequests(connector, limits));
    return connector;
  }

  /**
   * Notes what {@link #later} and {@link #age} need, and serves every request as {@link Plain}:
   * HEAD with the same checks as GET.
   */
  private static final class FirstHandler extends Handler.Wrapper {
    FirstHandler(Handler next) {
      super(next);
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
      request.setAttribute(EXECUTOR, request.getComponents().getExecutor());
      request.setAttribute(BEGIN, System.nanoTime());
      return super.handle(new Plain(request), response, callback);
    }
  }

  /**
   * A request as routes see it: GET for HEAD, whose body Jetty leaves out, and without the wish for
   * a WebSocket, which a server may ignore (RFC 9110, 7.8). Javalin would answer such a request
   * before any check, and keep a session of it.
   */
  private static final class Plain extends Request.Wrapper {
    private final HttpFields headers;

    Plain(Request request) {
      super(request);
      HttpFields all = request.getHeaders();
      headers =
          all.contains(HttpHeader.SEC_WEBSOCKET_VERSION)
              ? HttpFields.build(all, EnumSet.of(HttpHeader.SEC_WEBSOCKET_VERSION)).asImmutable()
              : all;
    }

    @Override
    public HttpFields getHeaders() {
      return headers;
    }

    @Override
    public String getMethod() {
      String method = super.getMethod();
      return HttpMethod.HEAD.is(method) ? HttpMethod.GET.asString() : method;
    }
  }

  /**
   * Reads and drops a body before it is refused if its declared length is above the limit, up to
   * {@value #FACTOR} times the limit. A client that still writes would otherwise see a broken
   * connection instead of the problem document.
   */
  private static final class LongBodyHandler extends Handler.Wrapper {
    private static final int FACTOR = 16;

    private final long limit;

    LongBodyHandler(Handler next, long limit) {
      super(next);
      this.limit = limit;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
      long length = request.getLength();
      if (length <= limit || length > FACTOR * limit) {
        return super.handle(request, response, callback);
      }
      Content.Source.consumeAll(
          request,
          Callback.from(
              () -> Response.writeError(request, response, callback, HttpCode.TOO_LARGE.status()),
              callback::failed));
      return true;
    }
  }
}
