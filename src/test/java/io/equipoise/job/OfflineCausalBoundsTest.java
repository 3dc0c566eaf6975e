package io.equipoise.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.equipoise.event.Decision;
import io.equipoise.event.RecordCodec;
import io.equipoise.event.SegmentEvent;
import io.equipoise.event.Wire;
import io.equipoise.offline.BoundsCommand;
import io.equipoise.segment.TestBounds;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.apache.avro.file.DataFileWriter;
import org.apache.avro.generic.GenericDatumWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/**
 * From a log to bounds that the streaming job decides by, and from its segment events to bounds
 * again.
 */
class OfflineCausalBoundsTest {
  private static final String SPEC = TestBounds.spec("ignore");
  private static final int ROWS = 4000;
  private static final int DECISIONS = 300;

  @RegisterExtension static final TestCluster CLUSTER = new TestCluster();

  @TempDir private Path directory = Path.of("");
  private final StringWriter err = new StringWriter();

  private JsonNode bounds(int exit, String... arguments) throws IOException {
    StringWriter out = new StringWriter();
    List<String> all = new ArrayList<>(List.of(arguments));
    all.addAll(List.of("--spec", directory.resolve("spec.yaml").toString(), "--json", "-"));
    int code =
        new CommandLine(new BoundsCommand())
            .setOut(new PrintWriter(out, true))
            .setErr(new PrintWriter(err, true))
            .execute(all.toArray(String[]::new));
    assertEquals(exit, code, err.toString());
    return new ObjectMapper().readTree(out.toString());
  }

  private Path log() throws IOException {
    SplittableRandom random = new SplittableRandom(5);
    StringBuilder text = new StringBuilder("S,X,A,M,R\n");
    for (int row = 0; row < ROWS; row++) {
      String s = random.nextBoolean() ? "a" : "b";
      boolean isHigh = random.nextBoolean();
      boolean isRight = random.nextDouble() < (isHigh ? 0.7 : 0.3);
      int m = random.nextDouble() < (isRight ? 0.8 : 0.1) ? 1 : 0;
      int r = random.nextDouble() < 0.1 + 0.5 * m + (isHigh ? 0.2 : 0) ? 1 : 0;
      text.append(s).append(isHigh ? ",high," : ",low,").append(isRight ? "right," : "left,");
      text.append(m).append(',').append(r).append('\n');
    }
    Files.writeString(directory.resolve("spec.yaml"), SPEC);
    return Files.writeString(directory.resolve("log.csv"), text);
  }

  @Test
  void boundsOfALogArePublishedAndTheJobDecidesByThem() throws Exception {
    try (TestDeployment deployment = CLUSTER.deployment("offline").withoutWaiting().publish(SPEC)) {
      String brokers =
          "kafka.bootstrap.servers=" + deployment.config().kafka().get("bootstrap.servers");
      Path out = directory.resolve("bounds.jsonl");
      JsonNode report =
          bounds(
              0,
              "--input",
              log().toString(),
              "--out",
              out.toString(),
              "--publish",
              "-D",
              brokers,
              "-D",
              "equipoise.deployment=offline");
      assertEquals(ROWS, report.get("rows").asLong());
      assertEquals("P(R|A,S,X)", report.get("estimand").asText().replaceAll("[^PRASX(|),]", ""));
      assertEquals(report.get("bounds").size(), Files.readAllLines(out).size());
      assertEquals(TestBounds.graphHash(), report.get("graph_hash").asText());

      long now = System.currentTimeMillis() - 1_000_000;
      for (int i = 0; i < DECISIONS; i++) {
        Map<String, Object> person = Map.of("S", i % 2 == 0 ? "a" : "b", "X", "high");
        deployment.context("s", "d" + i, now + i, person);
        deployment.reward("s", "d" + i, now + i, i % 3 == 0 ? 0 : 1, Map.of("M", "1"));
      }
      deployment.runToTheEnd(2);
      List<Decision> decisions = deployment.decisions();
      assertEquals(DECISIONS, decisions.size());
      for (Decision decision : decisions) {
        assertEquals(report.get("hash").asText(), decision.versions().boundsHash());
        assertTrue(decision.arm().equals("A=right"), "bounded far above A=left: " + decision);
      }
      segmentEventsAreALogToo(deployment, brokers);
    }
  }

