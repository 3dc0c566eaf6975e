package io.equipoise.tools.evaluate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.equipoise.audit.log.LogRecord;
import io.equipoise.audit.verify.MemoryLog;
import io.equipoise.event.LogTopic;
import io.equipoise.job.options.Topics;
import io.equipoise.segment.state.CompiledSpec;
import io.equipoise.tools.EmbeddedBroker;
import io.equipoise.tools.simulate.SimulationSpecs;
import io.equipoise.tools.simulate.World;
import io.equipoise.tools.simulate.WorldFile;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The verb on the topics of a deployment, on a real broker. */
class EvaluateTopicsTest {
  private static final String DEPLOYMENT = "logged";
  private static final int DECISIONS = 800;
  private static final List<LogTopic> READ =
      List.of(LogTopic.CONTEXTS, LogTopic.DECISIONS, LogTopic.SEGMENT_EVENTS);

  @TempDir private Path directory;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @Test
  void aSpecIsEvaluatedOnCommittedTopics() throws Exception {
    CompiledSpec logging = SimulationSpecs.ridge();
    World world = World.of(logging.spec(), WorldFile.parse("world", SimulationSpecs.WORLD), null);
    LoggedRun run = new LoggedRun(logging, world, "offers", DECISIONS);
    Path spec = directory.resolve("cells.yaml");
    Files.writeString(spec, SimulationSpecs.cells().spec().text());
    try (EmbeddedBroker broker = EmbeddedBroker.start()) {
      copy(run.log, broker.bootstrapServers());
      String[] words = {
        "-D",
        "kafka.bootstrap.servers=" + broker.bootstrapServers(),
        "-D",
        "equipoise.deployment=" + DEPLOYMENT,
        spec.toString(),
        "--to",
        Instant.ofEpochMilli(LoggedRun.START + 600_000L).toString(),
        "--json",
        "-"
      };
      assertEquals(0, run(words), err::toString);
      JsonNode json = new ObjectMapper().readTree(out.toString());
      assertEquals(600, json.get("loggedDecisions").asInt());
      assertEquals(600, json.get("answeredDecisions").asInt());
      assertTrue(json.get("snips").get("effective").asDouble() > 50, json::toString);
      assertTrue(err.toString().contains("the log's policy"), err::toString);
      words[3] = "equipoise.deployment=another";
      assertEquals(2, run(words), err::toString);
      assertTrue(err.toString().contains("equipoise.deployment"), err::toString);
    }
  }

  private int run(String... words) {
    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);
    return new CommandLine(new EvaluateCommand())
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(words);
  }

  private static void copy(MemoryLog log, String servers) throws Exception {
    Topics topics = new Topics(DEPLOYMENT);
    // A partition that has no leader yet refuses a batch; those behind it would be out of order.
    Map<String, Object> settings =
        Map.of("bootstrap.servers", servers, "max.in.flight.requests.per.connection", 1);
    try (Admin admin = Admin.create(settings)) {
      List<NewTopic> created = new ArrayList<>();
      for (LogTopic topic : READ) {
        created.add(new NewTopic(topics.of(topic), MemoryLog.PARTITIONS, (short) 1));
      }
      admin.createTopics(created).all().get();
    }
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
      for (LogTopic topic : READ) {
        for (int partition = 0; partition < MemoryLog.PARTITIONS; partition++) {
          for (LogRecord record : log.records(topic, partition)) {
            var unused =
                producer.send(
                    new ProducerRecord<>(
                        topics.of(topic), partition, null, record.key(), record.value()));
          }
        }
      }
      producer.flush();
    }
  }
}
