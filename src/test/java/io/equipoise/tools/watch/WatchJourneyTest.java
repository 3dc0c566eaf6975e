package io.equipoise.tools.watch;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.equipoise.cli.OptionValues;
import io.equipoise.event.Decision;
import io.equipoise.event.SegmentEvent;
import io.equipoise.event.WatchRecord;
import io.equipoise.event.Wire;
import io.equipoise.job.control.SpecHistory;
import io.equipoise.job.control.WatchLedger;
import io.equipoise.job.control.WatchLedger.LedgerEntry;
import io.equipoise.job.control.WatchPublisher;
import io.equipoise.job.options.JobConfig;
import io.equipoise.job.options.StartRefusedException;
import io.equipoise.job.options.Topics;
import io.equipoise.segment.state.CompiledSpec;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.SpecSelection;
import io.equipoise.tools.EmbeddedBroker;
import io.equipoise.tools.simulate.SimulationSpecs;
import io.equipoise.tools.specs.SpecsCommand;
import io.equipoise.watch.LoggedRecord;
import io.equipoise.watch.WatchedLog;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.flink.configuration.Configuration;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The verbs one after the other on the topics of a deployment, on a real broker. */
@Order(1)
class WatchJourneyTest {
  private static final CompiledSpec CHAMPION =
      SimulationSpecs.of("{name: ucb, explore: {share: 0.6, over: all}}");

  /** Decides as the champion does, which looks at no limit. */
  private static final String OTHER_LIMIT = CHAMPION.spec().text().replace("tau: 0.2", "tau: 0.3");

  private static final int BEFORE = 300;
  private static final Topics TOPICS = new Topics("shop");

  @TempDir private Path directory;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private String servers = "";

  @Test
  void aSpecIsRegisteredTestedPromotedAndEnded() throws Exception {
    WatchedLog log = new WatchedLog(CHAMPION).play(1500);
    Path spec = directory.resolve("offers.yaml");
    Files.writeString(spec, OTHER_LIMIT);
    try (EmbeddedBroker broker = EmbeddedBroker.start()) {
      servers = broker.bootstrapServers();
      createTopics();
      send(log.records.subList(0, BEFORE));
      register(spec);
      send(log.records.subList(BEFORE, log.records.size()));
      JobConfig config = config();
      follow(config, 4); // a turn and 1,000 rows of both registrations
      assertEquals(0, watch("status", "--json", "-"), err::toString);
      assertTrue(err.toString().contains("PASSES"), err::toString);
      JsonNode json = new ObjectMapper().readTree(out.toString());
      JsonNode found = json.get("registrations").get(0);
      assertEquals(0.025, found.at("/registration/challenger/share").asDouble());
      assertTrue(found.at("/evidence/ofChallenger/passes").asBoolean(), found::toString);
      assertEquals(1, found.at("/registration/challenger/number").asInt());
      assertEquals(0, found.at("/evidence/ofChallenger/difference").asDouble());
      assertEquals(1, specs("promote", "offers", "--yes", "--timeout", "1")); // no job runs
      assertTrue(out.toString().contains("The records are published all the same"), out::toString);
      LedgerEntry promoted = WatchLedger.read(config).of(WatchedLog.SEGMENT).get(0);
      assertNotNull(promoted.promoted(), () -> out + "\n" + err);
      assertEquals(promoted.newest(), promoted.promoted().evidence());
      assertTrue(promoted.promoted().specKey().startsWith("offers/"));
      assertEquals(0, watch("end", promoted.registration().id()), err::toString);
      assertEquals(2, watch("end", promoted.registration().id()), "it has ended");
      assertTrue(
          err.toString()
              .contains("given, which 0 open registrations begin with; watch status lists them"),
          err::toString);
      assertEquals(1, specs("promote", "offers", "--yes", "--timeout", "1"));
      assertTrue(err.toString().contains("specs promote: ENDED: "), err::toString);
      assertEquals(0, watch("verify"), () -> out + "\n" + err);
      assertTrue(out.toString().contains("1 segments compared; 0 records differ"), out::toString);
      assertEquals(0, watch("status"), err::toString);
      assertTrue(out.toString().contains("ended: WITHDRAWN; promoted as offers/"), out::toString);
    }
  }

