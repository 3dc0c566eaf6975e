package io.equipoise.gateway;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.equipoise.event.TraceParent;
import io.equipoise.http.HttpCode;
import io.equipoise.http.HttpServer;
import io.equipoise.http.JsonBody;
import io.equipoise.http.Problem;
import io.equipoise.http.ProblemException;
import io.equipoise.http.TokenScope;
import io.equipoise.job.options.Delivery;
import io.equipoise.segmentspec.Arm;
import io.equipoise.segmentspec.SegmentMatch;
import io.equipoise.segmentspec.SegmentSpec;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.javalin.http.Handler;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Function;
import org.eclipse.jetty.ee10.servlet.ServletContextRequest;
import org.eclipse.jetty.server.Request;
import org.jspecify.annotations.Nullable;

/** Maps the addresses of a gateway to its service. {@code docs/gateway.md} describes them. */
final class GatewayRoutes {
  private static final int RETRY_SECONDS = 2;
  private static final int MOST_BEHIND = 100;

  private static final byte[] OPEN_API = resource("/openapi.json");

  private final Gateway gateway;
  private final GatewayConfig config;
  private final GatewayService service;
  private final SpecFollower specs;
  private final RunningSpecs running;
  private final GatewayMetrics metrics;

  GatewayRoutes(
      Gateway gateway,
      GatewayConfig config,
      GatewayService service,
      SpecFollower specs,
      RunningSpecs running,
      GatewayMetrics metrics) {
    this.gateway = gateway;
    this.config = config;
    this.service = service;
    this.specs = specs;
    this.running = running;
    this.metrics = metrics;
  }

  void add(RoutesConfig routes) {
    post(routes, "/v1/decisions", this::decide);
    post(routes, "/v1/decisions:batch", this::decideAll);
    get(routes, "/v1/decisions/{decisionId}", this::recent, TokenScope.READ);
    post(routes, "/v1/decisions/{decisionId}/shown", this::shown);
    post(routes, "/v1/rewards", this::reward);
    post(routes, "/v1/rewards:batch", this::rewardAll);
    get(routes, "/v1/segments", this::segments, TokenScope.READ);
    get(routes, "/healthz", GatewayRoutes::health, TokenScope.PUBLIC);
    get(routes, "/readyz", this::ready, TokenScope.PUBLIC);
    get(routes, "/metrics", metrics::write, TokenScope.READ);
    get(routes, "/openapi.json", GatewayRoutes::openApi, TokenScope.PUBLIC);
    new Personalizer(service, metrics).addTo(routes);
  }

  private void post(RoutesConfig routes, String path, Handler handler) {
    Handler bounded =
        request -> service.reading(request.bodyAsBytes().length, () -> handler.handle(request));
    routes.post(path, metrics.counted(path, bounded), TokenScope.WRITE);
  }

  private void get(RoutesConfig routes, String path, Handler handler, TokenScope scope) {
    routes.get(path, metrics.counted(path, handler), scope);
  }

  private void decide(Context request) {
    ObjectNode body = body(request);
    check(request, body, "");
    Queue<Answer> written = whenWritten(request);
    HttpServer.later(
        request,
        () -> service.decide(body, HttpServer.age(request), trace(request)),
        answer -> {
          written.add(answer);
          JsonBody.answer(request, 200, answer.json());
        });
  }

  static @Nullable String trace(Context request) {
    return TraceParent.of(request.header(TraceParent.HEADER));
  }

  /** Returns a queue whose answers are confirmed when the response was written to the socket. */
  private Queue<Answer> whenWritten(Context request) {
    Queue<Answer> answers = new ConcurrentLinkedQueue<>();
    afterWriting(request, () -> answers.forEach(answer -> service.written(answer, answer.arm())));
    return answers;
  }

  /** Runs an action when the response was written to the socket; not if writing failed. */
  static void afterWriting(Context request, Runnable action) {
    Request.addCompletionListener(
        ServletContextRequest.getServletContextRequest(request.req()),
        failure -> {
          if (failure == null) {
            action.run();
          }
        });
  }

  private void shown(Context request) {
    ObjectNode body = body(request);
    check(request, body, "");
    String decisionId = request.pathParam("decisionId");
    HttpServer.later(
        request,
        () -> service.shown(decisionId, body),
        sent -> JsonBody.answer(request, 202, JsonNodeFactory.instance.objectNode()));
  }

  private void decideAll(Context request) {
    List<JsonNode> given = batch(body(request), "decisions");
    String trace = trace(request);
    Queue<Answer> written = whenWritten(request);
    List<CompletableFuture<JsonNode>> answers =
        each(
            request,
            "decisions",
            given,
            one ->
                service
                    .decide(one, HttpServer.age(request), trace)
                    .thenApply(
                        answer -> {
                          written.add(answer);
                          return answer.json();
                        }));
    HttpServer.later(
        request,
        () -> whenAll(answers),
        all -> {
          ObjectNode json = JsonNodeFactory.instance.objectNode();
          json.putArray("decisions").addAll(all);
          JsonBody.answer(request, 200, json);
        });
  }

  private void reward(Context request) {
    ObjectNode body = body(request);
    check(request, body, "");
    ObjectNode accepted = JsonNodeFactory.instance.objectNode();
    accepted.set("segment", body.path("segment"));
    accepted.set("decisionId", body.path("decisionId"));
    HttpServer.later(
        request, () -> service.reward(body), sent -> JsonBody.answer(request, 202, accepted));
  }