  private void segmentEventsAreALogToo(TestDeployment deployment, String brokers)
      throws IOException {
    String topic = deployment.topics.segmentEvents();
    JsonNode read = bounds(0, "--topic", topic, "-D", brokers, "--number", "2");
    assertEquals(DECISIONS, read.get("rows").asLong());
    JsonNode file =
        bounds(0, "--input", container(deployment.segmentEvents()).toString(), "--number", "2");
    assertEquals(read, file);
    for (String end : List.of("", "\n")) {
      assertEquals(read, bounds(0, "--input", frames(deployment, end).toString(), "--number", "2"));
    }
    int busy = deployment.read(topic).get(0).partition();
    String to = busy + "=40";
    JsonNode part = bounds(0, "--topic", topic, "-D", brokers, "--to", to);
    int idle = deployment.config().partitions() - 1 - busy;
    JsonNode whole = bounds(0, "--topic", topic, "-D", brokers, "--from", idle + "=0");
    assertEquals(
        DECISIONS, whole.get("rows").asLong(), "other partitions start at their beginning");
    for (String option : List.of("--from", "--to")) {
      for (String missing : List.of("9=0", busy + "=99999999", busy + "=-1")) {
        bounds(2, "--topic", topic, "-D", brokers, option, missing);
        assertTrue(err.toString().contains(option + " " + missing + ": "), err::toString);
      }
    }
    assertTrue(part.get("rows").asLong() > 0 && part.get("rows").asLong() < DECISIONS);
    otherVersionsCountIfTheirRowsMeanTheSame(topic, brokers);
  }

  private void otherVersionsCountIfTheirRowsMeanTheSame(String topic, String brokers)
      throws IOException {
    Path spec = directory.resolve("spec.yaml");
    Files.writeString(spec, SPEC.replaceFirst("tau: [0-9.]+", "tau: 0.123"));
    String deployment = "equipoise.deployment=offline";
    String[] words = {"--topic", topic, "-D", brokers, "-D", deployment, "--number", "2"};
    assertEquals(DECISIONS, bounds(0, words).get("rows").asLong());
    bounds(2, "--topic", topic, "-D", brokers, "--number", "2");
    assertTrue(err.toString().contains("whose text is not known: --config must"), err::toString);
    Map<String, String> changes =
        Map.of(
            "levels: [low, high]", "levels: [high, low]",
            "reward: {range: [0, 1]}", "reward: {range: [0, 2]}",
            "{M X} -> R", "{M X S} -> R");
    for (Map.Entry<String, String> change : changes.entrySet()) {
      assertTrue(SPEC.contains(change.getKey()), SPEC);
      Files.writeString(spec, SPEC.replace(change.getKey(), change.getValue()));
      bounds(2, words);
    }
    for (String why :
        List.of(
            "with variables [S (sensitive) [a, b, undisclosed]",
            "with reward NumberRange[low=0.0, high=1.0]",
            "with graph ")) {
      assertTrue(err.toString().contains(why), err::toString);
    }
    Files.writeString(spec, SPEC);
  }

  /** Writes the frames of the topic one after the other, as a console consumer does. */
  private Path frames(TestDeployment deployment, String end) throws IOException {
    Path file = directory.resolve("frames.avro");
    try (OutputStream out = Files.newOutputStream(file)) {
      for (SegmentEvent segmentEvent : deployment.segmentEvents()) {
        out.write(Wire.SEGMENT_EVENT.encode(segmentEvent));
        out.write(end.getBytes(StandardCharsets.UTF_8));
      }
    }
    return file;
  }

  private Path container(List<SegmentEvent> segmentEvents) throws IOException {
    Path file = directory.resolve("segment-events.avro");
    RecordCodec<SegmentEvent> codec =
        RecordCodec.bind(SegmentEvent.class, Wire.SEGMENT_EVENT.schema());
    try (DataFileWriter<Object> writer =
        new DataFileWriter<>(new GenericDatumWriter<>(Wire.SEGMENT_EVENT.schema()))) {
      writer.create(Wire.SEGMENT_EVENT.schema(), file.toFile());
      for (SegmentEvent segmentEvent : segmentEvents) {
        writer.appendEncoded(ByteBuffer.wrap(codec.encode(segmentEvent)));
      }
    }
    return file;
  }

  @Test
  void aBadRowIsRefusedWithItsLineAndNothingIsWritten() throws IOException {
    Path log = log();
    Files.writeString(log, Files.readString(log) + "a,low,left,0,NaN\n");
    Path out = directory.resolve("bounds.jsonl");
    bounds(2, "--input", log.toString(), "--out", out.toString());
    assertTrue(
        err.toString().contains("log.csv, line " + (ROWS + 2) + ": no value of R"), err::toString);
    assertFalse(Files.exists(out));
    try (var left = Files.list(directory)) {
      assertEquals(2, left.count(), "the spec and the log");
    }
  }

  @Test
  void aGraphWithACycleIsRefusedBeforeAnythingIsRead() throws IOException {
    Path log = log();
    Path spec = directory.resolve("spec.yaml");
    Files.writeString(
        spec, Files.readString(spec).replace("{S X} -> A;", "{S X} -> A; X -> S -> X;"));
    bounds(1, "--input", log.toString());
    assertTrue(err.toString().contains("cycle"), err::toString);
  }
}