  /** The way that docs/watch.md advises for one segment of many. */
  @Test
  void aNewNameForOneSegmentIsRegisteredPromotedAndAdopted() throws Exception {
    WatchedLog log = new WatchedLog(CHAMPION).play(1500);
    String renamed = OTHER_LIMIT.replace("name: offers", "name: offers-2");
    Path unselected = directory.resolve("unselected.yaml");
    Files.writeString(unselected, renamed); // offers comes first
    Path elsewhere = directory.resolve("elsewhere.yaml");
    Files.writeString(
        elsewhere, renamed.replace("segments: default", "segments: {exact: [south]}"));
    Path advised = directory.resolve("advised.yaml");
    String exact = renamed.replace("segments: default", "segments: {exact: [north]}");
    Files.writeString(advised, exact);
    Path first = directory.resolve("first.yaml"); // its name is before that of the other
    Files.writeString(first, exact.replace("offers-2", "offers-1").replace("0.3", "0.4"));
    try (EmbeddedBroker broker = EmbeddedBroker.start()) {
      servers = broker.bootstrapServers();
      createTopics();
      send(log.records.subList(0, BEFORE));
      for (Path path : List.of(unselected, elsewhere)) {
        assertEquals(1, watch("challenger", path.toString(), "--segment", WatchedLog.SEGMENT));
        assertTrue(
            err.toString()
                .contains("NOT_SELECTED: segment north would adopt another spec than offers-2; "),
            err::toString);
        assertTrue(err.toString().contains("give it `segments: {exact: [north]}`"), err::toString);
      }
      assertEquals(List.of(), List.copyOf(WatchLedger.read(config()).all()), "no alpha is spent");
      String[] words = {"challenger", "--segment", WatchedLog.SEGMENT, "--margin", "0.2", "", ""};
      words[5] = advised.toString();
      words[6] = first.toString();
      assertEquals(0, watch(words), err::toString);
      assertTrue(out.toString().contains(", candidate 1, share "), out::toString);
      send(log.records.subList(BEFORE, log.records.size()));
      follow(config(), 4);
      assertEquals(1, specs("promote", "offers-2", "--yes", "--timeout", "1")); // no job runs
      assertTrue(out.toString().contains("offers version 1 -> offers-2 version 1"), out::toString);
      assertEquals(0, watch("status"), err::toString);
      assertTrue(out.toString().contains("promoted as offers-2/"), out::toString);
      assertEquals(1, specs("promote", "offers-1", "--yes", "--timeout", "1"));
      SpecHistory history = SpecHistory.read(config());
      SegmentSpec next = SpecSelection.select(history.inForce(), WatchedLog.SEGMENT).orElseThrow();
      assertEquals("offers-1", next.name());
      int played = log.records.size();
      log.publish(Objects.requireNonNull(history.byHash(next.hash()))).play(1);
      send(log.records.subList(played, log.records.size()));
      follow(config(), 2);
      assertEquals(0, watch("status"), err::toString);
      assertTrue(out.toString().contains("ended: CHAMPION_CHANGED the segment"), out::toString);
      assertTrue(
          out.toString().contains("ended: promoted as " + next.key() + ", which was"),
          out::toString);
    }
  }

  /** Runs the two commands of docs/watch.md about a challenger with other features. */
  @Test
  void aChallengerThatWouldStartEmptyNeedsTheKeyAndTheOption() throws Exception {
    WatchedLog log = new WatchedLog(CHAMPION).play(1300);
    Path file = directory.resolve("linear.yaml");
    String text = SimulationSpecs.ridge().spec().text().replace("name: offers", "name: linear");
    String exact = text.replace("segments: default", "segments: {exact: [north]}");
    List<String> page = Files.readAllLines(Path.of("docs/watch.md"));
    try (EmbeddedBroker broker = EmbeddedBroker.start()) {
      servers = broker.bootstrapServers();
      createTopics();
      send(log.records.subList(0, BEFORE));
      String[] challenger = words(page, "equipoise watch challenger linear.yaml", file);
      Files.writeString(file, exact);
      assertEquals(1, watch(challenger));
      assertTrue(err.toString().contains("WOULD_BE_REJECTED: "), err::toString);
      Files.writeString(file, exact + "on-incompatible-change: reset\n");
      assertEquals(0, watch(challenger), err::toString);
      assertTrue(out.toString().contains("; specs promote needs --start-empty"), out::toString);
      send(log.records.subList(BEFORE, log.records.size()));
      follow(config(), 1);
      assertEquals(1, specs("promote", "linear", "--yes", "--timeout", "1"));
      assertTrue(err.toString().contains("specs promote: STARTS_EMPTY: "), err::toString);
      List<String> promote =
          new ArrayList<>(List.of(words(page, "equipoise specs promote linear", file)));
      promote.addAll(List.of("--yes", "--timeout", "1"));
      assertEquals(1, specs(promote.toArray(new String[0]))); // no job runs
      assertTrue(out.toString().contains("offers version 1 -> linear version 1"), out::toString);
      assertEquals(2, SpecHistory.read(config()).all().size());
    }
  }

