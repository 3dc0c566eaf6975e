package io.equipoise.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.Tier;
import io.equipoise.event.Decision;
import io.equipoise.job.options.StartRefusedException;
import io.equipoise.job.options.Topics;
import io.equipoise.segment.TestSpecs;
import io.equipoise.tools.EmbeddedBroker;
import io.equipoise.tools.LocalCluster;
import io.equipoise.tools.LocalJob;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.metrics.Counter;
import org.apache.flink.runtime.testutils.InMemoryReporter;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TransactionalIdNotFoundException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Starts from savepoints whose transactions are of the past, or of another deployment. */
@Order(1)
class PastTransactionsTest {
  private static final InMemoryReporter METRICS = InMemoryReporter.createWithRetainedMetrics();
  private static EmbeddedBroker broker;
  private static LocalCluster flink;

  @TempDir private Path savepoints;

  @BeforeAll
  static void start() {
    broker =
        EmbeddedBroker.start(
            properties -> {
              // Short to wait for, and longer than a busy machine leaves a new producer idle.
              properties.put("transactional.id.expiration.ms", "10000");
              properties.put("transaction.remove.expired.transaction.cleanup.interval.ms", "200");
              return properties;
            });
    flink = LocalCluster.start(METRICS.addToConfiguration(new Configuration()), 4);
  }

  @AfterAll
  static void stop() {
    flink.close();
    broker.close();
  }

  @Test
  void aSavepointOlderThanItsTransactionalIdsIsStartedFrom() throws Exception {
    try (TestDeployment deployment = deployment("expired")) {
      LocalJob first = deployment.start(2, null);
      ask(deployment, "a");
      deployment.awaitDecisions(1);
      ask(deployment, "b"); // its transaction is in the savepoint
      deployment.awaitWritten(2);
      String savepoint = first.stopWithSavepoint(savepoints);
      deployment.awaitDecisions(1);
      try (Admin admin = Admin.create(clients())) {
        TestDeployment.await(() -> transactionalIds(admin, "expired"), List::isEmpty);
      }
      LocalJob second = deployment.start(2, savepoint);
      ask(deployment, "c");
      List<Decision> decisions = deployment.awaitDecisions(3);
      assertEquals(
          List.of("a", "b", "c"), decisions.stream().map(Decision::decisionId).sorted().toList());
      second.cancel();
    }
  }

  /**
   * Both launchers have made their checks before one of the jobs runs; here the other only owns.
   */
  @Test
  void aJobThatIsNoLongerTheOwnerFailsBeforeItCommitsAndAStartOwnsAgain() throws Exception {
    try (TestDeployment deployment = deployment("owned");
        Admin admin = Admin.create(clients())) {
      LocalJob before = deployment.start(2, null);
      ask(deployment, "a");
      deployment.awaitDecisions(1);
      String savepoint = before.stopWithSavepoint(savepoints);
      LocalJob first = deployment.start(2, savepoint);
      new Owner(admin, clients(), deployment.topics, 1).take();
      ask(deployment, "b");
      String failure =
          first
              .awaitEnd(TestDeployment.PATIENCE)
              .getSerializedThrowable()
              .orElseThrow()
              .getFullStringifiedStackTrace();
      assertTrue(failure.contains("another job of deployment owned has started"), failure);
      assertEquals(0, first.restarts());
      assertEquals(List.of("a"), ids(deployment.decisions()));
      LocalJob second = deployment.start(1, savepoint);
      assertEquals(List.of("a", "b"), ids(deployment.awaitDecisions(2)));
      second.cancel();
    }
  }

  /** As after a week of checkpoints, or here after ten seconds. */
  @Tag("full")
  @Test
  void anOwnerWhoseIdTheBrokersHaveForgottenOwnsAgain() throws Exception {
    try (TestDeployment deployment =
            deployment("forgotten").with("execution.checkpointing.interval", "1 s");
        Admin admin = Admin.create(clients())) {
      LocalJob job = deployment.start(1, null);
      String id = deployment.topics.transactionalIdPrefix(Topics.OWNER);
      long first = producerId(admin, id);
      TestDeployment.await(() -> producerId(admin, id), now -> now > first);
      ask(deployment, "a");
      deployment.awaitDecisions(1);
      assertEquals(0, job.restarts());
      job.cancel();
    }
  }

