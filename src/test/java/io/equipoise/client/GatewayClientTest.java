package io.equipoise.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.equipoise.client.GatewayClient.Asked;
import io.equipoise.client.GatewayClient.Effect;
import io.equipoise.client.GatewayClient.Result;
import io.equipoise.client.GatewayClient.Served;
import io.equipoise.event.AuditEffectKind;
import io.equipoise.event.AuditVerdict;
import io.equipoise.event.CandidateArm;
import io.equipoise.event.EffectUnit;
import io.equipoise.event.WireReward;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the client sends and what it makes of every kind of answer, against a scripted server. */
class GatewayClientTest {
  private static final Map<String, Object> PERSON = Map.of("gender", "f", "age", 31);
  private static final Duration PATIENT = Duration.ofSeconds(60);
  private static final String FALLBACK = "offer=standard";
  private static final InstantSource CLOCK = InstantSource.fixed(Instant.ofEpochMilli(5000));
  private static final String DECIDED =
      """
      {"decisionId": "$id", "arm": "offer=small", "reason": "EXPLOIT",
       "candidates": [{"arm": "offer=small", "propensity": 0.9}]}""";
  private static final String LATE =
      """
      {"decisionId": "$id", "arm": "offer=large", "reason": "DEADLINE_EXCEEDED"}""";

  /**
   * @param body {@code $id} stands for the decision id of the first context
   */
  private record Answer(int status, String body, @Nullable String retryAfter) {}

  private static final Answer ACCEPTED =
      new Answer(202, "{\"segment\": \"offers\", \"decisionId\": \"$id\"}", null);

  /** Closes the connection without an answer. */
  private static final Answer DROP = new Answer(0, "", null);

