package io.equipoise.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.audit.verify.Tamper;
import io.equipoise.client.Answers;
import io.equipoise.event.Decision;
import io.equipoise.event.DecisionReason;
import io.equipoise.event.FairnessAudit;
import io.equipoise.event.JoinedDecision;
import io.equipoise.event.Place;
import io.equipoise.event.Propensities;
import io.equipoise.event.SegmentEvent;
import io.equipoise.event.SegmentEventType;
import io.equipoise.event.Source;
import io.equipoise.event.ValidWriterEpochs;
import io.equipoise.event.Versions;
import io.equipoise.event.Wire;
import io.equipoise.event.WriterEpochMarker;
import io.equipoise.event.WriterSchemas;
import io.equipoise.job.TestCluster;
import io.equipoise.job.TestDeployment;
import io.equipoise.job.registry.TestRegistry;
import io.equipoise.job.topics.TopicSetup;
import io.equipoise.job.topics.TopicTable;
import io.equipoise.segment.TestSpecs;
import io.equipoise.tools.LocalJob;
import java.io.ByteArrayOutputStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.message.BinaryMessageEncoder;
import org.apache.avro.util.RandomData;
import org.apache.flink.types.Row;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Runs the scripts of {@code deploy/sql} on topics, which are also read directly. */
@Order(1)
class SqlViewsTest {
  private static final long HOUR = 3_600_000;
  private static final long START = 472_222 * HOUR; // in November 2023
  private static final int CONTEXTS = 24;

  @RegisterExtension static final TestCluster CLUSTER = new TestCluster();

  @Test
  void theViewsOfAJobHaveTheFiguresOfItsTopics() throws Exception {
    try (TestDeployment deployment = CLUSTER.deployment("sql").publish(TestSpecs.dUcb())) {
      for (int i = 0; i < CONTEXTS; i++) {
        String segment = "s" + i % 2;
        long time = START + i * HOUR / 10;
        deployment.context(segment, "d" + i, time, Map.of("S", "a", "X", "low"));
        if (i % 3 > 0) {
          deployment.reward(segment, "d" + i, time + 1, i / 100.0, Map.of("M", "1"));
        }
      }
      deployment.context("s0", "d0", START, Map.of("S", "a", "X", "low"));
      deployment.context("s0", "bad", START, Map.of("S", "c", "X", "low"));
      deployment.send(deployment.topics.contexts(), "s0", new byte[] {1});
      LocalJob job = deployment.start(1, null);
      TestDeployment.await(() -> learned(deployment), learned -> learned.size() == 16);
      TestDeployment.await(deployment::deadLetters, letters -> letters.size() == 3);
      deployment.awaitDecisions(CONTEXTS + 2);
      job.cancel();
      deployment.awaitCommitted();
      SqlSession sql = new SqlSession(deployment).run("tables.sql").run("views.sql");

      Map<String, Double> learned = learned(deployment);
      Map<String, Double> joined = new HashMap<>();
      for (Row row : sql.query("SELECT decision_id, learned_reward FROM decisions_with_rewards")) {
        joined.put((String) row.getField(0), (Double) row.getField(1));
      }
      assertEquals(
          CONTEXTS + 1, joined.size(), "and the rejected one; the repeated one is left out");
      joined.values().removeIf(reward -> reward == null);
      assertEquals(learned, joined);

      assertEquals(hourly(deployment, learned), lines(sql.query("SELECT * FROM hourly")));
      assertEquals(effects(deployment), lines(sql.query("SELECT * FROM effects")));
      Map<String, Long> letters =
          deployment.deadLetters().stream()
              .collect(Collectors.groupingBy(it -> it.code(), TreeMap::new, Collectors.counting()));
      assertEquals(3, letters.size(), letters::toString);
      assertEquals(
          letters.entrySet().stream()
              .map(it -> "sql.contexts, " + it.getKey() + ", " + it.getValue())
              .collect(Collectors.toSet()),
          lines(sql.query("SELECT * FROM dead_letters")));
    }
  }

