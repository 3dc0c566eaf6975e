package io.equipoise.lab.chaos;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.equipoise.client.Answers;
import io.equipoise.event.Wire;
import io.equipoise.gateway.CurlExample;
import io.equipoise.job.options.JobConfig;
import io.equipoise.job.topics.Consumers;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.SpecVariable;
import io.equipoise.tools.TopicReader;
import io.equipoise.tools.cluster.Waiting;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Callers of the gateway: they ask for decisions at a constant rate, ask again with the same id
 * when they get no answer, and send a reward for every second decision. A twentieth of the ids is
 * asked for twice.
 *
 * <p>Invariants: every answer without DEADLINE_EXCEEDED is on the topic with the same arm, no id
 * gets two arms, and every reward that was accepted is on the topic. That a reward is learned once
 * is checked by {@link LogVerifier}.
 */
final class GatewayTraffic implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String LATE = "DEADLINE_EXCEEDED";
  private static final int DEADLINE_MILLIS = 15_000;
  private static final Duration TIMEOUT = Duration.ofSeconds(40);

  /** Longer than the longest silence of the brokers, since a refusal comes within a second. */
  private static final int MOST_ATTEMPTS = 900;

  private static final int AGAIN = 20;
  private static final long PAUSE_MILLIS = 1_000;
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  private final JobConfig config;
  private final String address;
  private final List<SegmentSpec> specs;
  private final int perSecond;
  private final String prefix;
  private final Clock clock;
  private final HttpClient client = HttpClient.newHttpClient();
  private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
  private final AtomicInteger outstanding = new AtomicInteger();
  private final AtomicInteger retries = new AtomicInteger();
  private final AtomicInteger late = new AtomicInteger();
  private final Map<String, String> arms = new ConcurrentHashMap<>();
  private final Set<String> accepted = ConcurrentHashMap.newKeySet();
  private final Set<String> violations = ConcurrentHashMap.newKeySet();
  private final NavigableSet<Integer> waiting = new ConcurrentSkipListSet<>();
  private volatile boolean isPaused;
  private volatile int number;

  GatewayTraffic(
      JobConfig config, String address, List<SegmentSpec> specs, int perSecond, Clock clock) {
    this.config = config;
    this.address = address;
    this.specs = CurlExample.served(specs);
    this.perSecond = perSecond;
    this.clock = clock;
    this.prefix = "http-" + clock.millis() + "-";
  }

  void start() {
    var unused =
        timer.scheduleAtFixedRate(
            this::next, 0, TimeUnit.SECONDS.toMicros(1) / perSecond, TimeUnit.MICROSECONDS);
  }

  /**
   * Waits until all callers so far and the next one have what they asked for. Without the wait,
   * faults of the gateway would add up to one long outage. Returns false if they do not get it.
   */
  boolean awaitAnswers(Duration patience) {
    int next = number;
    return Waiting.until(() -> number > next && waiting.headSet(next, true).isEmpty(), patience);
  }

  /** Stops asking and waits until no request is open. */
  void drain() {
    isPaused = true;
    if (!Waiting.until(() -> outstanding.get() == 0, PATIENCE)) {
      violations.add(outstanding.get() + " requests were not answered within " + PATIENCE);
    }
  }

  void resume() {
    isPaused = false;
  }

  private void next() {
    if (isPaused) {
      return;
    }
    int round = number;
    waiting.add(round);
    number = round + 1;
    SegmentSpec spec = specs.get(round % specs.size());
    ObjectNode request = example(spec);
    request.put("decisionId", prefix + round);
    request.put("deadlineMs", DEADLINE_MILLIS);
    ask("/v1/decisions", request, 1, answer -> answered(spec, request, round, answer));
    if (round % AGAIN == 0) {
      later(() -> ask("/v1/decisions", request, 1, answer -> note(request, answer)));
    }
  }

  private void answered(SegmentSpec spec, ObjectNode request, int round, JsonNode answer) {
    note(request, answer);
    String arm = answer.path("arm").textValue();
    if (round % 2 == 0 && arm != null) {
      ObjectNode reward = JSON.createObjectNode();
      reward.set("segment", request.get("segment"));
      reward.set("decisionId", request.get("decisionId"));
      reward.put("value", 1);
      ObjectNode mediators = reward.putObject("mediators");
      for (SpecVariable mediator : spec.variables().mediators()) {
        mediators.put(mediator.name(), mediator.levels().get(0));
      }
      reward.put("shownArm", arm);
      reward.put("eventTime", clock.millis());
      String id = request.path("decisionId").asText();
      ask(
          "/v1/rewards",
          reward,
          1,
          taken -> {
            accepted.add(id);
            waiting.remove(round);
          });
    } else {
      waiting.remove(round);
    }
  }

  private void note(ObjectNode request, JsonNode answer) {
    if (answer.path("reason").asText().equals(LATE)) {
      late.incrementAndGet();
      return;
    }
    String id = request.path("decisionId").asText();
    String arm = answer.path("arm").asText();
    String before = arms.putIfAbsent(id, arm);
    if (before != null && !before.equals(arm)) {
      violations.add("decision " + id + " got the arms " + before + " and " + arm);
    }
  }

  /** Sends a request, again and again while there is no answer or a 429 or 503. */
  private void ask(String path, ObjectNode body, int attempt, Consumer<JsonNode> onAnswer) {
    outstanding.incrementAndGet();
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(address + path))
            .header("Content-Type", "application/json")
            .timeout(TIMEOUT)
            .POST(BodyPublishers.ofString(body.toString()))
            .build();
    CompletableFuture<HttpResponse<String>> sent =
        client.sendAsync(request, BodyHandlers.ofString());
    var unused =
        sent.handle(
            (response, failure) -> {
              try {
                take(path, body, attempt, onAnswer, failure == null ? response : null);
              } finally {
                outstanding.decrementAndGet();
              }
              return null;
            });
  }

  private void take(
      String path,
      ObjectNode body,
      int attempt,
      Consumer<JsonNode> onAnswer,
      @Nullable HttpResponse<String> response) {
    int status = response == null ? 0 : response.statusCode();
    if (response != null && status / 100 == 2) {
      onAnswer.accept(parsed(response.body()));
    } else if (status != 0 && status != 429 && status != 503) {
      violations.add(path + " answered " + status);
    } else if (attempt >= MOST_ATTEMPTS) {
      violations.add(path + " did not answer " + attempt + " times");
    } else {
      retries.incrementAndGet();
      later(() -> ask(path, body, attempt + 1, onAnswer));
    }
  }

  private void later(Runnable action) {
    outstanding.incrementAndGet();
    var unused =
        timer.schedule(
            () -> {
              action.run();
              outstanding.decrementAndGet();
            },
            PAUSE_MILLIS,
            TimeUnit.MILLISECONDS);
  }

  /** Compares with the topics, after {@link #drain}; returns all violations so far. */
  List<String> verify() {
    List<String> all = new ArrayList<>(violations);
    Map<String, String> onTopic = decisions();
    new TreeMap<>(arms)
        .forEach(
            (id, arm) -> {
              String decided = onTopic.get(id);
              if (!arm.equals(decided)) {
                all.add("decision %s: answered %s, on the topic %s".formatted(id, arm, decided));
              }
            });
    Set<String> missing = new HashSet<>(accepted);
    missing.removeAll(rewards());
    missing.forEach(id -> all.add("the accepted reward of " + id + " is not on the topic"));
    return all;
  }

  /** Returns the arm of the first valid decision of each id. */
  private Map<String, String> decisions() {
    Answers answers = new Answers(Integer.MAX_VALUE);
    Map<String, String> decided = new HashMap<>();
    read(
        config.topics().decisions(),
        record ->
            answers
                .on(record)
                .filter(it -> it.arm() != null)
                .ifPresent(it -> decided.putIfAbsent(it.decisionId(), it.arm())));
    return decided;
  }

  private Set<String> rewards() {
    Set<String> ids = new HashSet<>();
    read(
        config.topics().rewards(),
        record -> {
          try {
            ids.add(Wire.REWARD.decode(record.value()).decisionId());
          } catch (RuntimeException e) {
            // the traffic contains invalid records on purpose
          }
        });
    return ids;
  }

  private void read(String topic, Consumer<ConsumerRecord<byte[], byte[]>> sink) {
    Map<TopicPartition, Long> from = new HashMap<>();
    try (var consumer = Consumers.committed(config.kafka())) {
      Consumers.partitions(consumer, topic).forEach(at -> from.put(at, 0L));
    }
    TopicReader.readToEnd(config.kafka(), from, sink);
  }

  /** Describes the traffic so far in one line. */
  String summary() {
    return ("gateway: %d decisions answered, %d answers at the deadline, %d requests repeated,"
            + " %d rewards accepted")
        .formatted(arms.size(), late.get(), retries.get(), accepted.size());
  }

  private static ObjectNode example(SegmentSpec spec) {
    return (ObjectNode) parsed(CurlExample.request(spec));
  }

  private static JsonNode parsed(String json) {
    try {
      return JSON.readTree(json);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("not JSON: " + json, e);
    }
  }

  @Override
  public void close() {
    timer.shutdownNow();
  }
}
