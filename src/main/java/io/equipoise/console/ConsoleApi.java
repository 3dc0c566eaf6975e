package io.equipoise.console;

import com.fasterxml.jackson.databind.JsonNode;
import io.equipoise.http.JsonBody;
import io.equipoise.http.TokenScope;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.function.Function;

/** The requests of the page. All of them only read. */
final class ConsoleApi {
  private static final int MOST_LINES = 200;
  private static final int LINES = 20;

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
    routes.sse(
        "/api/live",
        client -> {
          PageFiles.secure(client.ctx());
          live.open(client);
        },
        TokenScope.READ);
  }

  private static void get(
      RoutesConfig routes, String path, Function<Parameters, JsonNode> document) {
    routes.get(
        path,
        request -> {
          noStore(request);
          JsonBody.answer(request, 200, document.apply(new Parameters(request)));
        },
        TokenScope.READ);
  }

  /** Answers contain data of persons. */
  private static void noStore(Context request) {
    PageFiles.secure(request);
    request.header("Cache-Control", "no-store");
  }
}