  /** Takes those that are valid; the answer has a problem in the place of each other one. */
  private void rewardAll(Context request) {
    List<JsonNode> given = batch(body(request), "rewards");
    List<CompletableFuture<JsonNode>> answers =
        each(
            request,
            "rewards",
            given,
            one -> service.reward(one).thenApply(nothing -> JsonNodeFactory.instance.objectNode()));
    HttpServer.later(
        request,
        () -> whenAll(answers),
        all -> {
          ObjectNode json = JsonNodeFactory.instance.objectNode();
          json.put("accepted", all.stream().filter(JsonNode::isEmpty).count());
          json.putArray("rewards").addAll(all);
          JsonBody.answer(request, 202, json);
        });
  }

  private void recent(Context request) {
    String segment = request.queryParam("segment");
    if (segment == null) {
      throw RequestFields.refused("segment", "a query parameter is required");
    }
    String decisionId = request.pathParam("decisionId");
    Answer answer =
        service
            .recent(segment, decisionId)
            .orElseThrow(
                () ->
                    new ProblemException(
                        HttpCode.NOT_FOUND, "decisionId: not among the recent decisions"));
    JsonBody.answer(request, 200, answer.json());
  }

  private void segments(Context request) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    ArrayNode all = json.putArray("segments");
    for (SegmentSpec spec : specs.specs().inForce()) {
      ObjectNode one = all.addObject();
      one.put("spec", spec.name());
      one.put("version", spec.version());
      one.put("selector", selector(spec.match()));
      ArrayNode arms = one.putArray("arms");
      spec.arms().list().stream().map(Arm::id).forEach(arms::add);
      one.put("fallback", spec.join().fallbackArm());
    }
    ArrayNode behind = json.putArray("behind");
    running
        .behind(MOST_BEHIND)
        .forEach(
            (segment, compiled) ->
                behind
                    .addObject()
                    .put("segment", segment)
                    .put("spec", compiled.spec().name())
                    .put("version", compiled.spec().version()));
    JsonBody.answer(request, 200, json);
  }

  private static String selector(SegmentMatch match) {
    if (match instanceof SegmentMatch.Exact exact) {
      return "exact " + String.join(", ", exact.segments());
    }
    return match instanceof SegmentMatch.Pattern pattern
        ? "pattern " + pattern.pattern().pattern()
        : "default";
  }

  private static void health(Context request) {
    JsonBody.answer(request, 200, JsonNodeFactory.instance.objectNode().put("status", "ok"));
  }

  private static void openApi(Context request) {
    request.contentType("application/json").result(OPEN_API);
  }

  private void ready(Context request) {
    boolean isReady = gateway.isReady();
    boolean isAtLeastOnce = config.job().delivery() == Delivery.AT_LEAST_ONCE;
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("status", isReady ? "ready" : "not ready");
    json.put("delivery", isAtLeastOnce ? "at-least-once" : "exactly-once");
    json.put("expectedLatencyMs", gateway.expectedLatency().toMillis());
    if (!isReady) {
      request.header("Retry-After", Integer.toString(RETRY_SECONDS));
    }
    JsonBody.answer(request, isReady ? 200 : HttpCode.NOT_READY.status(), json);
  }

  /** Reads the body of a request that needs the topics. */
  private ObjectNode body(Context request) {
    ObjectNode body = JsonBody.readUnchecked(request);
    if (!gateway.isReady()) {
      throw new ProblemException(Problem.of(HttpCode.NOT_READY, null).retryAfter(RETRY_SECONDS));
    }
    return body;
  }

  private List<JsonNode> batch(ObjectNode body, String name) {
    RequestFields fields = new RequestFields(body, "", Set.of(name));
    @Nullable List<JsonNode> given = fields.list(name);
    if (given == null || given.isEmpty() || given.size() > config.maxBatch()) {
      throw RequestFields.refused(
          name, "an array of 1 to %d objects is required".formatted(config.maxBatch()));
    }
    return given;
  }

  /** Refuses texts without a UTF-8 form, and another segment than the header of Personalizer. */
  private static void check(Context request, JsonNode one, String place) {
    JsonBody.checkTexts(one, place);
    String header = request.header(Personalizer.SEGMENT_HEADER);
    String segment = one.path("segment").asText();
    if (header != null && !segment.equals(header)) {
      throw RequestFields.refused(
          place.isEmpty() ? "segment" : place + ".segment",
          "the header %s names another segment; leave it out, or make them equal"
              .formatted(Personalizer.SEGMENT_HEADER));
    }
  }

  /** Starts every request of a batch; a problem is the answer of its place. */
  private List<CompletableFuture<JsonNode>> each(
      Context request,
      String name,
      List<JsonNode> given,
      Function<JsonNode, CompletableFuture<? extends JsonNode>> start) {
    List<CompletableFuture<JsonNode>> answers = new ArrayList<>();
    for (JsonNode one : given) {
      CompletableFuture<JsonNode> answer;
      try {
        check(request, one, name + "[" + answers.size() + "]");
        answer = start.apply(one).<JsonNode>thenApply(it -> it).exceptionally(this::problem);
      } catch (ProblemException e) {
        answer = CompletableFuture.completedFuture(problem(e));
      }
      answers.add(answer);
    }
    return answers;
  }

  private JsonNode problem(Throwable failure) {
    Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
    if (cause instanceof ProblemException problem) {
      metrics.refused(problem.problem().code());
      ObjectNode json = JsonNodeFactory.instance.objectNode();
      json.set("problem", problem.problem().json());
      return json;
    }
    throw new CompletionException(cause);
  }

  private static CompletableFuture<List<JsonNode>> whenAll(
      List<CompletableFuture<JsonNode>> answers) {
    return CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new))
        .thenApply(done -> answers.stream().map(CompletableFuture::join).toList());
  }

  private static byte[] resource(String name) {
    try (InputStream in = Objects.requireNonNull(GatewayRoutes.class.getResourceAsStream(name))) {
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + name, e);
    }
  }
}