  private final Queue<Answer> answers = new ArrayDeque<>();
  private final List<JsonNode> requests = Collections.synchronizedList(new ArrayList<>());
  private final List<String> paths = Collections.synchronizedList(new ArrayList<>());
  private HttpServer server = null;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::serve);
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private void serve(HttpExchange exchange) throws IOException {
    try (exchange) {
      JsonNode request = new ObjectMapper().readTree(exchange.getRequestBody());
      requests.add(request);
      String token = exchange.getRequestHeaders().getFirst("Authorization");
      paths.add(exchange.getRequestURI() + (token == null ? "" : " " + token));
      Answer answer = answers.remove();
      if (answer.equals(DROP)) {
        throw new IOException("dropped");
      }
      if (answer.retryAfter != null) {
        exchange.getResponseHeaders().add("Retry-After", answer.retryAfter);
      }
      String id = request.findPath("decisionId").asText();
      byte[] body = answer.body.replace("$id", id).getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(answer.status, body.length == 0 ? -1 : body.length);
      exchange.getResponseBody().write(body);
    }
  }

  private static String problem(int status, String code) {
    return """
           {"status": %d, "code": "%s", "title": "t", "detail": "d", "remedy": "r"}"""
        .formatted(status, code);
  }

  private GatewayClient client(Duration timeout, int retries, Answer... given) {
    answers.addAll(List.of(given));
    URI address = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/");
    return new GatewayClient(address, "secret", timeout, retries, CLOCK);
  }

  private GatewayClient client(Answer... given) {
    return client(Duration.ofSeconds(10), 3, given);
  }

  private static Answer ok(String body) {
    return new Answer(200, body, null);
  }

  @Test
  void aDecisionHasArmReasonAndPropensities() throws Exception {
    List<CandidateArm> candidates = List.of(new CandidateArm("a", Map.of("price", 2.5)));
    Asked asked = new Asked("offers", PERSON, candidates, null, "d-1", 7L);
    assertEquals(
        new Served(
            "offers", "d-1", "offer=small", "EXPLOIT", Map.of("offer=small", 0.9), false, null),
        client(ok(DECIDED)).decide(asked));
    assertEquals(List.of("/v1/decisions Bearer secret"), paths);
    assertEquals(
        new ObjectMapper()
            .readTree(
                """
                {"segment": "offers", "decisionId": "d-1", "eventTime": 7,
                 "attributes": {"gender": "f", "age": 31},
                 "candidates": [{"name": "a", "attributes": {"price": 2.5}}],
                 "deadlineMs": 9000}"""),
        new ObjectMapper().readTree(requests.get(0).toString()));
  }

  @Test
  void aRetryAsksForTheSameDecision() throws Exception {
    Answer busy = new Answer(503, problem(503, "NOT_READY"), null);
    client(busy, busy, ok(DECIDED)).decide("offers", PERSON, null);
    assertEquals(3, requests.size());
    assertEquals(requests.get(0), requests.get(1));
    assertEquals(requests.get(0), requests.get(2));
    assertEquals(5000, requests.get(0).path("eventTime").asLong());
    client(ok(DECIDED)).decide("offers", PERSON, null);
    assertNotEquals(requests.get(0).path("decisionId"), requests.get(3).path("decisionId"));
  }

  @Test
  void aLostConnectionGivesTheFallback() throws Exception {
    Served served = client(Duration.ofSeconds(20), 0, DROP, DROP).decide("s", PERSON, FALLBACK);
    assertEquals(FALLBACK, served.arm());
    assertEquals("UNAVAILABLE", served.reason());
    assertTrue(served.isFallback());
  }

  @Test
  void aRejectedRequestIsAnErrorEvenWithAFallback() {
    GatewayClient client = client(new Answer(422, problem(422, "UNKNOWN_LEVEL"), null));
    GatewayException thrown =
        assertThrows(GatewayException.class, () -> client.decide("offers", PERSON, FALLBACK));
    assertFalse(thrown.isUnavailable());
    assertEquals(422, thrown.status());
    assertEquals("UNKNOWN_LEVEL", thrown.code());
    assertEquals("r", thrown.remedy());
    assertEquals(1, requests.size());
  }

  @Test
  void anAnswerAfterTheDeadlineIsTheCallersFallback() throws Exception {
    GatewayClient client = client(ok(LATE), ok(LATE));
    Served own = client.decide("offers", PERSON, FALLBACK);
    assertEquals(FALLBACK, own.arm());
    assertTrue(own.isFallback());
    assertEquals("offer=large", client.decide("offers", PERSON, null).arm());
  }

  @Test
  void aSilentGatewayGivesTheFallbackWithinTheTimeout() throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      URI address = URI.create("http://127.0.0.1:" + silent.getLocalPort());
      GatewayClient client = new GatewayClient(address, null, Duration.ofMillis(300), 3, CLOCK);
      assertTrue(client.decide("offers", PERSON, FALLBACK).isFallback());
      GatewayException thrown =
          assertThrows(GatewayException.class, () -> client.decide("offers", PERSON, null));
      assertTrue(thrown.isUnavailable());
    }
  }

  @Test
  void aRetryAfterThatIsTooLongEndsTheCall() {
    GatewayClient client = client(new Answer(429, problem(429, "TOO_MANY_REQUESTS"), "60"));
    GatewayException thrown =
        assertThrows(GatewayException.class, () -> client.decide("offers", PERSON, null));
    assertTrue(thrown.isUnavailable());
    assertEquals("TOO_MANY_REQUESTS", thrown.code());
    assertEquals(1, requests.size());
  }

  @Test
  void theRetriesAreLimited() {
    Answer failed = new Answer(500, "no JSON", null);
    GatewayClient client = client(Duration.ofSeconds(60), 2, failed, failed, failed);
    GatewayException thrown =
        assertThrows(GatewayException.class, () -> client.decide("offers", PERSON, null));
    assertEquals("HTTP_500", thrown.code());
    assertEquals(3, requests.size());
  }

  @Test
  void aBatchHasADecisionAFallbackOrAProblemForEachContext() throws Exception {
    String bad = "{\"problem\": " + problem(422, "UNKNOWN_LEVEL") + "}";
    String busy = "{\"problem\": " + problem(429, "TOO_MANY_REQUESTS") + "}";
    Answer answer = ok("{\"decisions\": [" + DECIDED + ", " + bad + ", " + busy + "]}");
    Asked asked = new Asked("offers", PERSON, null, FALLBACK, null, null);
    List<Result> results = client(answer).decide(List.of(asked, asked, asked));
    assertEquals("offer=small", results.get(0).get().arm());
    assertThrows(GatewayException.class, results.get(1)::get);
    assertTrue(results.get(2).get().isFallback());
    assertEquals(List.of("/v1/decisions:batch Bearer secret"), paths);
  }

  @Test
  void aConfirmationNamesTheArmThatWasShownAndRepeatsItself() throws Exception {
    GatewayClient client = client(DROP, new Answer(202, "{}", null));
    client.shown(new Served("offers", "d 1/+ü", FALLBACK, "UNAVAILABLE", Map.of(), true, null));
    String path = "/v1/decisions/d%201%2F%2B%C3%BC/shown Bearer secret";
    assertEquals(List.of(path, path), paths);
    assertEquals(
        new ObjectMapper()
            .readTree(
                """
                {"segment": "offers", "eventTime": 5000, "shownArm": "offer=standard"}"""),
        new ObjectMapper().readTree(requests.get(1).toString()));
  }

  @Test
  void aRewardNamesTheArmThatWasShown() throws Exception {
    GatewayClient client = client(ACCEPTED, ACCEPTED);
    client.reward(new Served("offers", "d-1", FALLBACK, "UNAVAILABLE", Map.of(), true, null), 0.5);
    client.reward(
        new WireReward("d-1", "r-1", "offers", 7, 0.5, Map.of("clicks", 2L), "offer=small"));
    ObjectMapper mapper = new ObjectMapper();
    assertEquals(
        mapper.readTree(
            """
            {"segment": "offers", "decisionId": "d-1", "value": 0.5, "eventTime": 5000,
             "shownArm": "offer=standard"}"""),
        mapper.readTree(requests.get(0).toString()));
    assertEquals(
        mapper.readTree(
            """
            {"segment": "offers", "decisionId": "d-1", "value": 0.5, "eventTime": 7,
             "shownArm": "offer=small", "mediators": {"clicks": 2}, "rewardId": "r-1"}"""),
        mapper.readTree(requests.get(1).toString()));
  }

  @Test
  void theComparisonsOfADecisionAreReturnedToWhoAsksForThem() throws Exception {
    String effect =
        """
        {"attribute": "gender", "kind": "DIRECT", "factual": "f", "counterfactual": "m", "estimate": 0.1, "lower": -0.2,
         "upper": null, "threshold": 0.3, "unit": "REWARD", "verdict": "UNCERTAIN", "later": 1}""";
    String answer = DECIDED.replaceFirst("[{]", "{\"fairness\": [" + effect + "], ");
    Asked asked = new Asked("offers", PERSON, null, null, null, null, true);
    Served served = client(ok(answer)).decide(asked);
    assertEquals(
        List.of(
            new Effect(
                "gender",
                AuditEffectKind.DIRECT,
                "f",
                "m",
                0.1,
                -0.2,
                null,
                0.3,
                EffectUnit.REWARD,
                AuditVerdict.UNCERTAIN)),
        served.fairness());
    assertTrue(requests.get(0).path("fairness").asBoolean());
  }

  @Test
  void anEmptyBatchNeedsNoRequest() throws Exception {
    assertEquals(List.of(), client().decide(List.of()));
    assertTrue(requests.isEmpty());
  }

  @Test
  void aNumberThatIsNotFiniteAndATextWithoutAUtf8FormAreNotSent() {
    GatewayClient client = client();
    assertThrows(
        IllegalArgumentException.class,
        () -> client.decide("offers", Map.of("age", Double.NaN), FALLBACK));
    for (String text : List.of("x\udc00y", "\ud800")) {
      assertThrows(
          IllegalArgumentException.class,
          () -> client.decide("offers", Map.of("age", text), FALLBACK));
    }
    assertTrue(requests.isEmpty());
  }

  @ParameterizedTest
  @CsvSource({"'s3cret\n',7", "'s3 cret',3", "s\u00e9cret,2", "'s3cret\t',7", "s3cret\u007f,7"})
  void aTokenWithACharacterThatNoTokenHasIsRefusedWithoutItsText(String token, int place) {
    IllegalArgumentException thrown =
        assertThrows(IllegalArgumentException.class, () -> clientWith(token));
    assertEquals(
        "the token has at place %d a blank, a line end or another character that no token has;"
                .formatted(place)
            + " strip what you read from a file",
        thrown.getMessage());
  }

  @Test
  void anEmptyTokenIsRefused() {
    IllegalArgumentException thrown =
        assertThrows(IllegalArgumentException.class, () -> clientWith(""));
    assertEquals(
        "the token is empty; leave it out if the gateway has no tokens", thrown.getMessage());
  }

  @Test
  void aTokenIsOfAnyVisibleCharacters() throws Exception {
    answers.add(ok(DECIDED));
    clientWith("!-_.~a9").decide("offers", PERSON, null);
    assertEquals(List.of("/v1/decisions Bearer !-_.~a9"), paths);
  }

  private GatewayClient clientWith(String token) {
    URI address = URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    return new GatewayClient(address, token, Duration.ofSeconds(10), 0, CLOCK);
  }

  @ParameterizedTest
  @CsvSource({
    "it is needed,Send it.,C: it is needed. Send it.",
    "It is needed.,Send it.,C: It is needed. Send it.",
    "Is it needed?,Send it.,C: Is it needed? Send it.",
    "it is needed,'',C: it is needed",
    "'',Send it.,C: Send it."
  })
  void detailAndRemedyAreSentences(String detail, String remedy, String message) {
    String body = "{\"code\": \"C\", \"detail\": \"%s\", \"remedy\": \"%s\"}";
    GatewayClient client = client(new Answer(422, body.formatted(detail, remedy), null));
    GatewayException thrown =
        assertThrows(GatewayException.class, () -> client.decide("offers", PERSON, FALLBACK));
    assertEquals(message, thrown.getMessage());
  }

  @Test
  void theLastFailureIsNamedOnceInWords() throws Exception {
    Answer busy = new Answer(503, problem(503, "NOT_READY"), null);
    GatewayClient client = client(PATIENT, 1, busy, busy, DROP, DROP);
    String address = "http://127.0.0.1:" + server.getAddress().getPort();
    String call = "no answer of " + address + " to POST /v1/decisions after ";
    assertEquals("NOT_READY: " + call + "2 tries; last: d. r", messageOf(client));
    assertEquals(
        "UNAVAILABLE: " + call + "2 tries; last: the connection was closed before the whole answer",
        messageOf(client));
    server.stop(0);
    assertEquals("UNAVAILABLE: " + call + "2 tries; last: no connection", messageOf(client));
    GatewayClient once = new GatewayClient(URI.create(address), null, PATIENT, 0, CLOCK);
    assertEquals("UNAVAILABLE: " + call + "1 try; last: no connection", messageOf(once));
  }

  @Test
  void aHostWithoutAnAddressIsNamedInWords() {
    String tooLong = "a".repeat(60) + ("." + "a".repeat(60)).repeat(4);
    GatewayClient client =
        new GatewayClient(URI.create("http://" + tooLong), null, PATIENT, 0, CLOCK);
    String message = messageOf(client);
    assertTrue(message.endsWith("; last: the host name has no address"), message);
  }

  private static String messageOf(GatewayClient client) {
    return String.valueOf(
        assertThrows(GatewayException.class, () -> client.decide("offers", PERSON, null))
            .getMessage());
  }

  @Test
  void aDecisionIdWithoutAUtf8FormIsNotConfirmed() {
    Served served = new Served("offers", "d\ud800", FALLBACK, "", Map.of(), true, null);
    GatewayClient client = client();
    assertThrows(IllegalArgumentException.class, () -> client.shown(served));
    assertTrue(requests.isEmpty());
  }
}
