package io.equipoise.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.event.WriterEpochMarker;
import io.equipoise.tools.EmbeddedBroker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.Logger;
import org.apache.logging.log4j.core.appender.AbstractAppender;
import org.apache.logging.log4j.core.config.Property;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The decisions topic on a broker. */
@Timeout(300)
class KafkaDecisionLogTest {
  private static final Duration CHECKPOINT_INTERVAL = Duration.ofMillis(500);
  private static final int MOST_CHECKPOINTS = 20;
  private static EmbeddedBroker broker;
  private static Admin admin;

  @BeforeAll
  static void startBroker() throws Exception {
    broker = TestCluster.broker();
    admin = Admin.create(settings());
  }

  @AfterAll
  static void closeBroker() {
    admin.close();
  }

  private static Properties settings() {
    Properties settings = new Properties();
    settings.setProperty("bootstrap.servers", broker.bootstrapServers());
    return settings;
  }

  private static KafkaDecisionLog open(String topic) throws Exception {
    admin.createTopics(List.of(new NewTopic(topic, 1, (short) 1))).all().get();
    return new KafkaDecisionLog(settings(), topic);
  }

  private static KafkaProducer<byte[], byte[]> producer(Map<String, String> more) {
    Properties settings = settings();
    settings.putAll(more);
    return new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
  }

  @Test
  void aRecordThatOnlyBeginsLikeAMarkerDoesNotEndTheWatch() throws Exception {
    WriterEpochMarker marker = new WriterEpochMarker(3, 0, 127);
    Headers broken = marker.headers().remove(WriterEpochMarker.LAST_KEY_GROUP);
    try (KafkaDecisionLog log = open("broken");
        var producer = producer(Map.of())) {
      producer.send(new ProducerRecord<>("broken", 0, null, null, null, broken)).get();
      log.append(marker);
      List<WriterEpochMarker> seen = new ArrayList<>();
      TestDeployment.await(
          () -> {
            log.watch(0, seen::add);
            return seen.size();
          },
          found -> found > 0);
      assertEquals(List.of(marker), seen);
    }
  }

  /** As the brokers answer after the topic was made anew, or a replica without its last records. */
  @Test
  void aBrokerThatAnswersWithLessChangesNothing() throws Exception {
    try (KafkaDecisionLog log = open("shrunk")) {
      log.append(new WriterEpochMarker(1, 0, 127));
      log.append(new WriterEpochMarker(2, 0, 127));
      TestDeployment.await(() -> watchedEnd(log, new ArrayList<>()), end -> end == 2);
      admin.deleteTopics(List.of("shrunk")).all().get();
      admin.createTopics(List.of(new NewTopic("shrunk", 1, (short) 1))).all().get();
      for (int i = 0; i < 100; i++) {
        assertEquals(2, log.recentEnds()[0]);
        // A question of our own, asked and answered, so that the log's is answered meanwhile.
        admin.describeCluster().nodes().get();
      }
    }
  }

  private static long watchedEnd(KafkaDecisionLog log, List<WriterEpochMarker> seen) {
    log.watch(0, seen::add);
    return log.recentEnds()[0];
  }

  /** Who watches tells when the brokers have answered; who does not keeps what it knows. */
  @Test
  void theEndsThatAreKeptAreBehindNoMarkerThatWasNotHandedOver() throws Exception {
    try (KafkaDecisionLog log = open("marked");
        KafkaDecisionLog other = new KafkaDecisionLog(settings(), "marked")) {
      log.append(new WriterEpochMarker(1, 0, 127));
      List<WriterEpochMarker> seen = new ArrayList<>();
      TestDeployment.await(() -> watchedEnd(log, seen), end -> end == 1);
      for (int writerEpoch = 50; writerEpoch < 53; writerEpoch++) {
        other.append(new WriterEpochMarker(writerEpoch, 0, 127));
        int wanted = writerEpoch - 48;
        TestDeployment.await(
            () -> {
              assertEquals(1, log.recentEnds()[0]);
              return watchedEnd(other, new ArrayList<>());
            },
            end -> end == wanted);
      }
      seen.clear();
      TestDeployment.await(() -> watchedEnd(log, seen), end -> end == 4);
      assertEquals(List.of(50, 51, 52), seen.stream().map(WriterEpochMarker::writerEpoch).toList());
    }
  }

