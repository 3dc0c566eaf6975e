package io.equipoise.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.equipoise.audit.log.LogRecord;
import io.equipoise.audit.verify.MemoryLog;
import io.equipoise.audit.verify.Tamper;
import io.equipoise.console.state.TimeAxis;
import io.equipoise.event.Decision;
import io.equipoise.event.FairnessAudit;
import io.equipoise.event.IdHash;
import io.equipoise.event.LogTopic;
import io.equipoise.event.PlacedOutput;
import io.equipoise.event.SegmentEvent;
import io.equipoise.event.SegmentMetrics;
import io.equipoise.event.Wire;
import io.equipoise.http.HttpSettings;
import io.equipoise.job.TestCluster;
import io.equipoise.job.options.JobConfig;
import io.equipoise.job.options.Topics;
import io.equipoise.tools.EmbeddedBroker;
import io.equipoise.tools.evaluate.LoggedRun;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.apache.flink.configuration.Configuration;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The console on the topics of a deployment, on a real broker. */
@Tag("slow")
class ConsoleServerTest {
  private static final Topics TOPICS = new Topics("shown");
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int DECISIONS = 1_200;
  private static final int OLD_DECISIONS = 60;
  private static final int LATENCY_MILLIS = 40;

  /** The old records are outside the history, and within the reach of a search with a hint. */
  private static final Duration HISTORY = Duration.ofMinutes(30);

  private static final long BUCKET_MILLIS = TimeAxis.of(HISTORY).bucketMillis();
  private static final Duration OLD = Duration.ofHours(5);
  private static final String HOSTILE =
      "<script>alert(1)</script> \u001b[31m \u202e&amp; \"'/%2F\u0000";

  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final HttpClient HTTP =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private static final LoggedRun RUN = Logs.run("offers", DECISIONS);
  private static final LoggedRun EARLIER = Logs.run("earlier", OLD_DECISIONS);

  private static EmbeddedBroker broker;
  private static ConsoleServer server;
  private static KafkaProducer<byte[], byte[]> producer;

  /** The time of the last record of the run. */
  private static long end;