  /** Each topic has a record in each of both encodings. */
  @Test
  void theTablesOfADeploymentWithARegistryReadEveryTopic() throws Exception {
    try (TestRegistry registry = new TestRegistry();
        TestDeployment deployment = CLUSTER.deployment("sql-registry").publish()) {
      try (Admin admin =
          Admin.create(
              Map.<String, Object>of("bootstrap.servers", deployment.bootstrapServers()))) {
        admin.createTopics(List.of(TopicSetup.watch(deployment.config()))).all().get();
      }
      Set<String> expected = new HashSet<>(Set.of("raw_decisions, 2"));
      for (String topic : TopicTable.topics()) {
        Schema schema = TopicTable.schema(topic);
        if (schema == null) {
          continue;
        }
        String name = topic.substring(topic.indexOf('.') + 1);
        var value = new ByteArrayOutputStream();
        new BinaryMessageEncoder<Object>(new GenericData(), schema)
            .encode(new RandomData(schema, 1, 1L).iterator().next(), value);
        int id = registry.register(name + "-value", schema);
        for (byte[] encoded :
            List.of(value.toByteArray(), WriterSchemas.framed(id, value.toByteArray()))) {
          deployment.send(deployment.topics.deployment() + "." + name, "key", encoded);
        }
        expected.add(name.replace('-', '_') + ", 2");
      }
      SqlSession sql =
          new SqlSession(deployment)
              .run("tables-confluent.sql", "http://127.0.0.1:8081", registry.url());
      String counts =
          expected.stream()
              .map(it -> it.substring(0, it.indexOf(',')))
              .map(table -> "SELECT '%s', COUNT(*) FROM `%s`".formatted(table, table))
              .collect(Collectors.joining(" UNION ALL "));
      assertEquals(
          expected,
          sql.query(counts).stream()
              .map(row -> row.getField(0).toString().strip() + ", " + row.getField(1))
              .collect(Collectors.toSet()));
    }
  }

  private static Map<String, Double> learned(TestDeployment deployment) {
    Map<String, Double> learned = new HashMap<>();
    for (SegmentEvent event : deployment.segmentEvents()) {
      JoinedDecision decision = event.decision();
      if (decision != null && decision.learnedReward() != null) {
        learned.put(decision.id(), decision.learnedReward());
      }
    }
    return learned;
  }

  private static Set<String> hourly(TestDeployment deployment, Map<String, Double> learned) {
    Map<String, List<Decision>> hours =
        deployment.decisions().stream()
            .filter(Decision::isChosen)
            .collect(
                Collectors.groupingBy(
                    it ->
                        it.segment() + ", " + Instant.ofEpochMilli(it.eventTime() / HOUR * HOUR)));
    assertEquals(6, hours.size());
    return hours.entrySet().stream()
        .map(
            hour -> {
              List<Decision> all = hour.getValue();
              List<Double> rewards =
                  all.stream()
                      .map(it -> learned.get(it.decisionId()))
                      .filter(it -> it != null)
                      .toList();
              return "%s, %d, %.9f, %d, %s, %.9f"
                  .formatted(
                      hour.getKey(),
                      all.size(),
                      all.stream()
                          .mapToDouble(it -> it.certified() ? 1 : 0)
                          .average()
                          .orElseThrow(),
                      rewards.size(),
                      rewards.isEmpty()
                          ? "null"
                          : "%.9f"
                              .formatted(
                                  rewards.stream().mapToDouble(it -> it).average().orElseThrow()),
                      2
                          * all.stream()
                              .mapToDouble(it -> it.estimate().width())
                              .average()
                              .orElseThrow());
            })
        .collect(Collectors.toSet());
  }