  /** Returns -1 if the brokers do not know the id. */
  private static long producerId(Admin admin, String id) {
    try {
      return admin.describeTransactions(List.of(id)).description(id).get().producerId();
    } catch (ExecutionException e) {
      assertInstanceOf(TransactionalIdNotFoundException.class, e.getCause());
      return -1;
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static List<String> ids(List<Decision> decisions) {
    return decisions.stream().map(Decision::decisionId).toList();
  }

  @Test
  void theSavepointOfAnotherDeploymentIsRefusedWhileThatGoesOn() throws Exception {
    try (TestDeployment production = deployment("production");
        TestDeployment staging = deployment("staging")) {
      LocalJob job = production.start(1, null);
      ask(production, "a");
      production.awaitDecisions(1);
      ask(production, "b");
      production.awaitWritten(2);
      String savepoint = job.savepoint(savepoints);
      StartRefusedException refused =
          assertThrows(StartRefusedException.class, () -> staging.start(1, savepoint));
      String told = String.valueOf(refused.getMessage());
      assertTrue(told.contains("production") && told.contains("staging"), told);
      ask(production, "c");
      production.awaitDecisions(3);
      assertEquals(0, job.restarts());
      assertEquals(List.of(), staging.decisions());
      job.cancel();
    }
  }

  private static void assertOlder(TestDeployment deployment, String savepoint) {
    String told =
        String.valueOf(
            assertThrows(StartRefusedException.class, () -> deployment.start(2, savepoint))
                .getMessage());
    String older = "is older than the topics of deployment " + deployment.topics.deployment();
    assertTrue(told.contains(older), told);
  }

  /**
   * With both kinds of delivery. After a change to at-least-once, the state must have all that was
   * committed, and a job that still runs must commit no more.
   */
  @Test
  void anOlderSavepointIsRefusedTheNewestIsNotAndAChangeOfDeliveryOwnsTheDeployment()
      throws Exception {
    try (TestDeployment deployment = deployment("changed")) {
      LocalJob first = deployment.start(2, null);
      ask(deployment, "a");
      deployment.awaitWritten(1);
      String older = first.savepoint(savepoints);
      ask(deployment, "b");
      deployment.awaitDecisions(2);
      ask(deployment, "c"); // its transaction is in the savepoint
      deployment.awaitWritten(3);
      String newest = first.stopWithSavepoint(savepoints);
      assertOlder(deployment, older);
      LocalJob second = deployment.start(4, newest);
      ask(deployment, "d");
      deployment.awaitDecisions(4);
      String last = second.stopWithSavepoint(savepoints);
      LocalJob exactlyOnce = deployment.withoutPeriodicCheckpoints().start(1, last);
      assertEquals(4, deployment.decisions().size());
      deployment.with("equipoise.delivery", "at-least-once");
      assertOlder(deployment, older);
      LocalJob atLeastOnce = deployment.start(1, last);
      assertThrows(Exception.class, () -> exactlyOnce.savepoint(savepoints));
      String failure =
          exactlyOnce
              .awaitEnd(TestDeployment.PATIENCE)
              .getSerializedThrowable()
              .orElseThrow()
              .getFullStringifiedStackTrace();
      assertTrue(failure.contains("another job of deployment changed has started"), failure);
      ask(deployment, "e");
      Decision given = deployment.awaitDecisions(5).get(4);
      atLeastOnce.cancel();
      deployment.start(2, last); // records of at-least-once delivery do not refuse it
      List<Decision> all = deployment.awaitDecisions(6);
      assertEquals(List.of("a", "b", "c", "d", "e", "e"), ids(all));
      assertEquals(given.arm(), all.get(5).arm());
      assertTrue(all.get(5).recovered());
    }
  }

  /** As when the brokers end a transaction that the checkpoint counts on. */
  @Test
  void recordsThatTheTopicsHaveLostAreCountedAndTheJobGoesOn() throws Exception {
    try (TestDeployment deployment = deployment("lost").withoutPeriodicCheckpoints()) {
      LocalJob first = deployment.start(1, null);
      ask(deployment, "a");
      deployment.awaitWritten(1); // so that it is in the savepoint's transaction
      String savepoint = first.stopWithSavepoint(savepoints);
      deployment.awaitDecisions(1);
      create(deployment, deployment.topics.decisions());
      long lost = count(JobMetric.LOST_RECORDS);
      LocalJob second =
          deployment
              .with("execution.checkpointing.interval", "200 ms")
              .with("execution.checkpointing.min-pause", "0 ms")
              .start(1, savepoint);
      assertEquals(lost + 1, count(JobMetric.LOST_RECORDS));
      ask(deployment, "b");
      assertEquals("b", deployment.awaitDecisions(1).get(0).decisionId());
      second.cancel();
    }
  }

  @Tag("full")
  @Test
  void recordsThatRetentionHasRemovedAreNotLostAndUnreadOnesAreCounted() throws Exception {
    try (TestDeployment deployment = deployment("removed").withoutPeriodicCheckpoints()) {
      LocalJob first = deployment.start(1, null);
      ask(deployment, "a");
      deployment.awaitWritten(1); // so that it is in the savepoint's transaction
      String savepoint = first.stopWithSavepoint(savepoints);
      deployment.awaitDecisions(1);
      ask(deployment, "b");
      ask(deployment, "c");
      remove(deployment.topics.decisions());
      remove(deployment.topics.contexts());
      long lost = count(JobMetric.LOST_RECORDS);
      long removed = count(JobMetric.REMOVED_INPUTS);
      LocalJob second =
          deployment
              .with("equipoise.on-lost-records", "fail")
              .with("execution.checkpointing.interval", "200 ms")
              .with("execution.checkpointing.min-pause", "0 ms")
              .start(1, savepoint);
      assertEquals(lost, count(JobMetric.LOST_RECORDS));
      assertEquals(removed + 2, count(JobMetric.REMOVED_INPUTS));
      ask(deployment, "d");
      assertEquals("d", deployment.awaitDecisions(1).get(0).decisionId());
      second.cancel();
    }
  }

  @Test
  void aSavepointThatHasReadAnotherTopicOfContextsIsRefusedUnlessThatIsAccepted() throws Exception {
    List<String> deliveries = List.of("exactly-once", "at-least-once");
    for (String delivery : deliveries.subList(0, Tier.count(1, 2))) {
      try (TestDeployment deployment =
          deployment("another-" + delivery).with("equipoise.delivery", delivery)) {
        LocalJob first = deployment.start(1, null);
        ask(deployment, "a");
        deployment.awaitDecisions(1);
        String savepoint = first.stopWithSavepoint(savepoints);
        create(deployment, deployment.topics.contexts());
        ask(deployment, "b");
        ask(deployment, "c");
        String told =
            String.valueOf(
                assertThrows(StartRefusedException.class, () -> deployment.start(1, savepoint))
                    .getMessage());
        assertTrue(told.contains("is not the topic that the state has read"), told);
        LocalJob second =
            deployment.with("equipoise.allow-replaced-inputs", "true").start(1, savepoint);
        assertEquals("c", deployment.awaitDecisions(2).get(1).decisionId(), "at the old offset");
        String next = second.stopWithSavepoint(savepoints);
        deployment.with("equipoise.allow-replaced-inputs", "false").start(1, next).cancel();
      }
    }
  }

  /** Sums a counter over all jobs. */
  private static long count(JobMetric counter) {
    return METRICS.getMetricsByGroup().values().stream()
        .map(metrics -> metrics.get(counter.metricName()))
        .filter(Objects::nonNull)
        .mapToLong(metric -> ((Counter) metric).getCount())
        .sum();
  }

  /** Deletes a topic and creates it again. */
  private static void create(TestDeployment deployment, String topic) throws Exception {
    try (Admin admin = Admin.create(clients())) {
      admin.deleteTopics(List.of(topic)).all().get();
      TestDeployment.await(() -> topics(admin), names -> !names.contains(topic));
    }
    deployment.publish();
  }

  private static Set<String> topics(Admin admin) {
    try {
      return admin.listTopics().names().get();
    } catch (InterruptedException | ExecutionException e) {
      throw new AssertionError(e);
    }
  }

  private static void remove(String topic) throws Exception {
    try (Admin admin = Admin.create(clients())) {
      Map<TopicPartition, RecordsToDelete> all = new HashMap<>();
      for (int partition = 0; partition < 2; partition++) {
        all.put(new TopicPartition(topic, partition), RecordsToDelete.beforeOffset(-1));
      }
      admin.deleteRecords(all).all().get();
    }
  }

  private static TestDeployment deployment(String name) throws InterruptedException {
    return new TestDeployment(broker, flink, name)
        .with("restart-strategy.type", "fixed-delay")
        .with("restart-strategy.fixed-delay.attempts", "2")
        .publish(TestSpecs.ucb());
  }

  private static void ask(TestDeployment deployment, String id) {
    deployment.context("shop", id, System.currentTimeMillis(), Map.of("S", "a", "X", "low"));
  }

  private static List<String> transactionalIds(Admin admin, String deployment) {
    try {
      return admin.listTransactions().all().get().stream()
          .map(it -> it.transactionalId())
          .filter(it -> it.startsWith(deployment + "."))
          .toList();
    } catch (ExecutionException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static Properties clients() {
    Properties clients = new Properties();
    clients.setProperty("bootstrap.servers", broker.bootstrapServers());
    return clients;
  }
}