  @BeforeAll
  static void start() throws Exception {
    broker = TestCluster.broker();
    Map<String, Object> settings = Map.of("bootstrap.servers", broker.bootstrapServers());
    try (Admin admin = Admin.create(settings)) {
      List<NewTopic> created = new ArrayList<>();
      for (LogTopic topic : LogTopic.values()) {
        created.add(new NewTopic(TOPICS.of(topic), MemoryLog.PARTITIONS, (short) 1));
      }
      TOPICS.controls().forEach(name -> created.add(new NewTopic(name, 1, (short) 1)));
      admin.createTopics(created).all().get();
    }
    // Brokers forget a producer by the time of its records, and refuse the next one for two
    // minutes.
    Map<String, Object> withOldRecords = new HashMap<>(settings);
    withOldRecords.put("enable.idempotence", false);
    withOldRecords.put("max.in.flight.requests.per.connection", 1); // a retry changes no order
    producer =
        new KafkaProducer<>(withOldRecords, new ByteArraySerializer(), new ByteArraySerializer());
    end = System.currentTimeMillis() - 5_000;
    var unused =
        producer.send(
            new ProducerRecord<>(
                TOPICS.specs(), bytes(Logs.SPEC.spec().key()), bytes(Logs.SPEC.spec().text())));
    copy(EARLIER.log, end - OLD.toMillis() - LoggedRun.START, 0);
    copy(RUN.log, end - DECISIONS * 1_000L - LoggedRun.START, OLD_DECISIONS);
    copyHostile();
    producer.flush();
    Configuration job = new Configuration();
    job.setString("equipoise.deployment", TOPICS.deployment());
    job.setString("kafka.bootstrap.servers", broker.bootstrapServers());
    server =
        ConsoleServer.start(
            new ConsoleSettings(JobConfig.from(job), HttpSettings.loopback(0), HISTORY, null, 9));
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!server.console().status().state().equals("LIVE")
        || server.console().status().behind() > 0) {
      assertTrue(System.nanoTime() < deadline, () -> server.console().status().toString());
      LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
    }
  }

  @AfterAll
  static void stop() {
    server.close();
    producer.close();
  }

  @Test
  void aTimeBeforeTheEpochFindsNothing() throws Exception {
    HttpResponse<String> answer =
        HTTP.send(
            HttpRequest.newBuilder(
                    URI.create(
                        server.address() + "/api/decision?id=none&near=0001-01-01T00:00:00Z"))
                .build(),
            HttpResponse.BodyHandlers.ofString());
    assertEquals(404, answer.statusCode(), answer.body());
  }

  @Test
  void prometheusReadsTheFiguresOfSegments() throws Exception {
    HttpResponse<String> answer =
        HTTP.send(
            HttpRequest.newBuilder(URI.create(server.address() + "/metrics")).build(),
            HttpResponse.BodyHandlers.ofString());
    assertEquals(200, answer.statusCode(), answer.body());
    assertTrue(answer.body().contains("equipoise_segment_decisions_total{segment="), answer.body());
    String published = "equipoise_segment_spec_published_timestamp_seconds{segment=";
    assertTrue(answer.body().contains(published), answer.body());
  }

  private static void copy(MemoryLog log, long shift, int contextsBefore) {
    for (LogTopic topic : LogTopic.values()) {
      for (int partition = 0; partition < MemoryLog.PARTITIONS; partition++) {
        for (LogRecord at : log.records(topic, partition)) {
          byte[] value = ofForgottenId(topic, at.value());
          long time = at.timestamp() + shift;
          if (topic == LogTopic.DECISIONS) {
            time += LATENCY_MILLIS;
            Decision decision = Wire.DECISION.decode(value);
            value =
                Wire.DECISION.encode(
                    Rewritten.with(
                        Decision.class,
                        decision,
                        "source.topic",
                        TOPICS.contexts(),
                        "source.offset",
                        decision.source().offset() + contextsBefore));
          }
          send(topic, partition, time, at.key(), value);
        }
      }
    }
  }

  /** Gives the decision with number 9 the id of that with number 8. */
  private static byte[] ofForgottenId(LogTopic topic, byte[] value) {
    return switch (topic) {
      case DECISIONS -> {
        Decision decision = Wire.DECISION.decode(value);
        yield decision.decisionId().endsWith("-9")
            ? Wire.DECISION.encode(Tamper.with(decision, "decisionId", eighth(decision)))
            : value;
      }
      case AUDIT -> {
        FairnessAudit audit = Wire.AUDIT.decode(value);
        yield audit.decisionId().endsWith("-9")
            ? Wire.AUDIT.encode(Tamper.with(audit, "decisionId", eighth(audit)))
            : value;
      }
      case SEGMENT_EVENTS -> {
        SegmentEvent event = Wire.SEGMENT_EVENT.decode(value);
        boolean isOf = IdHash.of(event.segment() + "-9").hex().equals(event.hashOfDecision());
        yield isOf
            ? Wire.SEGMENT_EVENT.encode(Tamper.with(event, "decision.id", eighth(event)))
            : value;
      }
      default -> value;
    };
  }

  private static String eighth(PlacedOutput output) {
    return output.segment() + "-8";
  }

  private static void send(LogTopic topic, int partition, long time, byte[] key, byte[] value) {
    var unused = producer.send(new ProducerRecord<>(TOPICS.of(topic), partition, time, key, value));
  }

  /** Names with markup, control characters and 10,000 characters in every place for names. */
  private static void copyHostile() {
    String huge = "x".repeat(10_000);
    Decision decision = Wire.DECISION.decode(RUN.log.records(LogTopic.DECISIONS, 1).get(0).value());
    for (String name : List.of(HOSTILE, huge)) {
      Decision hostile =
          Rewritten.with(
              Decision.class,
              decision,
              "segment",
              name,
              "decisionId",
              name,
              "arm",
              name,
              "candidates",
              List.of(name, name + "2"),
              "propensities.values",
              List.of(0.5, 0.5),
              "propensities.runs",
              List.of(),
              "policy",
              name);
      send(LogTopic.DECISIONS, 0, end, bytes(name), Wire.DECISION.encode(hostile));
      FairnessAudit audit = Wire.AUDIT.decode(RUN.log.records(LogTopic.AUDIT, 1).get(0).value());
      FairnessAudit named =
          Rewritten.with(
              FairnessAudit.class,
              audit,
              "segment",
              name,
              "decisionId",
              name,
              "arm",
              name,
              "effect",
              audit.effect().withLevels(name, name + "2"));
      send(LogTopic.AUDIT, 0, end, bytes(name), Wire.AUDIT.encode(named));
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static HttpResponse<String> get(String path) throws Exception {
    return HTTP.send(
        HttpRequest.newBuilder(URI.create(server.address() + path)).build(),
        BodyHandlers.ofString());
  }

  private static JsonNode json(String path) throws Exception {
    HttpResponse<String> answer = get(path);
    assertEquals(200, answer.statusCode(), answer::body);
    return MAPPER.readTree(answer.body());
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  @Test
  void theOverviewHasTheNumbersOfTheTopics() throws Exception {
    JsonNode overview = json("/api/segments?q=offers");
    assertEquals(1, overview.get("rows").size(), overview::toString);
    JsonNode row = overview.get("rows").get(0);
    assertEquals(DECISIONS, row.at("/decisions/window").asInt());
    assertEquals("f-ucb", row.get("policy").asText());
    assertEquals(1, row.get("specVersion").asInt());
    long certified = RUN.decisions.stream().filter(Decision::certified).count();
    assertEquals((double) certified / DECISIONS, row.get("certifiedShare").asDouble(), 1e-12);
    assertEquals(1, overview.get("total").asInt());
    assertTrue(json("/api/segments").at("/totals/segments").asInt() >= 3);
    assertTrue(row.at("/violations/window").asInt() > 10, row::toString);
    assertEquals(0, row.get("unfair").asInt(), "estimates beyond the limit prove nothing");
    assertEquals("warn", row.at("/attention/0/level").asText());
  }

  @Test
  void theOverviewIsSortedAndPaged() throws Exception {
    JsonNode overview = json("/api/segments?sort=rate&direction=asc&limit=1&offset=1");
    assertEquals(1, overview.get("rows").size());
    List<Double> rates = new ArrayList<>();
    List<String> names = new ArrayList<>();
    json("/api/segments?sort=rate&direction=asc")
        .get("rows")
        .forEach(
            row -> {
              rates.add(row.get("rate").asDouble());
              names.add(row.get("name").asText());
            });
    assertTrue(rates.size() >= 3, rates::toString);
    assertEquals(rates.size(), overview.get("total").asInt());
    assertEquals(rates.stream().sorted().toList(), rates);
    assertEquals(names.get(1), overview.at("/rows/0/name").asText());
  }

  @Test
  void theSegmentHasGroupsOfTheLastSnapshotAndItsSpec() throws Exception {
    JsonNode segment = json("/api/segment?name=offers");
    List<LogRecord> snapshots = RUN.log.records(LogTopic.METRICS, 1);
    SegmentMetrics last = Wire.METRICS.decode(snapshots.get(snapshots.size() - 1).value());
    JsonNode gender = segment.at("/fairness/attributes/0");
    assertEquals("gender", gender.get("attribute").asText());
    assertEquals(last.groups().means().size(), gender.get("groups").size());
    assertEquals(
        last.groups().means().get(0).mean(), gender.at("/groups/0/mean").asDouble(), 1e-12);
    assertTrue(gender.at("/groups/0/lower").asDouble() < gender.at("/groups/0/mean").asDouble());
    assertEquals(Logs.SPEC.spec().text(), segment.at("/model/specText").asText());
    assertEquals(4, segment.at("/model/graph/nodes").size());
    assertEquals(5, segment.at("/model/graph/edges").size());
    assertEquals("SPEC_ADOPTED", segment.at("/model/timeline/0/type").asText());
    assertEquals(20, segment.get("recent").size());
    assertEquals("offers-" + (DECISIONS - 1), segment.at("/recent/0/decisionId").asText());
  }

  @Test
  void aDecisionIsExplainedFromMemory() throws Exception {
    String id = "offers-" + (DECISIONS - 40);
    JsonNode found = json("/api/decision?id=" + id);
    assertEquals("MEMORY", found.get("foundIn").asText());
    assertExplained(found, RUN.decisions.get(DECISIONS - 40));
    assertEquals("SETTLED", found.at("/outcome/status").asText());
  }

  @Test
  void anOlderDecisionIsFoundByItsTime() throws Exception {
    long near = end - OLD.toMillis() + 60_000;
    JsonNode found = json("/api/decision?id=earlier-7&near=" + near);
    assertEquals("TOPICS", found.get("foundIn").asText());
    assertExplained(found, EARLIER.decisions.get(7));
    HttpResponse<String> without = get("/api/decision?id=earlier-7");
    assertEquals(404, without.statusCode());
    JsonNode problem = MAPPER.readTree(without.body());
    assertEquals("UNKNOWN_DECISION", problem.get("code").asText());
    assertTrue(problem.get("remedy").asText().contains("near"), problem::toString);
  }

  /** The job had forgotten the id. */
  @Test
  void eachDecisionOfAnIdIsFoundByItsTimeAndNamesTheOthers() throws Exception {
    for (LoggedRun run : List.of(EARLIER, RUN)) {
      String segment = run.decisions.get(8).segment();
      String place = run == RUN ? "MEMORY" : "TOPICS";
      long latest = run == RUN ? end : end - OLD.toMillis() + 60_000;
      JsonNode second =
          json("/api/decision?id=%s-8&segment=%s&near=%d".formatted(segment, segment, latest));
      long firstTime = second.at("/otherTimes/0").asLong();
      assertEquals(second.get("time").asLong() - 1_000, firstTime, second::toString);
      JsonNode first =
          json("/api/decision?id=%s-8&segment=%s&near=%d".formatted(segment, segment, firstTime));
      assertEquals(second.get("time"), first.at("/otherTimes/0"));
      for (JsonNode found : List.of(first, second)) {
        Decision decision = run.decisions.get(found == first ? 8 : 9);
        assertEquals(place, found.get("foundIn").asText());
        assertEquals(decision.seq(), found.get("seq").asLong());
        assertEquals(1, found.get("otherTimes").size());
        assertEquals(1, found.get("fairness").size());
        assertEquals(decision.seq(), found.at("/fairness/0/seq").asLong());
        assertEquals(1, found.at("/outcome/events").size());
      }
    }
  }

  private static void assertExplained(JsonNode found, Decision decision) {
    assertEquals(decision.decisionId(), found.get("decisionId").asText());
    assertEquals(decision.arm(), found.get("arm").asText());
    assertEquals(3, found.get("candidates").size());
    double propensities = 0;
    for (JsonNode candidate : found.get("candidates")) {
      propensities += candidate.get("propensity").asDouble();
      assertEquals(
          candidate.get("arm").asText().equals(decision.arm()),
          candidate.get("isChosen").asBoolean());
    }
    assertEquals(1, propensities, 1e-9);
    assertEquals("SHOWN", found.at("/context/state").asText(), found::toString);
    assertEquals("gender", found.at("/context/attributes/0/name").asText());
    assertTrue(found.get("fairness").size() >= 1, found::toString);
    String sentence = found.at("/fairness/0/sentence").asText();
    assertTrue(
        sentence.matches("Had this person's gender been . instead of .*the limit is 0.20.*"),
        sentence);
  }

  @Test
  void hostileNamesAreDataAndCut() throws Exception {
    JsonNode segment = json("/api/segment?name=" + encoded(HOSTILE));
    assertEquals(HOSTILE, segment.get("name").asText());
    assertEquals(HOSTILE, segment.at("/choices/arms/0/arm").asText());
    assertEquals(HOSTILE, segment.at("/fairness/attributes/0/pairs/0/factual").asText());
    JsonNode decision =
        json("/api/decision?id=" + encoded(HOSTILE) + "&segment=" + encoded(HOSTILE));
    assertEquals(HOSTILE, decision.get("decisionId").asText());
    HttpResponse<String> raw = get("/api/segments?q=script");
    assertFalse(raw.body().contains("\u001b"), raw::body);
    assertTrue(raw.headers().firstValue("Content-Type").orElse("").startsWith("application/json"));
    JsonNode huge = json("/api/segments?q=xxxx").at("/rows/0");
    assertTrue(huge.get("name").asText().length() <= 256, huge::toString);
    JsonNode page = json("/api/segment?name=" + encoded(huge.get("name").asText()));
    assertTrue(page.toString().length() < 100_000, () -> page.toString().length() + "");
  }

  @Test
  void parametersThatAreNotUnderstoodAreNamed() throws Exception {
    HttpResponse<String> answer = get("/api/segments?limit=1000");
    assertEquals(400, answer.statusCode());
    JsonNode problem = MAPPER.readTree(answer.body());
    assertEquals("INVALID_PARAMETER", problem.get("code").asText());
    assertEquals(
        "parameter limit: given '1000'; allowed: 1 to 200", problem.get("detail").asText());
    assertEquals(404, get("/api/segment?name=nothing").statusCode());
    assertEquals(400, get("/api/decision?id=a&near=yesterday").statusCode());
    assertEquals(404, get("/api/report?segment=nothing").statusCode());
    assertTrue(get("/api/live?view=x").body().contains("allowed: overview, segment, health"));
    assertEquals(400, get("/api/live?view=health").statusCode(), "no event stream is accepted");
    assertEquals(405, post("/api/segments"));
  }

  private static int post(String path) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(server.address() + path))
            .POST(HttpRequest.BodyPublishers.ofString("{}"))
            .header("Content-Type", "application/json")
            .build();
    return HTTP.send(request, BodyHandlers.discarding()).statusCode();
  }

  @Test
  void thePageForbidsInlineScriptsAndLeavesItsFolderForNoPath() throws Exception {
    HttpResponse<String> page = get("/");
    assertEquals(200, page.statusCode());
    String policy = page.headers().firstValue("Content-Security-Policy").orElse("");
    assertTrue(policy.contains("default-src 'none'; script-src 'self'"), policy);
    assertFalse(policy.contains("unsafe"), policy);
    for (String path :
        List.of(
            "/webjars/..%2f..%2f..%2fspec-keys%2fpolicy.txt",
            "/../spec-keys/spec.txt",
            "/webjars/.hidden.js",
            "/ConsoleServer.class",
            "/nothing.js")) {
      int status = get(path).statusCode();
      assertTrue(status == 404 || status == 400, path + " " + status);
    }
  }

  @Test
  void aPageGetsNewsAsTheyCome() throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(
                URI.create(server.address() + "/api/live?view=segment&name=earlier-live"))
            .header("Accept", "text/event-stream")
            .build();
    LogRecord first = RUN.log.records(LogTopic.DECISIONS, 1).get(0);
    Decision decision = Wire.DECISION.decode(first.value());
    sendLive(decision, 0);
    awaitKnown("earlier-live");
    var answer = HTTP.send(request, BodyHandlers.ofInputStream());
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(answer.body(), StandardCharsets.UTF_8))) {
      assertEquals(1, decisions(lines));
      sendLive(decision, 1);
      sendLive(decision, 2);
      int seen = 1;
      long deadline = System.nanoTime() + PATIENCE.toNanos();
      while (seen < 3 && System.nanoTime() < deadline) {
        seen = decisions(lines);
      }
      assertEquals(3, seen);
    }
  }

  private static void sendLive(Decision decision, int number) {
    Decision live =
        Rewritten.with(
            Decision.class,
            decision,
            "segment",
            "earlier-live",
            "decisionId",
            "live-" + number,
            "seq",
            number + 1L);
    send(
        LogTopic.DECISIONS,
        0,
        System.currentTimeMillis(),
        bytes("earlier-live"),
        Wire.DECISION.encode(live));
    producer.flush();
  }

  private static void awaitKnown(String segment) throws Exception {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (get("/api/segment?name=" + segment).statusCode() == 404) {
      assertTrue(System.nanoTime() < deadline, "unknown: " + segment);
      LockSupport.parkNanos(Duration.ofMillis(50).toNanos());
    }
  }

  /** Returns the decisions of the next document of a stream. */
  private static int decisions(BufferedReader lines) throws Exception {
    String event = "";
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      if (line.startsWith("event: ")) {
        event = line.substring("event: ".length());
      } else if (line.startsWith("data: ") && event.equals("segment")) {
        return MAPPER
            .readTree(line.substring("data: ".length()))
            .at("/row/decisions/window")
            .asInt();
      }
    }
    throw new AssertionError("the stream ended");
  }

  @Test
  void theReportHasTheDecisionsOfItsPeriod() throws Exception {
    long middle = end - DECISIONS * 500L;
    HttpResponse<String> report = get("/api/report?segment=offers&from=" + middle);
    assertEquals(200, report.statusCode(), report::body);
    assertTrue(report.body().contains("<p>600 decisions were made"), report::body);
    assertTrue(report.body().contains("at most 5 %"), report::body);
    assertEquals(422, get("/api/report?segment=offers&from=5&to=4").statusCode());
  }

  @Test
  void eachIntervalWithDecisionsHasTheTimeFromContextToDecision() throws Exception {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    int decided = -1;
    List<Double> latencies = new ArrayList<>();
    while (decided != latencies.size()) {
      assertTrue(System.nanoTime() < deadline, decided + " " + latencies);
      latencies.clear();
      decided = 0;
      JsonNode series = json("/api/health").get("series");
      for (int bucket = 0; bucket < series.get("times").size(); bucket++) {
        if (series.get("times").get(bucket).asLong() > end - 2 * BUCKET_MILLIS) {
          break; // other tests send decisions without contexts now
        }
        decided += series.get("decisions").get(bucket).asLong() > 0 ? 1 : 0;
        if (!series.get("latencyMillis").get(bucket).isNull()) {
          latencies.add(series.get("latencyMillis").get(bucket).asDouble());
        }
      }
    }
    assertTrue(decided > 70, decided + " intervals");
    latencies.forEach(millis -> assertEquals(LATENCY_MILLIS, millis, 1e-9));
  }

  @Test
  void healthHasTheReaderAndTheTopics() throws Exception {
    JsonNode health = json("/api/health");
    assertEquals("LIVE", health.at("/reader/state").asText());
    assertEquals(6, health.get("topics").size());
    assertTrue(health.at("/job/error").asText().contains("console.flink-rest"), health::toString);
  }
}
