package io.equipoise.lab.bench;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.equipoise.http.HttpServer;
import io.equipoise.http.HttpSettings;
import io.equipoise.http.JsonBody;
import io.equipoise.http.TokenScope;

/**
 * Serves the gateway's HTTP with decisions from memory: it reads the request, and answers with a
 * copy of one decision. The additional time of a gateway is that of topics and job.
 */
final class IdentityGateway {
  static final String DECISIONS = "/v1/decisions";

  private IdentityGateway() {}

  /**
   * Starts the server on a free port of the loopback address.
   *
   * @param decision an answer of the gateway
   */
  static HttpServer start(ObjectNode decision) {
    return HttpServer.start(
        HttpSettings.loopback(0),
        routes ->
            routes.post(
                DECISIONS,
                request -> {
                  ObjectNode asked = JsonBody.read(request);
                  ObjectNode answer = decision.deepCopy();
                  answer.set("decisionId", asked.path("decisionId"));
                  JsonBody.answer(request, 200, answer);
                },
                TokenScope.WRITE));
  }
}
