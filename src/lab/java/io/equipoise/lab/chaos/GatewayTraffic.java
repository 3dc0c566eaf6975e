package io.equipoise.lab.chaos;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.equipoise.client.Answers;
import io.equipoise.event.Wire;
import io.equipoise.gateway.CurlExample;
import io.equipoise.job.options.JobConfig;
import io.equipoise.job.options.Topics;
import io.equipoise.job.topics.Consumers;
import io.equipoise.lab.CommittedRecords;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.SpecVariable;
import io.equipoise.tools.cluster.Waiting;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/**
 * Calls the gateway: asks for decisions at a constant rate, asks again with the same id without an
 * answer, and sends a reward for every second decision. A twentieth of the ids is asked for twice.
 *
 * <p>Invariants: every answer without DEADLINE_EXCEEDED is on the topic with the same arm, no id
 * gets two arms, and every reward that was accepted is on the topic. {@link LogVerifier} checks
 * that a reward is learned once.
 *
 * <p>State: the answered arms, the accepted rewards and the rounds that wait, which the HTTP
 * client's threads update. Only the caller's thread writes {@code number}. {@link #verify} reads
 * them when no request is open. The thread that calls {@link #readOn} keeps what it has read of the
 * topics and up to which positions.
 */
final class GatewayTraffic implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String LATE = "DEADLINE_EXCEEDED";
  private static final int DEADLINE_MILLIS = 15_000;

  private static final int AGAIN = 20;

  private final JobConfig config;
  private final PersistentCaller caller;
  private final List<SegmentSpec> specs;
  private final int perSecond;
  private final LongConsumer onWait;
  private final String prefix;
  private final Clock clock;
  private final AtomicInteger late = new AtomicInteger();
  private final Map<String, String> arms = new ConcurrentHashMap<>();
  private final Set<String> accepted = ConcurrentHashMap.newKeySet();
  private final NavigableSet<Integer> waiting = new ConcurrentSkipListSet<>();
  private final Answers answers = new Answers(Integer.MAX_VALUE);
  private final Map<String, String> decided = new HashMap<>();
  private final Set<String> rewarded = new HashSet<>();
  private final Map<TopicPartition, Long> positions = new HashMap<>();
  private volatile int number;

  /**
   * Makes the callers.
   *
   * @param onWait receives the time from each first request to its answer, ns
   */
  GatewayTraffic(
      JobConfig config,
      PersistentCaller caller,
      List<SegmentSpec> specs,
      int perSecond,
      LongConsumer onWait,
      Clock clock) {
    this.config = config;
    this.caller = caller;
    this.specs = CurlExample.served(specs);
    this.perSecond = perSecond;
    this.onWait = onWait;
    this.clock = clock;
    this.prefix = "http-" + clock.millis() + "-";
  }

  void start() {
    caller.start(this::next, perSecond);
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
    caller.drain();
  }

  void resume() {
    caller.resume();
  }

  private void next() {
    int round = number;
    waiting.add(round);
    number = round + 1;
    SegmentSpec spec = specs.get(round % specs.size());
    ObjectNode request = example(spec);
    request.put("decisionId", prefix + round);
    request.put("deadlineMs", DEADLINE_MILLIS);
    long askedAt = System.nanoTime();
    caller.ask(
        "/v1/decisions",
        request,
        answer -> {
          onWait.accept(System.nanoTime() - askedAt);
          answered(spec, request, round, answer);
        });
    if (round % AGAIN == 0) {
      caller.later(() -> caller.ask("/v1/decisions", request, answer -> note(request, answer)));
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
      caller.ask(
          "/v1/rewards",
          reward,
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
      caller.violate("decision " + id + " got the arms " + before + " and " + arm);
    }
  }

  /** Compares with the topics, after {@link #drain}; returns all violations so far. */
  List<String> verify() {
    readOn();
    List<String> all = caller.violations();
    new TreeMap<>(arms)
        .forEach(
            (id, arm) -> {
              String onTopic = decided.get(id);
              if (!arm.equals(onTopic)) {
                all.add("decision %s: answered %s, on the topic %s".formatted(id, arm, onTopic));
              }
            });
    Set<String> missing = new HashSet<>(accepted);
    missing.removeAll(rewarded);
    missing.forEach(id -> all.add("the accepted reward of " + id + " is not on the topic"));
    return all;
  }

  /**
   * Reads what the topics have since the last call: the arm of the first valid decision of each id,
   * and the rewards. Call it more often than retention removes records.
   */
  void readOn() {
    Topics topics = config.topics();
    try (var consumer = Consumers.committed(config.kafka())) {
      for (String topic : List.of(topics.decisions(), topics.rewards())) {
        consumer
            .beginningOffsets(Consumers.partitions(consumer, topic))
            .forEach((at, first) -> positions.merge(at, first, Math::max));
      }
    }
    positions.putAll(
        CommittedRecords.readToEnd(
            config.kafka(),
            positions,
            record -> {
              if (record.topic().equals(topics.rewards())) {
                addReward(record.value());
              } else {
                answers
                    .on(record)
                    .filter(it -> it.arm() != null && it.decisionId().startsWith(prefix))
                    .ifPresent(it -> decided.putIfAbsent(it.decisionId(), it.arm()));
              }
            }));
  }

  private void addReward(byte[] value) {
    try {
      String id = Wire.REWARD.decode(value).decisionId();
      if (id.startsWith(prefix)) {
        rewarded.add(id);
      }
    } catch (RuntimeException e) {
      // the traffic contains invalid records on purpose
    }
  }

  /** Reads a topic from its beginning to its current end. */
  static void read(JobConfig config, String topic, Consumer<ConsumerRecord<byte[], byte[]>> sink) {
    Map<TopicPartition, Long> from = new HashMap<>();
    try (var consumer = Consumers.committed(config.kafka())) {
      Consumers.partitions(consumer, topic).forEach(at -> from.put(at, 0L));
    }
    CommittedRecords.readToEnd(config.kafka(), from, sink);
  }

  /** Returns the numbers so far of answers and accepted rewards. */
  Map<String, Long> totals() {
    return Map.of(
        "decisions over HTTP", (long) arms.size(),
        "answers at the deadline", late.longValue(),
        "rewards over HTTP", (long) accepted.size());
  }

  /** Describes the traffic so far in one line. */
  String summary() {
    return ("gateway: %d decisions answered, %d answers at the deadline, %d requests repeated,"
            + " %d rewards accepted")
        .formatted(arms.size(), late.get(), caller.retries(), accepted.size());
  }

  private static ObjectNode example(SegmentSpec spec) {
    return (ObjectNode) PersistentCaller.parsed(CurlExample.request(spec));
  }

  @Override
  public void close() {
    caller.close();
  }
}
