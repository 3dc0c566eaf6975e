package io.equipoise.job.topics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.job.TestCluster;
import io.equipoise.job.options.JobConfig;
import io.equipoise.job.options.StartRefusedException;
import io.equipoise.job.options.Topics;
import io.equipoise.tools.EmbeddedBroker;
import java.time.Duration;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.flink.configuration.Configuration;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.ProducerState;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
class TopicSetupTest {
  private static EmbeddedBroker broker;
  private static Admin admin;

  @BeforeAll
  static void startBroker() {
    broker = TestCluster.broker();
    admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()));
  }

  @AfterAll
  static void closeBroker() {
    admin.close();
  }

  @Test
  void missingTopicsAreCreatedWithTheSettingsTheyNeed() throws Exception {
    var topics = new Topics("fresh");
    var report = setup("fresh", Map.of("equipoise.partitions", "3")).prepare();
    assertEquals(
        List.of(
            "fresh.audit",
            "fresh.causal-bounds",
            "fresh.contexts",
            "fresh.dead-letter",
            "fresh.decisions",
            "fresh.experiments",
            "fresh.metrics",
            "fresh.rewards",
            "fresh.segment-events",
            "fresh.specs"),
        report.created());
    for (var name : topics.inputs()) {
      assertEquals("LogAppendTime", setting(name, "message.timestamp.type"));
      assertEquals(3, partitions(name));
    }
    assertEquals("-1", setting(topics.decisions(), "retention.ms"));
    assertEquals("-1", setting(topics.segmentEvents(), "retention.ms"));
    assertEquals("-1", setting(topics.experiments(), "retention.ms"));
    for (var name : topics.controls()) {
      assertEquals("compact", setting(name, "cleanup.policy"));
      assertEquals(1, partitions(name));
    }
    for (var name : report.created()) {
      int above = name.equals(topics.deadLetter()) ? 128 << 10 : 64 << 10;
      assertEquals(Integer.toString((1 << 20) + above), setting(name, "max.message.bytes"));
    }
  }

  /**
   * A broker forgets a producer by the timestamp of its last record. Without the producer it
   * accepts records out of order and refuses their predecessors, or accepts a repeated one twice.
   */
  @Test
  void aBrokerRemembersWhoLoadsOldRecordsIntoInputsByTheirAppendTime() throws Exception {
    setup("backfill", Map.of()).prepare();
    var topics = new Topics("backfill");
    long begun = System.currentTimeMillis();
    long old = begun - Duration.ofDays(1).toMillis();
    Map<String, Object> settings =
        Map.of("bootstrap.servers", broker.bootstrapServers(), "acks", "all");
    try (var producer =
        new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
      for (var topic : List.of(topics.contexts(), topics.rewards(), topics.metrics())) {
        producer.send(new ProducerRecord<>(topic, 0, old, null, new byte[0])).get();
      }
    }
    assertTrue(lastTimestamp(topics.contexts()) >= begun);
    assertTrue(lastTimestamp(topics.rewards()) >= begun);
    assertEquals(old, lastTimestamp(topics.metrics()), "a topic without append times");
  }

  private static long lastTimestamp(String topic) throws Exception {
    var at = new TopicPartition(topic, 0);
    return admin.describeProducers(List.of(at)).partitionResult(at).get().activeProducers().stream()
        .mapToLong(ProducerState::lastTimestamp)
        .max()
        .orElseThrow();
  }

  @Test
  void aSecondStartFindsEverythingInOrder() {
    setup("twice", Map.of()).prepare();
    assertEquals(new TopicSetup.Report(List.of(), List.of()), setup("twice", Map.of()).prepare());
  }

  @Test
  void allFaultsAreToldWithTopicAndRemedyAndNothingIsCreated() throws Exception {
    create("wrong.specs", 1, Map.of());
    create("wrong.causal-bounds", 2, Map.of("cleanup.policy", "compact,delete"));
    create("wrong.decisions", 4, Map.of("cleanup.policy", "compact"));
    create("wrong.audit", 4, Map.of("max.message.bytes", "1000"));
    var refused =
        assertThrows(StartRefusedException.class, () -> setup("wrong", Map.of()).prepare());
    assertEquals(
        List.of(
            "wrong.audit: max.message.bytes is 1000, below the 1048576 that"
                + " equipoise.max-record-bytes requires; kafka-configs.sh --alter --topic"
                + " wrong.audit --add-config max.message.bytes=1114112",
            "wrong.causal-bounds: cleanup.policy is compact,delete, must be compact, or texts that"
                + " log records refer to are lost; kafka-configs.sh --alter --topic"
                + " wrong.causal-bounds --add-config cleanup.policy=compact",
            "wrong.causal-bounds: has 2 partitions, must have 1 to keep its records in order;"
                + " delete it with kafka-topics.sh --delete --topic wrong.causal-bounds, start"
                + " again and publish its records again",
            "wrong.decisions: cleanup.policy is compact, must be delete: compaction keeps only the"
                + " last record of a segment and deletes writer-epoch markers, so that withdrawn"
                + " decisions look valid; kafka-configs.sh --alter --topic wrong.decisions"
                + " --add-config cleanup.policy=delete",
            "wrong.specs: cleanup.policy is delete, must be compact, or texts that log records"
                + " refer to are lost; kafka-configs.sh --alter --topic wrong.specs --add-config"
                + " cleanup.policy=compact"),
        refused.faults());
    assertFalse(admin.listTopics().names().get().contains("wrong.contexts"));
  }

  @Test
  void contextsThatARetentionRemovesAreRemarkedWhereReplaysNeedThem() throws Exception {
    create(
        "bare.contexts",
        4,
        Map.of("retention.ms", "1000", "message.timestamp.type", "LogAppendTime"));
    assertEquals(List.of(), setup("bare", Map.of()).prepare().remarks());
    assertEquals(
        List.of(
            "bare.contexts: retention.ms is 1000; decisions whose contexts are older cannot be"
                + " replayed, since equipoise.privacy.features is false"),
        setup("bare", Map.of("equipoise.privacy.features", "false")).prepare().remarks());
  }

  @Test
  void contextsAreKeptForEverWhereReplaysNeedThem() throws Exception {
    setup("told", Map.of()).prepare();
    setup("untold", Map.of("equipoise.privacy.features", "false")).prepare();
    assertNotEquals("-1", setting("told.contexts", "retention.ms"));
    assertEquals("-1", setting("untold.contexts", "retention.ms"));
    assertEquals("-1", setting("untold.decisions", "retention.ms"));
  }

  @Test
  void aLimitOfBytesRemovesRecordsToo() throws Exception {
    create("sized.decisions", 4, Map.of("retention.ms", "-1", "retention.bytes", "1000000"));
    assertEquals(
        List.of(
            "sized.decisions: retention.bytes is 1000000; only a savepoint can replay older"
                + " records"),
        setup("sized", Map.of()).prepare().remarks());
  }

  @Test
  void whatAnOperatorMayHaveChosenIsRemarkedAndLeftAlone() throws Exception {
    create("chosen.segment-events", 7, Map.of("retention.ms", "1000"));
    create("chosen.contexts", 7, Map.of());
    var report = setup("chosen", Map.of()).prepare();
    assertEquals(8, report.created().size());
    assertEquals(
        List.of(
            "chosen.contexts: message.timestamp.type is not LogAppendTime; EVENT_TIME_IN_FUTURE"
                + " depends on the clock at reading",
            "chosen.segment-events: has 7 partitions, equipoise.partitions is 4; only seq orders"
                + " records of a segment from before and after such a change",
            "chosen.segment-events: retention.ms is 1000; only a savepoint can replay older"
                + " records"),
        report.remarks());
    assertEquals(7, partitions("chosen.segment-events"));
  }

  @Test
  void twoLaunchersAtOnceCreateEachTopicOnce() {
    var one = CompletableFuture.supplyAsync(setup("raced", Map.of())::prepare);
    var other = CompletableFuture.supplyAsync(setup("raced", Map.of())::prepare);
    assertEquals(10, one.join().created().size() + other.join().created().size());
    assertEquals(List.of(), one.join().remarks());
    assertEquals(List.of(), other.join().remarks());
  }

  @Test
  void aTransactionTimeoutAboveTheBrokersLimitIsAFault() {
    var setup = setup("patient", Map.of("kafka.transaction.timeout.ms", "21600001"));
    var refused = assertThrows(StartRefusedException.class, setup::prepare);
    assertEquals(1, refused.faults().size());
    assertTrue(
        refused
            .faults()
            .get(0)
            .startsWith(
                "brokers: transaction.max.timeout.ms is 21600000, below the required 21600001 ms"));
  }

  @Test
  void aBrokerThatRemembersProducersForLongIsRemarkedUnderExactlyOnceOnly() {
    var exactly = new TopicChecks(config("long", Map.of()));
    exactly.producerExpiration("86400000");
    exactly.producerExpiration("3484000");
    exactly.producerExpiration(null);
    assertEquals(1, exactly.remarks().size());
    assertTrue(exactly.remarks().get(0).endsWith("producer.id.expiration.ms=1171000"));
    var atLeast = new TopicChecks(config("long", Map.of("equipoise.delivery", "at-least-once")));
    atLeast.producerExpiration("86400000");
    assertEquals(List.of(), atLeast.remarks());
  }

  @Test
  void replicationThatMayLoseAcknowledgedRecordsIsRemarked() {
    var safe = Map.of("min.insync.replicas", "2", "unclean.leader.election.enable", "false");
    var unsafe = Map.of("min.insync.replicas", "1", "unclean.leader.election.enable", "true");
    assertEquals(List.of(), replication(3, safe));
    assertEquals(List.of(), replication(1, Map.of("min.insync.replicas", "1")));
    assertEquals(
        List.of(
            "kept.audit: has 3 replicas and min.insync.replicas is 1; a record may be lost with"
                + " one broker, after it was acknowledged; kafka-configs.sh --alter --topic"
                + " kept.audit --add-config min.insync.replicas=2",
            "kept.audit: unclean.leader.election.enable is true; acknowledged records are lost"
                + " when a lagging broker becomes the leader; kafka-configs.sh --alter --topic"
                + " kept.audit --add-config unclean.leader.election.enable=false"),
        replication(3, unsafe));
    assertEquals(replication(3, unsafe).subList(0, 1), replication(3, Map.of()));
  }

  private static List<String> replication(int replicas, Map<String, String> settings) {
    var checks = new TopicChecks(config("kept", Map.of()));
    var all = new HashMap<>(settings);
    all.put("max.message.bytes", "1114112");
    checks.topic(
        "kept.audit",
        new ExistingTopics.Existing(4, replicas, all, EnumSet.allOf(AclOperation.class)));
    checks.refuseFaults();
    return checks.remarks();
  }

  private static TopicSetup setup(String deployment, Map<String, String> settings) {
    return new TopicSetup(admin, config(deployment, settings));
  }

  private static JobConfig config(String deployment, Map<String, String> settings) {
    var given = new HashMap<>(settings);
    given.put("equipoise.deployment", deployment);
    given.put("kafka.bootstrap.servers", broker.bootstrapServers());
    return JobConfig.from(Configuration.fromMap(given));
  }

  private static void create(String name, int partitions, Map<String, String> settings)
      throws Exception {
    var topic = new NewTopic(name, partitions, (short) 1).configs(settings);
    admin.createTopics(List.of(topic)).all().get();
    new ExistingTopics(admin).awaitAll(Set.of(name));
  }

  private static int partitions(String name) throws Exception {
    return admin.describeTopics(List.of(name)).allTopicNames().get().get(name).partitions().size();
  }

  private static String setting(String topic, String name) throws Exception {
    var resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
    return admin.describeConfigs(List.of(resource)).all().get().get(resource).get(name).value();
  }
}