  private static Set<String> effects(TestDeployment deployment) {
    Map<String, List<FairnessAudit>> groups =
        deployment.audits().stream()
            .collect(
                Collectors.groupingBy(
                    it ->
                        "%s, %s, %s, %s"
                            .formatted(
                                it.segment(),
                                it.effect().attribute(),
                                it.effect().kind(),
                                it.arm())));
    assertTrue(groups.size() > 1, groups::toString);
    return groups.entrySet().stream()
        .map(
            group -> {
              var effects = group.getValue().stream().map(FairnessAudit::effect).toList();
              return "%s, %d, %.9f, %.9f, %.9f, %s"
                  .formatted(
                      group.getKey(),
                      effects.size(),
                      effects.stream().mapToDouble(it -> it.estimate()).average().orElseThrow(),
                      effects.stream().mapToDouble(it -> it.lower()).min().orElseThrow(),
                      effects.stream().mapToDouble(it -> it.upper()).max().orElseThrow(),
                      Stream.of("CERTIFIED_FAIR", "UNFAIR", "NO_OVERLAP")
                          .map(
                              verdict ->
                                  group.getValue().stream()
                                          .filter(
                                              it ->
                                                  it.conclusion().verdict().name().equals(verdict))
                                          .count()
                                      + "")
                          .collect(Collectors.joining(", ")));
            })
        .collect(Collectors.toSet());
  }

  private static Set<String> lines(List<Row> rows) {
    Set<String> lines = new HashSet<>();
    for (Row row : rows) {
      List<String> fields = new ArrayList<>();
      for (int i = 0; i < row.getArity(); i++) {
        Object field = row.getField(i);
        fields.add(field instanceof Double number ? "%.9f".formatted(number) : "" + field);
      }
      lines.add(String.join(", ", fields));
    }
    return lines;
  }