  /** A checkpoint asks twice a second: what it may keep must not fall behind the decisions. */
  @Test
  void theEndsThatAreKeptFollowHoweverMuchIsAppended() throws Exception {
    int records = 8_000;
    byte[] value = new byte[2_000];
    new Random(7).nextBytes(value);
    try (KafkaDecisionLog log = open("much");
        var producer = producer(Map.of())) {
      Future<RecordMetadata> last = producer.send(new ProducerRecord<>("much", value));
      for (int i = 1; i < records; i++) {
        last = producer.send(new ProducerRecord<>("much", value));
      }
      last.get();
      int checkpoints = 0;
      while (watchedEnd(log, new ArrayList<>()) < records && checkpoints < MOST_CHECKPOINTS) {
        LockSupport.parkNanos(CHECKPOINT_INTERVAL.toNanos());
        checkpoints++;
      }
      assertTrue(checkpoints < MOST_CHECKPOINTS, "lags behind after checkpoints: " + checkpoints);
    }
  }

  @Test
  void whatCannotBeReadIsNotWatchedInSilence() throws Exception {
    TopicPartition none = new TopicPartition("not: a topic", 0);
    try (MarkerWatch watch = new MarkerWatch(settings(), none, 0)) {
      IllegalStateException told =
          assertThrows(
              IllegalStateException.class,
              () -> TestDeployment.await(() -> watch.handOver(marker -> {}), upTo -> upTo > 0));
      assertTrue(String.valueOf(told.getMessage()).contains("not: a topic-0"), told.getMessage());
    }
  }

  @Test
  void whatStandsBehindAnOpenTransactionIsWaitedForAloud() throws Exception {
    List<String> said = new CopyOnWriteArrayList<>();
    Logger logger = (Logger) LogManager.getLogger(KafkaDecisionLog.class);
    AbstractAppender appender =
        new AbstractAppender("said", null, null, true, Property.EMPTY_ARRAY) {
          @Override
          public void append(LogEvent event) {
            said.add(event.getMessage().getFormattedMessage());
          }
        };
    appender.start();
    logger.addAppender(appender);
    try (KafkaDecisionLog log = open("waiting");
        var producer = producer(Map.of("transactional.id", "of another delivery"))) {
      producer.initTransactions();
      producer.beginTransaction();
      producer.send(new ProducerRecord<>("waiting", new byte[] {1})).get();
      long[] marked = log.append(new WriterEpochMarker(1, 0, 127));
      AtomicInteger read = new AtomicInteger();
      var reading =
          CompletableFuture.runAsync(
              () ->
                  log.read(
                      new long[1],
                      new long[] {marked[0] + 1},
                      (partition, value, headers) -> read.incrementAndGet()));
      TestDeployment.await(said::size, lines -> lines > 0);
      assertEquals(0, read.get());
      String told = said.get(0);
      assertTrue(
          told.matches(
              "waiting-0 is read up to offset 0 of 2 since \\d+ s and no record arrives.*"),
          told);
      producer.abortTransaction();
      reading.get();
      assertEquals(1, read.get());
    } finally {
      logger.removeAppender(appender);
    }
  }

  @Test
  void aWaitIsToldAfterFiveSecondsAndThenEveryTen() {
    WaitNotice notice = new WaitNotice(0);
    List<Integer> told = new ArrayList<>();
    for (int second = 0; second < 40; second++) {
      if (notice.isDue(second * 1_000_000_000L)) {
        told.add(second);
      }
    }
    assertEquals(List.of(5, 15, 25, 35), told);
    notice.restart(40_000_000_000L);
    assertFalse(notice.isDue(44_999_999_999L));
    assertTrue(notice.isDue(45_000_000_000L));
    assertEquals(5, notice.waited(45_000_000_000L).toSeconds());
  }
}