  /** Returns the words of a command of a page after the name of the group of verbs. */
  private static String[] words(List<String> page, String start, Path file) {
    String line = page.stream().filter(it -> it.startsWith(start)).findFirst().orElseThrow();
    List<String> words = new ArrayList<>(List.of(line.split(" ")));
    words.replaceAll(it -> it.equals("linear.yaml") ? file.toString() : it);
    int config = words.indexOf("--config");
    words.subList(config, config + 2).clear();
    return words.subList(2, words.size()).toArray(new String[0]);
  }

  @Test
  void forgedEvidenceIsFoundByVerify() throws Exception {
    WatchedLog log = new WatchedLog(CHAMPION).play(300);
    Path spec = directory.resolve("offers.yaml");
    Files.writeString(spec, OTHER_LIMIT);
    try (EmbeddedBroker broker = EmbeddedBroker.start()) {
      servers = broker.bootstrapServers();
      createTopics();
      send(log.records);
      assertEquals(
          0, watch("challenger", spec.toString(), "--segment", WatchedLog.SEGMENT), err::toString);
      List<LedgerEntry> made = List.of();
      while (made.isEmpty()) { // the coordinator ends the transaction a moment later
        made = WatchLedger.read(config()).of(WatchedLog.SEGMENT);
      }
      WatchRecord registration = made.get(0).registration();
      try (WatchPublisher publisher = new WatchPublisher(config())) {
        publisher.write(List.of(registration.with(WatchedLog.passing(0, 0, 1))));
      }
      assertEquals(0, watch("status"), err::toString);
      assertTrue(out.toString().contains("PASSES"), out::toString);
      assertEquals(1, watch("verify"));
      assertTrue(out.toString().contains("EVIDENCE_DIFFERS: registration "), out::toString);
    }
  }

  @Test
  void aRegistrationThatAnotherOneFencesIsRefused() throws Exception {
    try (EmbeddedBroker broker = EmbeddedBroker.start()) {
      servers = broker.bootstrapServers();
      createTopics();
      try (Admin admin = Admin.create(Map.of("bootstrap.servers", servers))) {
        WatchPublisher.create(admin, config());
      }
      assertThrows(
          StartRefusedException.class,
          () ->
              WatchPublisher.register(
                  config(),
                  ledger -> {
                    assertDoesNotThrow(
                        () -> WatchPublisher.register(config(), any -> List.of(genders("south"))));
                    return List.of(genders("north"));
                  }));
      WatchPublisher.register(config(), ledger -> List.of(genders("east")));
      assertEquals(
          List.of("south", "east"),
          WatchLedger.read(config()).all().stream().map(LedgerEntry::segment).toList());
    }
  }

  /** Reads the topic watch after its broker has gone, which replied when the verb began. */
  @Command(name = "late")
  static final class LateVerb extends WatchVerb {
    private final EmbeddedBroker broker;

    LateVerb(EmbeddedBroker broker) {
      this.broker = broker;
    }

    @Override
    protected int runOn(Deployment deployment) {
      broker.close();
      WatchLedger.read(deployment.config());
      return 0;
    }
  }

  @Test
  void aBrokerThatGoesAwayIsNamedByItsOption() throws Exception {
    try (EmbeddedBroker broker = EmbeddedBroker.start()) {
      servers = broker.bootstrapServers();
      createTopics();
      assertEquals(
          2,
          run(
              new CommandLine(new LateVerb(broker)),
              "-Dkafka.default.api.timeout.ms=5000",
              "-Dkafka.request.timeout.ms=5000"),
          out::toString);
      assertEquals(
          """
          late: The deployment cannot be read:
            kafka.bootstrap.servers: nothing listens at %s
          """
              .formatted(servers),
          err.toString());
    }
  }

  private static WatchRecord genders(String segment) {
    return WatchRecord.of(segment, WatchedLog.genders(0));
  }

  private JobConfig config() {
    Configuration given = new Configuration();
    given.setString("kafka.bootstrap.servers", servers);
    given.setString("equipoise.deployment", "shop");
    return JobConfig.from(given);
  }

