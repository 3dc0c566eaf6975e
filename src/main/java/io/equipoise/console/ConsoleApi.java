package io.equipoise.console;

import com.fasterxml.jackson.databind.JsonNode;
import io.equipoise.http.JsonBody;
import io.equipoise.http.ProblemException;
import io.equipoise.http.TokenScope;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.javalin.http.sse.SseHandler;
import java.util.concurrent.Semaphore;
import java.util.function.Function;

/** Answers the requests of the page. All of them only read. */
final class ConsoleApi {
  private static final String EVENTS = "text/event-stream";
  private static final int MOST_LINES = 200;
  private static final int LINES = 20;

  /** The report has its styles and drawings in the page, and needs nothing else. */
  private static final String REPORT_POLICY =
      "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none';"
          + " frame-ancestors 'none'";

  /** A gateway decides with the same threads, so the console must leave most of them free. */
  private static final int MOST_REQUESTS = 16;

  private final Semaphore requests = new Semaphore(MOST_REQUESTS);
  private final Documents documents;
  private final LiveStream live;

  ConsoleApi(Documents documents, LiveStream live) {
    this.documents = documents;
    this.live = live;
  }

  void routes(RoutesConfig routes) {
    get(routes, "/api/info", parameters -> documents.info());
    get(routes, "/api/segments", parameters -> documents.overview(parameters.overview()));
    get(routes, "/api/segment", parameters -> documents.segment(parameters.required("name")));
    get(routes, "/api/spec", parameters -> documents.spec(parameters.required("hash")));
    get(
        routes,
        "/api/decisions",
        parameters ->
            documents.recent(
                parameters.text("segment"), parameters.number("limit", 1, MOST_LINES, LINES)));
    get(
        routes,
        "/api/decision",
        parameters ->
            documents.decision(
                parameters.text("segment"), parameters.required("id"), parameters.time("near")));
    get(routes, "/api/health", parameters -> documents.health());
    routes.get("/api/report", this::report, TokenScope.READ);
    routes.get("/api/live", this::live, TokenScope.READ);
  }

  /** Refuses what gets no stream before the stream begins. */
  private void live(Context request) throws Exception {
    noStore(request);
    live.check(new Parameters(request));
    String accepted = request.header("Accept");
    if (!EVENTS.equals(accepted)) {
      throw new ProblemException(
          ConsoleProblem.INVALID_PARAMETER.of(
              "the header Accept: given %s; allowed: %s"
                  .formatted(accepted == null ? "nothing" : accepted, EVENTS)));
    }
    new SseHandler(live::open).handle(request);
  }

  private void report(Context request) {
    Parameters parameters = new Parameters(request);
    String page =
        documents.report(
            parameters.required("segment"), parameters.time("from"), parameters.time("to"));
    noStore(request);
    request
        .header("Content-Security-Policy", REPORT_POLICY)
        .contentType("text/html; charset=utf-8")
        .result(page);
  }

  private void get(RoutesConfig routes, String path, Function<Parameters, JsonNode> document) {
    routes.get(
        path,
        request -> {
          noStore(request);
          JsonNode answer =
              Documents.limited(
                  requests,
                  MOST_REQUESTS + " requests at a time",
                  () -> document.apply(new Parameters(request)));
          JsonBody.answer(request, 200, answer);
        },
        TokenScope.READ);
  }

  /** Answers contain data of persons. */
  private static void noStore(Context request) {
    PageFiles.secure(request);
    request.header("Cache-Control", "no-store");
  }
}
