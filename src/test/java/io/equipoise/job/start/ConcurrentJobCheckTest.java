package io.equipoise.job.start;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.MINUTES;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.job.TestCluster;
import io.equipoise.job.options.StartRefusedException;
import io.equipoise.job.options.Topics;
import io.equipoise.tools.EmbeddedBroker;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TransactionState;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

class ConcurrentJobCheckTest {
  private static final Duration INTERVAL = Duration.ofSeconds(1);
  private static final Duration CHECKPOINT = Duration.ofMillis(300);

  private static EmbeddedBroker broker;
  private static Admin admin;

  @BeforeAll
  static void startBroker() throws Exception {
    broker = TestCluster.broker();
    admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()));
    var topics =
        Stream.of("twin", "twin-2", "slow", "idle", "killed", "late")
            .map(name -> name + ".decisions")
            .map(name -> new NewTopic(name, 1, (short) 1))
            .toList();
    admin.createTopics(topics).all().get();
  }

  @AfterAll
  static void closeBroker() {
    admin.close();
  }

  private static KafkaProducer<String, String> producer(String id) {
    var producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", broker.bootstrapServers(), "transactional.id", id),
            new StringSerializer(),
            new StringSerializer());
    producer.initTransactions();
    return producer;
  }

  private static void check(String deployment) throws InterruptedException {
    new ConcurrentJobCheck(admin, new Topics(deployment), INTERVAL).refuseRival();
  }

  /** A job's transaction is open from one checkpoint to the next; one of milliseconds is missed. */
  private static void awaitAtMost(CountDownLatch latch, Duration time) {
    try {
      var unused = latch.await(time.toMillis(), MILLISECONDS);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String id(String deployment) {
    return new Topics(deployment).transactionalIdPrefix(Topics.OUTPUTS) + "-0-1";
  }

  @Test
  void aJobThatGoesOnBeginningTransactionsRefusesTheSecond() throws Exception {
    var stop = new CountDownLatch(1);
    try (var producer = producer(id("twin"))) {
      var writing =
          CompletableFuture.runAsync(
              () -> {
                do {
                  producer.beginTransaction();
                  var unused = producer.send(new ProducerRecord<>("twin.decisions", "x"));
                  producer.flush();
                  awaitAtMost(stop, CHECKPOINT);
                  producer.commitTransaction();
                } while (stop.getCount() > 0);
              });
      var refused = assertThrows(StartRefusedException.class, () -> check("twin"));
      stop.countDown();
      writing.get(1, MINUTES);
      assertTrue(
          refused.getMessage().contains("another job of deployment twin"), refused::getMessage);
      assertDoesNotThrow(() -> check("twin-2"), "deployments do not meet");
    }
  }

  /** As a job does that seldom takes a checkpoint. */
  @Test
  void aJobThatGoesOnInOneTransactionRefusesTheSecond() throws Exception {
    var stop = new CountDownLatch(1);
    try (var producer = producer(id("slow"))) {
      producer.beginTransaction();
      producer.send(new ProducerRecord<>("slow.decisions", "x")).get();
      var writing =
          CompletableFuture.runAsync(
              () -> {
                while (stop.getCount() > 0) {
                  var unused = producer.send(new ProducerRecord<>("slow.decisions", "x"));
                  producer.flush();
                  awaitAtMost(stop, CHECKPOINT);
                }
              });
      var refused = assertThrows(StartRefusedException.class, () -> check("slow"));
      stop.countDown();
      writing.get(1, MINUTES);
      assertTrue(refused.getMessage().contains("it appended a decision"), refused::getMessage);
      producer.abortTransaction();
      assertDoesNotThrow(() -> check("slow"), "it is gone");
    }
  }

  /** As a job does that has nothing to write: each checkpoint has an id of its own. */
  @Test
  void aJobWithoutAnythingToWriteRefusesTheSecond() throws Exception {
    var stop = new CountDownLatch(1);
    producer(id("idle")).close();
    var checkpoints =
        CompletableFuture.runAsync(
            () -> {
              for (int checkpoint = 2; stop.getCount() > 0; checkpoint++) {
                producer(
                        new Topics("idle").transactionalIdPrefix(Topics.OUTPUTS)
                            + "-0-"
                            + checkpoint)
                    .close();
                awaitAtMost(stop, CHECKPOINT);
              }
            });
    var idle = new ConcurrentJobCheck(admin, new Topics("idle"), INTERVAL);
    for (Executable other : List.<Executable>of(() -> check("idle"), idle::refuseWriter)) {
      var refused = assertThrows(StartRefusedException.class, other);
      assertTrue(
          refused.getMessage().contains("it registered the transactional id idle.job.outputs-0-"),
          refused::getMessage);
    }
    stop.countDown();
    checkpoints.get(1, MINUTES);
    assertDoesNotThrow(() -> check("idle"), "it is gone");
  }

  @Test
  void whatAKilledJobLeftOpenRefusesNothing() throws Exception {
    try (var producer = producer(id("killed"))) {
      producer.beginTransaction();
      var unused = producer.send(new ProducerRecord<>("killed.decisions", "x"));
      producer.flush();
      var listed = admin.listTransactions().byBrokerId().get();
      var open = listed.values().iterator().next().get();
      assertTrue(
          open.stream()
              .anyMatch(
                  it ->
                      it.transactionalId().equals(id("killed"))
                          && it.state() == TransactionState.ONGOING),
          open::toString);
      assertDoesNotThrow(() -> check("killed"));
      producer.abortTransaction();
    }
  }

  /**
   * The mark of an abort is no decision, though the brokers begin to count batches anew with it.
   */
  @Test
  void whatTheBrokersAbortWhileTheStartWaitsRefusesNothing() throws Exception {
    try (var producer = producer(id("late"))) {
      producer.beginTransaction();
      producer.send(new ProducerRecord<>("late.decisions", "x")).get();
      var watching =
          CompletableFuture.runAsync(
              () -> {
                try {
                  check("late");
                } catch (InterruptedException e) {
                  throw new IllegalStateException(e);
                }
              });
      awaitAtMost(new CountDownLatch(1), INTERVAL);
      producer.abortTransaction();
      assertDoesNotThrow(() -> watching.get(1, MINUTES));
    }
  }

  @Test
  void aJobWithoutTransactionsIsSeenByTheDecisionsThatCome() throws Exception {
    var check = new ConcurrentJobCheck(admin, new Topics("plain"), INTERVAL);
    admin.createTopics(List.of(new NewTopic("plain.decisions", 2, (short) 1))).all().get();
    var stop = new CountDownLatch(1);
    try (var producer =
        new KafkaProducer<>(
            Map.<String, Object>of("bootstrap.servers", broker.bootstrapServers()),
            new StringSerializer(),
            new StringSerializer())) {
      producer.send(new ProducerRecord<>("plain.decisions", "of a job that is gone")).get();
      check.refuseWriter();
      var writing =
          CompletableFuture.runAsync(
              () -> {
                while (stop.getCount() > 0) {
                  var unused = producer.send(new ProducerRecord<>("plain.decisions", "x"));
                  producer.flush();
                  awaitAtMost(stop, CHECKPOINT);
                }
              });
      var refused = assertThrows(StartRefusedException.class, check::refuseWriter);
      stop.countDown();
      writing.get();
      assertTrue(refused.getMessage().contains("another job of deployment plain"));
    }
  }
}