  private void register(Path spec) {
    for (String limit : new String[] {"1e308", "1"}) {
      String of = WatchedLog.SEGMENT;
      assertEquals(
          2, watch("challenger", spec.toString(), "--segment", of, "--margin", limit), limit);
      assertTrue(err.toString().contains("--margin: "), err::toString);
      assertEquals(
          2, watch("groups", "--segment", of, "--attribute", "gender", "--tolerance", limit));
      assertTrue(err.toString().contains("--tolerance: "), err::toString);
    }
    String segment = WatchedLog.SEGMENT;
    String text = spec.toString();
    for (String alpha : new String[] {"0.99", "0"}) {
      assertEquals(2, watch("challenger", text, "--segment", segment, "--alpha", alpha), alpha);
      assertTrue(err.toString().contains("--alpha: above 0, at most 0.5"), err::toString);
    }
    String[] gaps = {
      "challenger", text, "--segment", segment, "--max-gap", "gender=.1", "--max-gap", "gender=.9"
    };
    assertEquals(2, watch(gaps));
    assertTrue(
        err.toString().contains("--max-gap: gender given twice; give each key once"),
        err::toString);
    String[] challenger = {
      "challenger", spec.toString(), "--segment", WatchedLog.SEGMENT, "--margin", "0.2"
    };
    assertEquals(0, watch(challenger), err::toString);
    assertTrue(out.toString().contains("share 0.025 of alpha 0.05"), out::toString);
    assertEquals(1, watch(challenger));
    assertTrue(err.toString().contains("ALREADY_OPEN: "), err::toString);
    String[] other = {
      "challenger", spec.toString(), "--segment", WatchedLog.SEGMENT, "--alpha", "0.1"
    };
    assertEquals(1, watch(other));
    assertTrue(err.toString().contains("ALPHA_DIFFERS: "), err::toString);
    assertEquals(1, watch("challenger", spec.toString(), "--segment", "nowhere"));
    assertTrue(err.toString().contains("SEGMENT_INACTIVE: "), err::toString);
    String[] groups = {
      "groups", "--segment", WatchedLog.SEGMENT, "--attribute", "gender", "--tolerance", "0.02"
    };
    assertEquals(0, watch(groups), err::toString);
    assertEquals(1, watch("run", "-D", "equipoise.delivery=at-least-once"));
    assertTrue(err.toString().contains("NOT_EXACTLY_ONCE: "), err::toString);
  }

  private static void follow(JobConfig config, int records) throws InterruptedException {
    long deadline = System.nanoTime() + Duration.ofMinutes(3).toNanos();
    int evidence = 0;
    try (WatchRun run = WatchRun.of(config, 1000, Runnable::run)) {
      while (evidence < records) {
        assertTrue(System.nanoTime() < deadline, "no evidence in time");
        evidence += run.step(Duration.ofMillis(100)).size();
      }
    }
  }

  private int watch(String... words) {
    return run(new CommandLine(new WatchCommand()), words);
  }

  private int specs(String... words) {
    return run(new CommandLine(new SpecsCommand()), words);
  }

  private int run(CommandLine line, String... words) {
    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);
    OptionValues.register(line);
    List<String> all = new ArrayList<>(Arrays.asList(words));
    all.addAll(
        List.of("-D", "kafka.bootstrap.servers=" + servers, "-D", "equipoise.deployment=shop"));
    return line.setCaseInsensitiveEnumValuesAllowed(true)
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(all.toArray(new String[0]));
  }

  private void createTopics() throws Exception {
    List<NewTopic> created = new ArrayList<>();
    for (String topic : List.of(TOPICS.decisions(), TOPICS.segmentEvents(), TOPICS.deadLetter())) {
      created.add(new NewTopic(topic, 2, (short) 1));
    }
    TOPICS.controls().forEach(topic -> created.add(new NewTopic(topic, 1, (short) 1)));
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", servers))) {
      admin.createTopics(created).all().get();
    }
    send(List.of(record(TOPICS.specs(), CHAMPION.spec().key(), bytes(CHAMPION.spec().text()))));
  }

  private void send(List<?> records) {
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", servers),
            new ByteArraySerializer(),
            new ByteArraySerializer())) {
      for (Object each : records) {
        var unused = producer.send(converted(each));
      }
    }
  }

  @SuppressWarnings("unchecked") // records of this class
  private static ProducerRecord<byte[], byte[]> converted(Object each) {
    if (!(each instanceof LoggedRecord logged)) {
      return (ProducerRecord<byte[], byte[]>) each;
    }
    return logged.output() instanceof Decision decision
        ? record(TOPICS.decisions(), WatchedLog.SEGMENT, Wire.DECISION.encode(decision))
        : record(
            TOPICS.segmentEvents(),
            WatchedLog.SEGMENT,
            Wire.SEGMENT_EVENT.encode((SegmentEvent) logged.output()));
  }

  private static ProducerRecord<byte[], byte[]> record(String topic, String key, byte[] value) {
    return new ProducerRecord<>(topic, bytes(key), value);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