  /** Records of writers that were replaced, in an arbitrary order. */
  @Test
  void whatWriterEpochsWithdrewIsLeftOut() throws Exception {
    try (TestDeployment deployment = CLUSTER.deployment("sql-epochs").publish(TestSpecs.dUcb())) {
      Random random = new Random(5);
      List<SegmentEvent> events = new ArrayList<>();
      int latest = 1;
      for (int i = 0; i < 200; i++) {
        if (i % 40 == 20) {
          latest++;
          int first = random.nextInt(8);
          WriterEpochMarker marker =
              new WriterEpochMarker(latest, first, first + random.nextInt(4));
          for (int partition = 0; partition < 2; partition++) {
            deployment.send(
                new ProducerRecord<>(
                    deployment.topics.decisions(), partition, null, null, null, marker.headers()));
          }
        }
        String segment = "s" + random.nextInt(10);
        Place place = new Place(segment, 1 + random.nextInt(latest), 1 + i / 4);
        String id = "d" + random.nextInt(3);
        Decision decision =
            Tamper.with(decision(place, id), "source.offset", (long) random.nextInt(2));
        deployment.send(deployment.topics.decisions(), segment, Wire.DECISION.encode(decision));
        SegmentEvent event = end(place, id);
        events.add(event);
        event = i % 2 == 0 ? event : byHash(event);
        deployment.send(
            deployment.topics.segmentEvents(), segment, Wire.SEGMENT_EVENT.encode(event));
      }
      SqlSession sql = new SqlSession(deployment).run("tables.sql").run("views.sql");

      Answers answers = new Answers();
      Map<TopicPartition, ValidWriterEpochs> epochs = new HashMap<>();
      Map<String, Long> lastSeqs = new HashMap<>();
      Map<String, Decision> firsts = new HashMap<>();
      for (var record : deployment.read(deployment.topics.decisions())) {
        answers.on(record).ifPresent(first -> firsts.put(contextOf(first), first));
        ValidWriterEpochs valid =
            epochs.computeIfAbsent(
                new TopicPartition(record.topic(), record.partition()),
                any -> new ValidWriterEpochs());
        if (record.value() == null) {
          valid.on(WriterEpochMarker.of(record.headers()));
          continue;
        }
        Decision decision = Wire.DECISION.decode(record.value());
        if (valid.on(decision)) {
          lastSeqs.put(contextOf(decision), decision.seq());
        }
      }
      Set<String> valid =
          firsts.values().stream()
              .map(it -> contextOf(it) + ", " + it.seq() + ", " + lastSeqs.get(contextOf(it)))
              .collect(Collectors.toSet());
      assertTrue(answers.voided() > 10, answers.voided() + " are void");
      assertTrue(answers.repeated() > 10, answers.repeated() + " are repeated");
      assertEquals(
          valid,
          lines(
              sql.query(
                  "SELECT place.segment, decisionId, `source`.`offset`, place.seq, last_seq"
                      + " FROM valid_decisions")));

      List<SegmentEvent> surviving =
          events.stream()
              .filter(
                  it -> events.stream().noneMatch(other -> withdraws(other.place(), it.place())))
              .toList();
      assertTrue(surviving.size() > 20 && surviving.size() < 180, surviving.size() + " survive");
      assertEquals(
          surviving.stream()
              .map(
                  it ->
                      it.segment()
                          + ", "
                          + it.hashOfDecision()
                          + ", "
                          + Instant.ofEpochMilli(it.eventTime()))
              .sorted()
              .toList(),
          sql.query("SELECT segment, decision_hash, event_time FROM decision_ends").stream()
              .map(row -> row.getField(0) + ", " + row.getField(1) + ", " + row.getField(2))
              .sorted()
              .toList());
      Set<String> joined = new HashSet<>();
      for (Decision decided : firsts.values()) {
        surviving.stream()
            .filter(
                it ->
                    it.segment().equals(decided.segment())
                        && decided.decisionId().equals(it.decisionId())
                        && lastSeqs.get(contextOf(decided)).equals(it.decisionSeq()))
            .map(
                it ->
                    "%s, %s, %s"
                        .formatted(
                            decided.segment(),
                            decided.decisionId(),
                            Instant.ofEpochMilli(it.eventTime())))
            .forEach(joined::add);
      }
      assertTrue(joined.size() > 10, joined::toString);
      assertEquals(
          joined,
          lines(
              sql.query(
                  "SELECT segment, decision_id, ended_at FROM decisions_with_rewards"
                      + " WHERE ended_by IS NOT NULL")));
    }
  }

  private static String contextOf(Decision decision) {
    return decision.segment() + ", " + decision.decisionId() + ", " + decision.source().offset();
  }

  /** As the job writes it when a window closes. */
  private static SegmentEvent byHash(SegmentEvent event) {
    JoinedDecision known = event.decision();
    return Tamper.with(
        event,
        "decision",
        new JoinedDecision(
            null,
            event.hashOfDecision(),
            known.seq(),
            known.arm(),
            known.propensity(),
            known.propensities(),
            known.features(),
            known.mediators(),
            known.learnedReward(),
            known.reason()));
  }

  private static boolean withdraws(Place later, Place place) {
    return later.segment().equals(place.segment())
        && later.writerEpoch() > place.writerEpoch()
        && later.seq() <= place.seq();
  }

  static Decision decision(Place place, String id) {
    int keyGroup = Integer.parseInt(place.segment().substring(1));
    return new Decision(
        id,
        place,
        new Source("contexts", 0, 0),
        0,
        Versions.NONE,
        "ucb",
        "left",
        DecisionReason.EXPLOIT,
        null,
        false,
        null,
        List.of("left"),
        Propensities.SURE,
        null,
        null,
        null,
        null,
        keyGroup,
        false,
        null);
  }

  static SegmentEvent end(Place place, String id) {
    return new SegmentEvent(
        SegmentEventType.REWARD_APPLIED,
        place,
        place.seq() * 1000,
        Versions.NONE,
        new JoinedDecision(id, null, place.seq(), "left", 1.0, null, null, Map.of(), 0.5, null),
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null);
  }
}
