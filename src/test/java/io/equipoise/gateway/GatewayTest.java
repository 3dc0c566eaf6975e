package io.equipoise.gateway;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.equipoise.event.Decision;
import io.equipoise.event.SegmentEvent;
import io.equipoise.event.SegmentEventType;
import io.equipoise.job.control.SpecHistory;
import io.equipoise.job.control.SpecPublisher;
import io.equipoise.job.options.Delivery;
import io.equipoise.job.options.JobOptions;
import io.equipoise.job.options.Topics;
import io.equipoise.segment.TestSpecs;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.SpecParser;
import io.equipoise.tools.EmbeddedDeployment;
import io.equipoise.tools.TopicReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.CoreOptions;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Gateways in front of one job, with HTTP clients on one side and readers of topics on the other.
 */
@Tag("slow")
@Timeout(180)
@Order(1)
class GatewayTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private static final long PAUSE_NANOS = 5_000_000;

  private static final String OFFERS =
      """
      name: NAME
      version: 1
      segments: {exact: [NAME]}
      variables:
        income: {role: context, levels: [low, high]}
        offer: {role: action, levels: [small, standard, large]}
        accepted: {role: reward}
      graph: "dag { income -> offer {income offer} -> accepted }"
      reward: {range: [0, 1]}
      policy: {name: ucb, explore: {share: 0.9, over: all}}
      fairness: {tau: 0.2}
      join: {reward-window: 1h, fallback: offer=standard}
      """;

  private static final String EXPERIMENT =
      TestSpecs.experiment(
              "csr-v2, samples: 4, control: \"A=left\"",
              1,
              "{reward-window: 1h, shown: confirmed}",
              "{range: [0, 1], default: {value: 0}}",
              "reject")
          .replace("name: test", "name: NAME")
          .replace("segments: default", "segments: {exact: [NAME]}");

  private static EmbeddedDeployment deployment;
  private static TopicReader reader;
  private static final Map<String, Decision> DECISIONS = new ConcurrentHashMap<>();
  private static final List<SegmentEvent> EVENTS = new ArrayList<>();

  private final HttpClient client = HttpClient.newHttpClient();
  private Gateway gateway = gateway(Map.of(), Clock.systemUTC());

  @BeforeAll
  static void start() throws Exception {
    Configuration settings = new Configuration();
    settings.set(CoreOptions.DEFAULT_PARALLELISM, 1);
    settings.set(JobOptions.PARTITIONS, 2);
    settings.set(JobOptions.DELIVERY, Delivery.AT_LEAST_ONCE);
    settings.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, Duration.ofMillis(500));
    deployment = EmbeddedDeployment.start("gateway-test", settings, GatewayTest::specs);
    reader =
        new TopicReader(
            deployment.config(),
            List.of(
                deployment.config().topics().decisions(),
                deployment.config().topics().segmentEvents()),
            new Seen());
    reader.start();
  }

  /** Remembers the first decision of each id, and every event of a segment. */
  private static final class Seen implements TopicReader.Listener {
    @Override
    public void on(Decision decision) {
      DECISIONS.putIfAbsent(decision.decisionId(), decision);
    }

    @Override
    public void on(SegmentEvent event) {
      synchronized (EVENTS) {
        EVENTS.add(event);
      }
    }
  }

  private static List<SegmentSpec> specs(Path directory) {
    return List.of(
        write(
            directory,
            "viewed",
            OFFERS
                .replace("[0, 1]}", "[0, 1], default: {value: 0}}")
                .replace("1h,", "6s, shown: confirmed,")),
        write(directory, "offers", OFFERS),
        write(directory, "kept", OFFERS),
        write(
            directory,
            "brief",
            OFFERS
                .replace("[0, 1]}", "[0, 1], default: {value: 0}}")
                .replace("1h,", "1s, dedup-window: 1s, shown: confirmed,")),
        write(directory, "judged", OFFERS.replace("{role: context,", "{role: sensitive,")),
        write(directory, "paused", EXPERIMENT),
        write(directory, "silence", OFFERS.replace("[0, 1]}", "[0, 1], default: {value: 0}}")),
        write(
            directory,
            "confirmed",
            OFFERS
                .replace("[0, 1]}", "[0, 1], default: {value: 0}}")
                .replace(
                    "1h,",
                    "1h, shown: confirmed, learn: on-arrival,"
                        + " delay: independent-of-outcome,")));
  }

  private static SegmentSpec write(Path directory, String name, String text) {
    String named = text.replace("NAME", name);
    try {
      Files.writeString(directory.resolve(name + ".yaml"), named);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return SpecParser.parse(named);
  }

  @AfterAll
  static void stop() {
    reader.close();
    deployment.close();
  }

  @AfterEach
  void stopGateway() {
    gateway.close();
  }

  @Test
  void aDecisionIsTheOneOnTheTopicAndItsRewardIsLearned() throws Exception {
    JsonNode answer = decide("offers", "first", "\"income\": \"low\"");
    assertEquals("first", answer.path("decisionId").asText());
    assertEquals(3, answer.path("candidates").size());
    double sum = 0;
    for (JsonNode candidate : answer.path("candidates")) {
      sum += candidate.path("propensity").asDouble();
    }
    assertEquals(1, sum, 1e-9);
    await(() -> DECISIONS.containsKey("first"));
    assertEquals(DECISIONS.get("first").arm(), answer.path("arm").asText());
    assertEquals(DECISIONS.get("first").reason().name(), answer.path("reason").asText());
    HttpResponse<String> reward =
        post("/v1/rewards", "{\"segment\": \"offers\", \"decisionId\": \"first\", \"value\": 1}");
    assertEquals(202, reward.statusCode(), reward.body());
    await(() -> applied("first") != null);
    assertEquals(answer.path("arm").asText(), learnedArm("first"));
  }

  @Test
  void aRepeatedIdGetsTheSameAnswerFromEveryGateway() throws Exception {
    JsonNode first = decide("offers", "again", "\"income\": \"high\"");
    assertEquals(first, decide("offers", "again", "\"income\": \"low\""));
    assertEquals(first, get("/v1/decisions/again?segment=offers"));
    Gateway other = gateway;
    gateway = gateway(Map.of("gateway.max-recent", "1"), Clock.systemUTC());
    other.close();
    JsonNode unused = decide("offers", "between", "\"income\": \"high\"");
    JsonNode repeated = decide("offers", "again", "\"income\": \"low\"");
    assertEquals(first.path("arm"), repeated.path("arm"));
    assertEquals("REPEATED", repeated.path("reason").asText());
  }

  /** The reader of the topic remembers more ids than the gateway: so many of each partition. */
  @Test
  void anOldIdThatTheJobHasForgottenIsDecidedAnewWithoutWaitingForTheDeadline() throws Exception {
    Gateway small = gateway(Map.of("gateway.max-recent", "3"), Clock.systemUTC());
    long minuteAgo = System.currentTimeMillis() - 60_000;
    String old = decision("brief", "old", "\"income\": \"low\"");
    String first = old.replace("{\"seg", "{\"eventTime\": %d, \"seg".formatted(minuteAgo));
    String arm = JSON.readTree(post("/v1/decisions", first).body()).path("arm").asText();
    String reward =
        "{\"segment\": \"brief\", \"decisionId\": \"old\", \"value\": 1, \"shownArm\": \"%s\"}"
            .formatted(arm.equals("offer=large") ? "offer=small" : "offer=large");
    assertEquals(202, post("/v1/decisions/old/shown", "{\"segment\": \"brief\"}").statusCode());
    assertEquals(422, post("/v1/rewards", reward).statusCode());
    Gateway large = gateway;
    gateway = small;
    assertIsDecided(decide("brief", "newer", "\"income\": \"low\""));
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    for (int next = 0; next < 3 || closed("brief") < 2; next++) { // in the other partition
      assertTrue(System.nanoTime() < deadline, "the window of the newer one does not close");
      assertIsDecided(decide("silence", "next-" + next, "\"income\": \"low\""));
      LockSupport.parkNanos(200_000_000);
    }
    String hurried = old.replace("{\"seg", "{\"deadlineMs\": 8000, \"seg");
    assertIsDecided(JSON.readTree(post("/v1/decisions", hurried).body()));
    gateway = large;
    small.close();
    while (post("/v1/rewards", reward).statusCode() != 202) {
      assertTrue(System.nanoTime() < deadline, "the confirmation of the first one is remembered");
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  private static long closed(String segment) {
    synchronized (EVENTS) {
      return EVENTS.stream()
          .filter(event -> event.segment().equals(segment))
          .filter(event -> event.type() == SegmentEventType.REWARD_TIMEOUT)
          .count();
    }
  }

  private static void assertIsDecided(JsonNode answer) {
    assertTrue(answer.path("candidates").size() > 0, answer.toString());
  }

  /**
   * It reads the last decisions, which name no arms but the chosen one, and the specs, which do.
   */
  @Test
  void aRestartedGatewayGivesThePropensitiesOfEarlierDecisions() throws Exception {
    JsonNode first = decide("offers", "kept", "\"income\": \"high\"");
    assertEquals(3, first.path("candidates").size(), first.toString());
    gateway.close();
    gateway = gateway(Map.of(), Clock.systemUTC());
    assertEquals(first, get("/v1/decisions/kept?segment=offers"));
  }

  @Test
  void whatTheJobWouldRefuseIsRefusedWithTheSameCode() throws Exception {
    assertProblem(422, "UNKNOWN_LEVEL", decision("offers", "x", "\"income\": \"middling\""));
    assertProblem(422, "MISSING_VARIABLE", decision("offers", "x", ""));
    assertProblem(422, "UNKNOWN_SEGMENT", decision("nobody", "x", "\"income\": \"low\""));
    assertProblem(422, "INVALID_ID", decision("offers", "x".repeat(129), "\"income\": \"low\""));
    assertProblem(422, "NOT_FINITE", decision("offers", "x", "\"income\": 1e999"));
    assertProblem(400, "INVALID_REQUEST", decision("offers", "x", "\"income\": [1]"));
    assertProblem(400, "INVALID_REQUEST", "{\"segment\": 7, \"attributes\": {}}");
    assertProblem(400, "INVALID_REQUEST", "{\"segment\": \"offers\", \"colour\": 1}");
    assertProblem(413, "TOO_LARGE", decision("offers", "x".repeat(1 << 20), ""));
    String whole = decision("offers", "x", "\"income\": \"low\"");
    assertProblem(400, "INVALID_REQUEST", whole.replace("{\"seg", "{\"fairness\": true, \"seg"));
    assertEquals(
        422,
        post(
                "/v1/rewards",
                "{\"segment\": \"offers\", \"decisionId\": \"y\", \"value\": 7, \"shownArm\":"
                    + " \"offer=small\"}")
            .statusCode());
    for (String misspelt :
        List.of(
            "{\"segment\": \"offers\", \"decisionId\": \"y\", \"value\": 1, \"shownArm\": \"small\"}",
            "{\"segment\": \"offers\", \"shownArm\": \"small\"}")) {
      String path = misspelt.contains("value") ? "/v1/rewards" : "/v1/decisions/y/shown";
      HttpResponse<String> refused = post(path, misspelt);
      assertEquals(422, refused.statusCode(), refused.body());
      assertEquals("UNKNOWN_ARM", JSON.readTree(refused.body()).path("code").asText());
      assertTrue(refused.body().contains("did you mean offer=small?"), refused.body());
    }
    HttpResponse<String> unseen =
        post("/v1/rewards", "{\"segment\": \"offers\", \"decisionId\": \"unseen\", \"value\": 1}");
    assertEquals("SHOWN_ARM_REQUIRED", JSON.readTree(unseen.body()).path("code").asText());
    assertEquals(
        "decisionId: this gateway does not know it; shownArm: missing",
        JSON.readTree(unseen.body()).path("detail").asText());
    JsonNode invalid =
        JSON.readTree(
            post("/v1/decisions", decision("offers", "x".repeat(129), "\"income\": \"low\""))
                .body());
    assertFalse(
        invalid.path("detail").asText().contains(invalid.path("remedy").asText()),
        "the remedy is not repeated");
  }

  /** The brokers have a record without reward only where silence is a reward. */
  @Test
  void aWrittenAnswerConfirmsItsArmOnceAndOnlyWhereSilenceIsAReward() throws Exception {
    JsonNode answer = decide("confirmed", "seen", "\"income\": \"low\"");
    JsonNode unused = decide("silence", "assumed", "\"income\": \"low\"");
    JsonNode unusedToo = decide("offers", "plain", "\"income\": \"low\"");
    assertEquals(
        202, post("/v1/decisions/seen/shown", "{\"segment\": \"confirmed\"}").statusCode());
    await(() -> !confirmations("seen").isEmpty());
    assertEquals(answer, decide("confirmed", "seen", "\"income\": \"low\""));
    assertEquals(
        202, post("/v1/decisions/seen/shown", "{\"segment\": \"confirmed\"}").statusCode());
    JsonNode last = decide("confirmed", "last", "\"income\": \"low\"");
    await(() -> !confirmations("last").isEmpty());
    assertEquals(List.of(answer.path("arm").asText()), confirmations("seen"));
    assertEquals(List.of(last.path("arm").asText()), confirmations("last"));
    assertEquals(List.of(), confirmations("assumed"));
    assertEquals(List.of(), confirmations("plain"));
  }

  /** Every answer of an experiment that pauses or has ended brought a dead letter. */
  @Test
  void anAnswerThatNothingIsLearnedFromIsNotConfirmed() throws Exception {
    int samples = 0;
    int others = 0;
    String arm = "";
    for (int number = 0; others < 4; number++) {
      JsonNode answer = decide("paused", "draw-" + number, "\"S\": \"a\", \"X\": \"low\"");
      boolean isSample = answer.path("reason").asText().equals("SAMPLE");
      samples += isSample ? 1 : 0;
      others += isSample ? 0 : 1;
      arm = number == 0 ? answer.path("arm").asText() : arm;
      assertTrue(samples < 50, "it does not pause");
    }
    String reward =
        "{\"segment\": \"paused\", \"decisionId\": \"draw-0\", \"value\": 0, \"shownArm\": \"%s\","
            + " \"mediators\": {\"M\": \"0\"}}";
    HttpResponse<String> last = post("/v1/rewards", reward.formatted(arm));
    assertEquals(202, last.statusCode(), last.body());
    assertTrue(samples > 0);
    var unused = recordsOf("paused", deployment.config().topics().rewards(), samples + 1);
  }

  /** The job refused them in the dead letters, and learned the silence of the confirmed arm. */
  @Test
  void aRewardOrConfirmationOfAnotherArmThanTheConfirmedOneIsRefused() throws Exception {
    String arm = decide("confirmed", "other", "\"income\": \"low\"").path("arm").asText();
    await(() -> !confirmations("other").isEmpty());
    String other = arm.equals("offer=large") ? "offer=small" : "offer=large";
    String shown = "{\"segment\": \"confirmed\", \"shownArm\": \"%s\"}";
    String reward = shown.replace("}", ", \"decisionId\": \"other\", \"value\": 1}");
    for (HttpResponse<String> refused :
        List.of(
            post("/v1/rewards", reward.formatted(other)),
            post("/v1/decisions/other/shown", shown.formatted(other)))) {
      assertEquals(422, refused.statusCode(), refused.body());
      JsonNode problem = JSON.readTree(refused.body());
      assertEquals("CONFLICTING_REWARD", problem.path("code").asText());
      assertEquals(
          "shownArm: %s; this gateway has confirmed %s as shown. ".formatted(other, arm)
              + "If your program shows another arm than that of the answer, set"
              + " gateway.confirm-answers: false and confirm what it has shown",
          problem.path("detail").asText());
    }
    assertEquals(202, post("/v1/decisions/other/shown", shown.formatted(arm)).statusCode());
    assertEquals(202, post("/v1/rewards", reward.formatted(arm)).statusCode());
    await(() -> applied("other") != null);
    assertEquals(arm, learnedArm("other"));
  }

  /** With the default options of time, while other decisions go on. */
  @Test
  void silenceOverHttpIsLearnedOfTheArmThatWasWrittenWhenItsWindowCloses() throws Exception {
    String arm = decide("viewed", "in-silence", "\"income\": \"low\"").path("arm").asText();
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    for (int other = 0; learnedSilence().isEmpty(); other++) {
      assertTrue(System.nanoTime() < deadline, "the window does not close");
      JsonNode unused = decide("offers", "meanwhile-" + other, "\"income\": \"low\"");
      LockSupport.parkNanos(500_000_000);
    }
    assertEquals(List.of(arm + " 0.0"), learnedSilence());
  }

  private static List<String> learnedSilence() {
    synchronized (EVENTS) {
      return EVENTS.stream()
          .filter(event -> event.segment().equals("viewed"))
          .filter(event -> event.type() == SegmentEventType.REWARD_TIMEOUT)
          .map(event -> event.arm() + " " + event.learnedReward())
          .toList();
    }
  }

  @Test
  void theCallerConfirmsWhereTheOptionSaysSo() throws Exception {
    Gateway before = gateway;
    gateway = gateway(Map.of("gateway.confirm-answers", "false"), Clock.systemUTC());
    before.close();
    JsonNode answer = decide("confirmed", "rendered", "\"income\": \"low\"");
    JsonNode unused = decide("confirmed", "scrolled-past", "\"income\": \"low\"");
    LockSupport.parkNanos(5_000_000);
    long then = System.currentTimeMillis();
    HttpResponse<String> taken =
        post(
            "/v1/decisions/rendered/shown",
            "{\"segment\": \"confirmed\", \"shownArm\": \"offer=large\"}");
    assertEquals(202, taken.statusCode(), taken.body());
    await(() -> !confirmations("rendered").isEmpty());
    assertEquals(List.of("offer=large"), confirmations("rendered"), answer::toString);
    assertEquals(List.of(), confirmations("scrolled-past"));
    assertTrue(of("rendered", SegmentEventType.REWARD_BUFFERED).get(0).eventTime() >= then);
    assertEquals(
        202,
        post(
                "/v1/rewards",
                "{\"segment\": \"confirmed\", \"decisionId\": \"rendered\", \"value\": 1}")
            .statusCode());
    await(() -> !of("rendered", SegmentEventType.REWARD_APPLIED).isEmpty());
    assertEquals("offer=large", of("rendered", SegmentEventType.REWARD_APPLIED).get(0).arm());
    HttpResponse<String> unknown =
        post("/v1/decisions/never/shown", "{\"segment\": \"confirmed\"}");
    assertEquals("SHOWN_ARM_REQUIRED", JSON.readTree(unknown.body()).path("code").asText());
  }

  private static List<String> confirmations(String id) {
    return of(id, SegmentEventType.REWARD_BUFFERED).stream()
        .filter(event -> event.observedReward() == null)
        .map(SegmentEvent::shownArm)
        .toList();
  }

  private static List<SegmentEvent> of(String id, SegmentEventType type) {
    synchronized (EVENTS) {
      return EVENTS.stream()
          .filter(event -> event.type() == type && id.equals(event.decisionId()))
          .toList();
    }
  }

  @Test
  void aSegmentThatRejectedAVersionIsServedUnderItsOwn() throws Exception {
    String kept = "\"income\": \"high\"";
    decide("kept", "before", kept);
    String second =
        OFFERS
            .replace("NAME", "kept")
            .replace("version: 1", "version: 2")
            .replace("[low, high]", "[low, middle]")
            .replace("offer=standard", "offer=small");
    new SpecPublisher(deployment.config())
        .publish(List.of(SpecParser.parse(second)), SpecHistory.read(deployment.config()));
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (version("kept") != 2) {
      assertTrue(System.nanoTime() < deadline, "the gateway does not see version 2");
    }
    for (int i = 0; i < 3; i++) {
      assertEquals(1, decide("kept", "after-" + i, kept).path("specVersion").asInt());
    }
    JsonNode behind = get("/v1/segments").path("behind");
    assertEquals(1, behind.size());
    assertEquals("kept", behind.path(0).path("segment").asText());
    assertEquals(1, behind.path(0).path("version").asInt());
    assertProblem(422, "UNKNOWN_LEVEL", decision("kept", "x", "\"income\": \"odd\""));
  }

  private int version(String name) throws Exception {
    for (JsonNode spec : get("/v1/segments").path("segments")) {
      if (spec.path("spec").asText().equals(name)) {
        return spec.path("version").asInt();
      }
    }
    return 0;
  }

  @Test
  void aBatchAnswersInOrderWithProblemsInTheirPlaces() throws Exception {
    HttpResponse<String> response =
        post(
            "/v1/decisions:batch",
            "{\"decisions\": [%s, %s, %s, %s]}"
                .formatted(
                    decision("offers", "one", "\"income\": \"low\""),
                    decision("offers", "two", "\"income\": \"odd\""),
                    decision("confirmed", "three", "\"income\": \"high\""),
                    decision("offers", "four", "\"income\": \"\\ud800\"")));
    assertEquals(200, response.statusCode(), response.body());
    JsonNode decisions = JSON.readTree(response.body()).path("decisions");
    assertEquals("one", decisions.path(0).path("decisionId").asText());
    assertEquals("UNKNOWN_LEVEL", decisions.path(1).path("problem").path("code").asText());
    assertEquals("three", decisions.path(2).path("decisionId").asText());
    JsonNode problem = decisions.path(3).path("problem");
    assertEquals("MALFORMED_JSON", problem.path("code").asText());
    assertTrue(
        problem.path("detail").asText().startsWith("decisions[3].attributes.income: an unpaired"),
        response.body());
    HttpRequest other =
        HttpRequest.newBuilder(URI.create(gateway.address() + "/v1/decisions"))
            .header("Content-Type", "application/json")
            .header("Equipoise-Segment", "kept")
            .POST(BodyPublishers.ofString(decision("offers", "five", "\"income\": \"low\"")))
            .build();
    HttpResponse<String> refused = client.send(other, BodyHandlers.ofString());
    assertEquals(400, refused.statusCode(), refused.body());
    assertTrue(refused.body().contains("the header Equipoise-Segment names another segment"));
  }

  @Test
  void aTraceGoesFromTheRequestToTheContextTheDecisionAndItsAudit() throws Exception {
    String trace = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    for (String given : List.of(trace, trace + "0", trace.replace("00-4", "01-4"))) {
      HttpRequest request =
          HttpRequest.newBuilder(URI.create(gateway.address() + "/v1/decisions"))
              .header("Content-Type", "application/json")
              .header("traceparent", given)
              .POST(BodyPublishers.ofString(decision("judged", given, "\"income\": \"low\"")))
              .build();
      assertEquals(200, client.send(request, BodyHandlers.ofString()).statusCode());
    }
    Topics topics = deployment.config().topics();
    for (String topic : List.of(topics.contexts(), topics.decisions(), topics.audit())) {
      Map<String, Integer> traces = new TreeMap<>();
      for (ConsumerRecord<byte[], byte[]> record : recordsOf("judged", topic, 3)) {
        Header header = record.headers().lastHeader("traceparent");
        traces.merge(header == null ? "none" : new String(header.value(), UTF_8), 1, Integer::sum);
      }
      assertEquals(Map.of(trace, 1, "none", 2), traces, topic);
    }
  }

  private static List<ConsumerRecord<byte[], byte[]>> recordsOf(
      String segment, String topic, int count) {
    Properties settings = new Properties();
    settings.setProperty(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, deployment.bootstrapServers());
    List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      List<TopicPartition> partitions =
          List.of(new TopicPartition(topic, 0), new TopicPartition(topic, 1));
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      long end = System.nanoTime() + PATIENCE.toNanos();
      while (records.size() < count && System.nanoTime() < end) {
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(100))) {
          if (Arrays.equals(record.key(), segment.getBytes(UTF_8))) {
            records.add(record);
          }
        }
      }
    }
    assertEquals(count, records.size(), topic);
    return records;
  }

  @Test
  void noRewardTrainsAnArmThatNobodySaw() throws Exception {
    gateway.close(); // this gateway ends its deadlines long before the job does
    InstantSource ahead = () -> Clock.systemUTC().instant().plusSeconds(120);
    gateway = gateway(Map.of("gateway.deadline", "1 ms"), ahead);
    List<String> late = IntStream.range(0, 30).mapToObj(number -> "late-" + number).toList();
    List<String> answered = new ArrayList<>();
    for (String id : late) {
      JsonNode answer = decide("confirmed", id, "\"income\": \"low\"");
      if (answer.path("reason").asText().equals("DEADLINE_EXCEEDED")) {
        assertEquals("offer=standard", answer.path("arm").asText());
        answered.add(id);
      }
    }
    assertTrue(answered.size() > 10, answered.size() + " answers at the deadline");
    await(() -> DECISIONS.keySet().containsAll(late));
    assertTrue(
        answered.stream().anyMatch(id -> !"offer=standard".equals(DECISIONS.get(id).arm())),
        "the topic never shows another arm");
    for (String id : answered) {
      assertEquals(
          "DEADLINE_EXCEEDED",
          decide("confirmed", id, "\"income\": \"low\"").path("reason").asText());
      HttpResponse<String> reward =
          post(
              "/v1/rewards",
              "{\"segment\": \"confirmed\", \"decisionId\": \"%s\", \"value\": 1}".formatted(id));
      assertEquals(202, reward.statusCode(), reward.body());
    }
    await(() -> answered.stream().allMatch(id -> applied(id) != null));
    for (String id : answered) {
      assertEquals("offer=standard", learnedArm(id));
      assertEquals(List.of("offer=standard"), confirmations(id));
    }
  }

  @Test
  void silenceAfterADeadlineIsOfTheFallbackArmAlsoWhereItIsAssumed() throws Exception {
    gateway.close(); // as above
    InstantSource ahead = () -> Clock.systemUTC().instant().plusSeconds(120);
    gateway = gateway(Map.of("gateway.deadline", "1 ms"), ahead);
    List<String> answered = new ArrayList<>();
    for (int number = 0; answered.size() < 3; number++) {
      JsonNode answer = decide("silence", "quiet-" + number, "\"income\": \"low\"");
      if (answer.path("reason").asText().equals("DEADLINE_EXCEEDED")) {
        answered.add("quiet-" + number);
      }
    }
    await(() -> answered.stream().noneMatch(id -> confirmations(id).isEmpty()));
    for (String id : answered) {
      assertEquals(List.of("offer=standard"), confirmations(id));
    }
  }

  @Test
  void tooManyOpenRequestsAreToldToRetry() throws Exception {
    gateway.close();
    gateway = gateway(Map.of("gateway.max-pending", "1"), Clock.systemUTC());
    List<CompletableFuture<HttpResponse<String>>> all =
        IntStream.range(0, 200)
            .mapToObj(it -> decision("offers", "busy-" + it, "\"income\": \"low\""))
            .map(body -> client.sendAsync(request("/v1/decisions", body), BodyHandlers.ofString()))
            .toList();
    int refused = 0;
    for (CompletableFuture<HttpResponse<String>> one : all) {
      HttpResponse<String> response = one.get();
      if (response.statusCode() == 429) {
        refused++;
        assertTrue(response.headers().firstValue("Retry-After").isPresent());
      } else {
        assertEquals(200, response.statusCode(), response.body());
      }
    }
    assertNotEquals(0, refused);
    assertNotEquals(200, refused);
  }

  @Test
  void aStopAnswersWhatIsOpen() throws Exception {
    List<CompletableFuture<HttpResponse<String>>> all =
        IntStream.range(0, 100)
            .mapToObj(it -> decision("offers", "stop-" + it, "\"income\": \"low\""))
            .map(body -> client.sendAsync(request("/v1/decisions", body), BodyHandlers.ofString()))
            .toList();
    JsonNode unused = JSON.readTree(all.get(0).get().body());
    gateway.close();
    int answered = 0;
    for (CompletableFuture<HttpResponse<String>> one : all) {
      HttpResponse<String> response = one.handle((it, failure) -> it).get();
      if (response != null && response.statusCode() == 200) {
        JsonNode answer = JSON.readTree(response.body());
        String id = answer.path("decisionId").asText();
        await(() -> DECISIONS.containsKey(id));
        assertEquals(DECISIONS.get(id).arm(), answer.path("arm").asText());
        answered++;
      } else {
        assertTrue(
            response == null || response.statusCode() == 503, "neither answered nor refused");
      }
    }
    assertNotEquals(0, answered);
  }

  @Test
  void theSegmentsAndTheStateAreShown() throws Exception {
    JsonNode segments = get("/v1/segments").path("segments");
    assertEquals(8, segments.size());
    assertEquals("exact confirmed", segments.path(1).path("selector").asText());
    assertEquals(3, segments.path(0).path("arms").size());
    assertEquals("offer=standard", segments.path(0).path("fallback").asText());
    assertEquals("ok", get("/healthz").path("status").asText());
    assertEquals("at-least-once", get("/readyz").path("delivery").asText());
    assertFalse(get("/readyz").path("expectedLatencyMs").isMissingNode());
    JsonNode unused = decide("offers", "counted", "\"income\": \"low\"");
    String metrics =
        client
            .send(
                HttpRequest.newBuilder(URI.create(gateway.address() + "/metrics")).build(),
                BodyHandlers.ofString())
            .body();
    assertTrue(
        metrics.contains(
            "equipoise_gateway_requests_total{path=\"/v1/decisions\",status=\"200\"} 1.0"),
        metrics);
    assertTrue(metrics.contains("equipoise_gateway_pending_decisions 0.0"), metrics);
  }

  @Test
  void theConsoleIsServedBesideTheDecisionsIfTheConfigurationSaysSo() throws Exception {
    assertEquals(404, status("/"));
    assertEquals(404, status("/api/segments"));
    gateway.close();
    gateway = gateway(Map.of("gateway.console", "true"), Clock.systemUTC());
    decide("offers", "shown-on-the-console", "\"income\": \"low\"");
    assertEquals(200, status("/"));
    long deadline = System.nanoTime() + Duration.ofMinutes(1).toNanos();
    while (status("/api/decision?segment=offers&id=shown-on-the-console") != 200) {
      assertTrue(System.nanoTime() < deadline, "the console does not show the decision");
    }
  }

  private int status(String path) throws Exception {
    HttpRequest request = HttpRequest.newBuilder(URI.create(gateway.address() + path)).build();
    return client.send(request, BodyHandlers.discarding()).statusCode();
  }

  private static Gateway gateway(Map<String, String> options, InstantSource clock) {
    Configuration all = new Configuration();
    all.setString("equipoise.deployment", "gateway-test");
    all.setString("equipoise.delivery", "at-least-once");
    all.setString("kafka.bootstrap.servers", deployment.bootstrapServers());
    all.setString("gateway.port", "0");
    all.setString("gateway.deadline", "20 s");
    options.forEach(all::setString);
    try {
      Gateway gateway = Gateway.start(GatewayConfig.from(all), clock);
      assertTrue(gateway.awaitReady(PATIENCE));
      return gateway;
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String decision(String segment, String id, String attributes) {
    return "{\"segment\": \"%s\", \"decisionId\": \"%s\", \"attributes\": {%s}}"
        .formatted(segment, id, attributes);
  }

  private JsonNode decide(String segment, String id, String attributes) throws Exception {
    HttpResponse<String> response = post("/v1/decisions", decision(segment, id, attributes));
    assertEquals(200, response.statusCode(), response.body());
    return JSON.readTree(response.body());
  }

  private void assertProblem(int status, String code, String body) throws Exception {
    HttpResponse<String> response = post("/v1/decisions", body);
    assertEquals(status, response.statusCode(), response.body());
    assertEquals(code, JSON.readTree(response.body()).path("code").asText());
  }

  private HttpResponse<String> post(String path, String body) throws Exception {
    return client.send(request(path, body), BodyHandlers.ofString());
  }

  private HttpRequest request(String path, String body) {
    return HttpRequest.newBuilder(URI.create(gateway.address() + path))
        .header("Content-Type", "application/json")
        .POST(BodyPublishers.ofString(body))
        .build();
  }

  private JsonNode get(String path) throws Exception {
    HttpRequest request = HttpRequest.newBuilder(URI.create(gateway.address() + path)).build();
    HttpResponse<String> response = client.send(request, BodyHandlers.ofString());
    assertEquals(200, response.statusCode(), response.body());
    return JSON.readTree(response.body());
  }

  private static SegmentEvent applied(String id) {
    synchronized (EVENTS) {
      return EVENTS.stream()
          .filter(it -> it.type() == SegmentEventType.REWARD_APPLIED)
          .filter(it -> id.equals(it.decisionId()))
          .findFirst()
          .orElse(null);
    }
  }

  private static String learnedArm(String id) {
    SegmentEvent event = applied(id);
    return event.shownArm() == null ? event.arm() : event.shownArm();
  }

  private static void await(BooleanSupplier condition) throws InterruptedException {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      assertTrue(System.nanoTime() < end, "not in time");
      reader.check();
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }
}
