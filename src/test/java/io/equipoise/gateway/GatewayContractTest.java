package io.equipoise.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SpecVersion.VersionFlag;
import io.equipoise.client.GatewayClient;
import io.equipoise.event.FairnessAudit;
import io.equipoise.event.Wire;
import io.equipoise.event.WireReward;
import io.javalin.Javalin;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What {@code /openapi.json} says is what the gateway does, in front of a job. */
@Tag("slow")
@Timeout(120)
class GatewayContractTest {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final JsonNode DOCUMENT = document();
  private static final Set<String> METHODS = Set.of("get", "post", "put", "delete", "patch");
  private static final HttpClient HTTP = HttpClient.newHttpClient();
  private static final String RANK =
      """
      {"contextFeatures": [{"income": "low"}, {"gender": "f"}],
       "actions": [{"id": "offer=small"}, {"id": "offer=standard"}, {"id": "offer=large"}],
       "eventId": "%s"}""";

  private static ServedReadme served;

  @BeforeAll
  static void start() throws InterruptedException {
    served = ServedReadme.start();
  }

  @AfterAll
  static void stop() {
    served.close();
  }

  private static JsonNode document() {
    try (InputStream in = GatewayContractTest.class.getResourceAsStream("/openapi.json")) {
      return MAPPER.readTree(Objects.requireNonNull(in));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void theSchemasAreSchemas() {
    JsonSchema draft =
        JsonSchemaFactory.getInstance(VersionFlag.V202012)
            .getSchema(SchemaLocation.of("https://json-schema.org/draft/2020-12/schema"));
    JsonNode schemas = DOCUMENT.path("components").path("schemas");
    assertTrue(schemas.size() >= 20, "schemas: " + schemas.size());
    for (Map.Entry<String, JsonNode> schema : schemas.properties()) {
      assertEquals(List.of(), List.copyOf(draft.validate(schema.getValue())), schema.getKey());
    }
    for (JsonNode reference : DOCUMENT.findValues("$ref")) {
      String pointer = reference.textValue().substring(1);
      assertFalse(DOCUMENT.at(pointer).isMissingNode(), pointer);
    }
  }

  @Test
  void theDocumentHasTheRoutesOfTheServer() throws Exception {
    Set<String> described = new TreeSet<>();
    for (Map.Entry<String, JsonNode> path : DOCUMENT.path("paths").properties()) {
      for (String method : METHODS) {
        if (path.getValue().has(method)) {
          described.add(method + " " + path.getKey());
        }
      }
    }
    Set<String> routes = new TreeSet<>();
    GatewayMetrics metrics = new GatewayMetrics(new OpenDecisions(1, 1));
    Javalin.create(
            config -> new GatewayRoutes(null, null, null, null, null, metrics).add(config.routes))
        .unsafe
        .internalRouter
        .allHttpHandlers()
        .forEach(
            route ->
                routes.add(
                    (route.endpoint.method.name().toLowerCase(Locale.ROOT)
                            + " "
                            + route.endpoint.path)
                        .replace('<', '{')
                        .replace('>', '}')));
    assertEquals(routes, described);
    HttpResponse<String> answer = get("/openapi.json");
    assertEquals(DOCUMENT, MAPPER.readTree(answer.body()));
  }

  /** In the order of the document, in which a decision comes before its reward. */
  @Test
  void everyExampleIsAcceptedAndItsAnswerFitsTheSchema() throws Exception {
    int sent = 0;
    for (Map.Entry<String, JsonNode> path : DOCUMENT.path("paths").properties()) {
      for (Map.Entry<String, JsonNode> method : path.getValue().properties()) {
        JsonNode operation = method.getValue();
        JsonNode content = operation.path("requestBody").path("content").path("application/json");
        if (content.isMissingNode()) {
          send(method.getKey(), path.getKey(), operation, null);
          sent++;
        }
        for (JsonNode example : content.path("examples")) {
          JsonNode body = example.path("value");
          assertFits(content.path("schema"), body, path.getKey());
          send(method.getKey(), path.getKey(), operation, body);
          sent++;
        }
      }
    }
    assertTrue(sent >= 18, "requests: " + sent);
  }

  private static void send(String method, String path, JsonNode operation, JsonNode body)
      throws Exception {
    String place = method + " " + path;
    StringBuilder query = new StringBuilder();
    List<String> headers = new ArrayList<>();
    String filled = path;
    for (JsonNode described : operation.path("parameters")) {
      JsonNode parameter = resolved(described);
      String name = parameter.path("name").asText();
      String value = parameter.path("example").asText();
      switch (parameter.path("in").asText()) {
        case "path" -> filled = filled.replace("{" + name + "}", value);
        case "query" -> query.append(query.isEmpty() ? "?" : "&").append(name + "=" + value);
        default -> headers.addAll(List.of(name, value));
      }
    }
    HttpResponse<String> answer =
        send(method, filled + query, body == null ? null : body.toString(), headers);
    String status = Integer.toString(answer.statusCode());
    JsonNode response = operation.path("responses").path(status);
    assertFalse(response.isMissingNode(), () -> place + ": " + status + " " + answer.body());
    JsonNode content = resolved(response).path("content");
    if (content.isMissingNode()) {
      assertEquals("", answer.body(), place);
      return;
    }
    String type = answer.headers().firstValue("Content-Type").orElse("").replaceFirst(";.*", "");
    assertTrue(content.has(type), () -> place + ": " + type);
    if (type.endsWith("json")) {
      assertFits(content.path(type).path("schema"), MAPPER.readTree(answer.body()), place);
    } else {
      assertFalse(answer.body().isEmpty(), place);
    }
  }

  private static JsonNode resolved(JsonNode described) {
    return described.has("$ref")
        ? DOCUMENT.at(described.path("$ref").textValue().substring(1))
        : described;
  }

  private static void assertFits(JsonNode schema, JsonNode value, String place) {
    ObjectNode whole = schema.deepCopy();
    whole.set("components", DOCUMENT.path("components"));
    JsonSchema compiled = JsonSchemaFactory.getInstance(VersionFlag.V202012).getSchema(whole);
    assertEquals(List.of(), List.copyOf(compiled.validate(value)), () -> place + ": " + value);
  }

  /** The numbers are those of the audit topic, and a repeated request gets the same. */
  @Test
  void anAnswerHasTheComparisonsOfItsAudit() throws Exception {
    String asked =
        """
        {"segment": "offers", "decisionId": "compared",
         "attributes": {"gender": "f", "income": "low"}, "fairness": true}""";
    JsonNode answer = MAPPER.readTree(post("/v1/decisions", asked).body());
    FairnessAudit audit =
        served.read(served.config().topics().audit(), Wire.AUDIT).stream()
            .filter(it -> it.decisionId().equals("compared"))
            .findFirst()
            .orElseThrow();
    assertEquals(1, answer.path("fairness").size(), answer::toString);
    JsonNode effect = answer.path("fairness").path(0);
    assertEquals("gender", effect.path("attribute").asText());
    assertEquals("f", effect.path("factual").asText());
    assertEquals("m", effect.path("counterfactual").asText());
    assertEquals(audit.effect().estimate(), effect.path("estimate").asDouble());
    assertEquals(audit.effect().lower(), effect.path("lower").asDouble());
    assertEquals(audit.effect().upper(), effect.path("upper").asDouble());
    assertEquals(audit.threshold(), effect.path("threshold").asDouble());
    assertEquals(audit.verdict().name(), effect.path("verdict").asText());
    assertEquals(answer, MAPPER.readTree(post("/v1/decisions", asked).body()));
    assertEquals(answer, MAPPER.readTree(get("/v1/decisions/compared?segment=offers").body()));
    String plain = asked.replace("compared", "plain").replace(", \"fairness\": true", "");
    assertFalse(MAPPER.readTree(post("/v1/decisions", plain).body()).has("fairness"));
  }

  @Test
  void errorsAreProblemsThatFitTheSchema() throws Exception {
    JsonNode schema = MAPPER.readTree("{\"$ref\": \"#/components/schemas/Problem\"}");
    for (HttpResponse<String> answer :
        List.of(
            post("/v1/decisions", "{"),
            post("/v1/decisions", "{\"segment\": \"offers\", \"attributes\": {}}"),
            get("/v1/decisions/unknown?segment=offers"),
            get("/nowhere"),
            post("/personalizer/v1.0/rank", RANK.formatted("e")),
            post("/segments/offers/personalizer/v1.0/rank", "{}"))) {
      assertEquals(
          "application/problem+json", answer.headers().firstValue("Content-Type").orElse(""));
      assertFits(schema, MAPPER.readTree(answer.body()), answer.uri().toString());
    }
  }

  @Test
  void aRankStartsWithTheDecidedActionAndRepeatsIt() throws Exception {
    String path = "/segments/offers/personalizer/v1.0";
    HttpResponse<String> first = post(path + "/rank", RANK.formatted("rank-1"));
    assertEquals(201, first.statusCode(), first::body);
    JsonNode ranked = MAPPER.readTree(first.body());
    assertEquals("rank-1", ranked.path("eventId").asText());
    assertEquals(3, ranked.path("ranking").size());
    assertEquals(ranked.path("rewardActionId"), ranked.path("ranking").path(0).path("id"));
    double sum = 0;
    for (JsonNode action : ranked.path("ranking")) {
      sum += action.path("probability").asDouble();
    }
    assertEquals(1, sum, 1e-9);
    HttpResponse<String> again = post(path + "/rank", RANK.formatted("rank-1"));
    assertEquals(
        ranked.path("rewardActionId"), MAPPER.readTree(again.body()).path("rewardActionId"));
    assertEquals(204, post(path + "/events/rank-1/reward", "{\"value\": 1}").statusCode());
    assertEquals(204, post(path + "/events/rank-1/activate", null).statusCode());
    WireReward reward = reward("rank-1");
    assertEquals(1, reward.reward());
    assertEquals(ranked.path("rewardActionId").asText(), reward.shownArm());
    assertProblem(
        post(path + "/events/nobody-ranked-it/reward", "{\"value\": 1}"),
        422,
        "SHOWN_ARM_REQUIRED");
    String metrics = get("/metrics").body();
    assertTrue(
        metrics.contains("path=\"/segments/{segment}/personalizer/v1.0/rank\",status=\"201\""),
        metrics);
    assertTrue(
        metrics.contains("equipoise_gateway_problems_total{code=\"SHOWN_ARM_REQUIRED\"}"), metrics);
    HttpResponse<String> byHeader =
        send(
            "post",
            "/personalizer/v1.0/rank",
            RANK.replace("\"eventId\": \"%s\"", "\"deferActivation\": true"),
            List.of("Equipoise-Segment", "offers"));
    assertEquals(201, byHeader.statusCode(), byHeader::body);
    assertNotEquals("", MAPPER.readTree(byHeader.body()).path("eventId").asText());
  }

  /** The cells of the README's policy have no model of other candidates. */
  @Test
  void aRankThatTheSegmentCannotAnswerIsAProblem() throws Exception {
    String path = "/segments/offers/personalizer/v1.0/rank";
    String other = RANK.formatted("rank-2").replace("offer=large", "offer=huge");
    assertProblem(post(path, other), 422, "CANDIDATES_UNSUPPORTED");
    String excluding =
        RANK.formatted("rank-3").replace("\"actions\"", "\"excludedActions\": [1], \"actions\"");
    assertProblem(post(path, excluding), 400, "INVALID_REQUEST");
    String poor = RANK.formatted("rank-4").replace("low", "poor");
    assertProblem(post(path, poor), 422, "UNKNOWN_LEVEL");
    assertProblem(
        post("/personalizer/v1.0/rank", RANK.formatted("rank-5")), 400, "INVALID_REQUEST");
    assertProblem(
        post("/segments/offers/personalizer/v1.1-preview.1/multislot/rank", "{}"),
        501,
        "NOT_IMPLEMENTED");
  }

  @Test
  void theJavaClientDecidesAndRewards() throws Exception {
    GatewayClient client =
        new GatewayClient(
            URI.create(served.url()), null, Duration.ofSeconds(30), 3, Clock.systemUTC());
    Map<String, Object> person = Map.of("gender", "m", "income", "high");
    GatewayClient.Served decision = client.decide("offers", person, "offer=standard");
    assertFalse(decision.isFallback());
    assertTrue(decision.propensities().containsKey(decision.arm()));
    client.reward(decision, 0.0);
    assertEquals(decision.arm(), reward(decision.decisionId()).shownArm());
    GatewayClient.Asked poor =
        new GatewayClient.Asked("offers", Map.of("income", "poor"), null, null, null, null);
    GatewayClient.Asked good =
        new GatewayClient.Asked("offers", person, null, null, decision.decisionId(), null);
    List<GatewayClient.Result> results = client.decide(List.of(poor, good));
    assertNotNull(results.get(0).problem());
    assertNull(results.get(1).problem());
    assertEquals(decision.arm(), results.get(1).get().arm());
  }

  private static WireReward reward(String decisionId) {
    return served.read(served.config().topics().rewards(), Wire.REWARD).stream()
        .filter(it -> it.decisionId().equals(decisionId))
        .findFirst()
        .orElseThrow();
  }

  private static void assertProblem(HttpResponse<String> answer, int status, String code)
      throws Exception {
    assertEquals(status, answer.statusCode(), answer::body);
    assertEquals(code, MAPPER.readTree(answer.body()).path("code").asText(), answer::body);
  }

  private static HttpResponse<String> get(String path) throws Exception {
    return send("get", path, null, List.of());
  }

  private static HttpResponse<String> post(String path, String body) throws Exception {
    return send("post", path, body, List.of());
  }

  private static HttpResponse<String> send(
      String method, String path, String body, List<String> headers) throws Exception {
    BodyPublisher publisher =
        body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body);
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(served.url() + path))
            .method(method.toUpperCase(Locale.ROOT), publisher);
    if (body != null) {
      request.header("Content-Type", "application/json");
    }
    for (int at = 0; at < headers.size(); at += 2) {
      request.header(headers.get(at), headers.get(at + 1));
    }
    return HTTP.send(request.build(), BodyHandlers.ofString());
  }
}
