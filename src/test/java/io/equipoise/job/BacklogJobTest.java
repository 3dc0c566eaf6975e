package io.equipoise.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.equipoise.Tier;
import io.equipoise.event.DeadLetter;
import io.equipoise.event.SegmentEventType;
import io.equipoise.event.Wire;
import io.equipoise.event.WireContext;
import io.equipoise.event.WireReward;
import io.equipoise.segment.TestSpecs;
import io.equipoise.tools.LocalJob;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A job that starts an hour of event time behind, with three times the room that it needs. */
class BacklogJobTest {
  private static final int HOUR = 3_600;
  private static final int WINDOW = 300;
  private static final List<String> SEGMENTS = List.of("s0", "s1");

  /** Of a segment. */
  private static final int CONTEXTS = 6_000;

  @RegisterExtension static final TestCluster CLUSTER = new TestCluster();

  @Test
  void aBacklogOfAnHourLosesNothing() throws Exception {
    assumeTrue(Tier.isFull(), "takes a minute: mvn verify -Pfull");
    int room = 3 * CONTEXTS * WINDOW / HOUR;
    String join =
        "{reward-window: %ds, early-reward-timeout: %ds, dedup-window: %<ds, max-pending: %d}";
    try (TestDeployment deployment =
        CLUSTER
            .deployment("backlog")
            .with("equipoise.max-outage", "1 min")
            .with("equipoise.time.idle-timeout", "2 min")
            .with("equipoise.time.max-clock-skew", "2 min")
            .publish(TestSpecs.ucb(join.formatted(WINDOW, WINDOW, room), "{range: [0, 1]}"))) {
      deployment.withTimesOfProducers(); // an hour's backlog, without waiting an hour
      send(deployment);
      LocalJob job = deployment.start(2, null);
      long all = (long) SEGMENTS.size() * CONTEXTS;
      for (long settled = 0; settled < all; ) {
        long before = settled;
        settled = TestDeployment.await(() -> settled(deployment), now -> now > before);
      }
      job.cancel();
      assertEquals(
          Map.of(),
          deployment.deadLetters().stream()
              .collect(
                  Collectors.groupingBy(DeadLetter::code, TreeMap::new, Collectors.counting())));
    }
  }

  private static long settled(TestDeployment deployment) {
    return deployment.deadLetters().size()
        + deployment.segmentEvents().stream()
            .filter(segmentEvent -> segmentEvent.type() == SegmentEventType.REWARD_APPLIED)
            .count();
  }

  @SuppressWarnings("FutureReturnValueIgnored") // a lost record fails the counts of the test
  private static void send(TestDeployment deployment) {
    long begun = System.currentTimeMillis() - HOUR * 1_000L;
    try (var producer =
        new KafkaProducer<>(
            deployment.config().kafka(), new ByteArraySerializer(), new ByteArraySerializer())) {
      for (int i = 0; i < CONTEXTS; i++) {
        long time = begun + i * (HOUR * 1_000L / CONTEXTS);
        for (String segment : SEGMENTS) {
          byte[] key = segment.getBytes(StandardCharsets.UTF_8);
          String id = segment + "-" + i;
          Map<String, Object> person = Map.of("S", "a", "X", "low");
          producer.send(
              new ProducerRecord<>(
                  deployment.topics.contexts(),
                  null,
                  time,
                  key,
                  Wire.CONTEXT.encode(new WireContext(id, segment, time, person, null, null))));
          producer.send(
              new ProducerRecord<>(
                  deployment.topics.rewards(),
                  null,
                  time + 2_000,
                  key,
                  Wire.REWARD.encode(
                      new WireReward(id, null, segment, time + 2_000, 0.5, Map.of(), null))));
        }
      }
    }
  }
}
