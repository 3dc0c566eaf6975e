package io.equipoise.job;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.equipoise.audit.AuditCommand;
import io.equipoise.event.DeadLetter;
import io.equipoise.event.Decision;
import io.equipoise.event.FairnessAudit;
import io.equipoise.event.GroupMean;
import io.equipoise.event.SegmentEventType;
import io.equipoise.event.SegmentMetrics;
import io.equipoise.job.options.StartRefusedException;
import io.equipoise.job.options.Topics;
import io.equipoise.offline.BoundsCommand;
import io.equipoise.segment.TestBounds;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** A job that hides who is of which group, and who may find out. */
class HiddenDeploymentTest {
  private static final String ADA = "ada-level";
  private static final String BOB = "bob-level";
  private static final String SPEC =
      TestBounds.spec("ignore")
          .replace("[a, ", "[" + ADA + ", ")
          .replace(", b]", ", " + BOB + "]")
          .replace("[b, ", "[" + BOB + ", ");
  private static final int DECISIONS = 120;

  @RegisterExtension static final TestCluster CLUSTER = new TestCluster();

  @TempDir private Path directory;

  private final StringWriter err = new StringWriter();

  private Path key(String name, String secret) throws Exception {
    return Files.writeString(
        directory.resolve(name),
        Base64.getEncoder().encodeToString(secret.getBytes(StandardCharsets.US_ASCII)));
  }

  private TestDeployment ran(String name, String mode, Path key) throws Exception {
    TestDeployment deployment =
        CLUSTER
            .deployment(name)
            .with("equipoise.privacy.sensitive-values", mode)
            .with("equipoise.privacy.key-file", key.toString())
            .with("equipoise.privacy.min-group-size", "50")
            .publish(SPEC)
            .publish(
                TestBounds.of(
                    1,
                    TestBounds.row("A=left", Map.of("S", ADA, "X", "low"), 0.9, 1),
                    TestBounds.row("A=left", Map.of("S", BOB, "X", "low"), 0.9, 1),
                    TestBounds.row("A=right", Map.of(), 0, 0.1)));
    long now = System.currentTimeMillis() - 1_000_000;
    for (int i = 0; i < DECISIONS; i++) {
      deployment.context("s", "d" + i, now + i, Map.of("S", i % 3 == 0 ? ADA : BOB, "X", "low"));
      deployment.reward("s", "d" + i, now + i, 0, Map.of("M", "1"));
    }
    deployment.context("s", "unknown", now, Map.of("S", ADA + "?", "X", "low"));
    deployment.context("s", "not finite", now, Map.of(ADA, Double.NaN, "X", "low"));
    deployment.context("nobody's", "uncovered", now, Map.of("S", ADA));
    deployment.send(deployment.topics.contexts(), BOB, bytes("garbage of " + ADA));
    deployment.send(deployment.topics.rewards(), "s", bytes("garbage of " + BOB));
    deployment.send(deployment.topics.specs(), "test/0", bytes("levels: [" + ADA));
    deployment.runToTheEnd(2);
    return deployment;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void behindTokensOnlyTheKeyTellsWhoIsWho() throws Exception {
    Path key = key("key", "0123456789abcdef0123456789abcdef");
    Path other = key("other", "0123456789abcdef0123456789abcdeg");
    try (TestDeployment deployment = ran("tokens", "pseudonymize", key)) {
      assertTellsNobodysGroup(deployment);
      List<String> groups =
          deployment.audits().stream().map(audit -> audit.effect().factual()).toList();
      assertEquals(2, groups.stream().distinct().count());
      assertEquals(groups.get(0), groups.get(3));
      assertEquals("OK", verify(deployment, 0, "--key", key.toString()).get("verdict").asText());
      JsonNode unopened = verify(deployment, 2);
      assertEquals("NOT_CHECKED", verdict(unopened, 3));
      assertEquals("NOT_CHECKED", verdict(unopened, 5));
      assertEquals("NOT_CHECKED", verdict(unopened, 7));
      for (int checked : new int[] {1, 2, 4, 6}) {
        assertEquals("OK", verdict(unopened, checked));
      }
      assertTrue(unopened.toString().contains("give --key FILE"), unopened.toPrettyString());
      JsonNode wrong = verify(deployment, 2, "--key", other.toString());
      assertTrue(wrong.toString().contains("but the given key is"), wrong.toPrettyString());
      assertLettersOpen(deployment, key);
      assertBoundsNeedTheKey(deployment, key);
      assertTraced(deployment, key);
      assertErased(deployment, key);
    }
  }

  /** Deletes a decision where asked; its other records stay and are named. */
  private void assertErased(TestDeployment deployment, Path key) throws Exception {
    Topics names = deployment.topics;
    deployment.commitContexts();
    int contexts = deployment.read(names.contexts()).size();
    List<String> erase = List.of("erase", "d7", "--key", key.toString());
    String plan = audit(deployment, 2, erase);
    assertEquals(5, plan.lines().count(), plan);
    assertTrue(plan.contains("1 record left; --delete contexts would delete all 8 offsets"), plan);
    assertEquals(contexts, deployment.read(names.contexts()).size(), "it only says so");

    List<String> where = new ArrayList<>(erase);
    where.addAll(List.of("--delete", "contexts,audit"));
    String done = audit(deployment, 2, where);
    assertTrue(done.contains(names.contexts() + "/"), done);
    assertTrue(done.contains("1 record deleted, and all before offset 8"), done);
    assertEquals(contexts - 8, deployment.read(names.contexts()).size());
    List<String> left = new ArrayList<>();
    trace(deployment, 0, "d7", "--key", key.toString())
        .get("records")
        .forEach(it -> left.add(it.get("topic").asText()));
    assertEquals(List.of(names.rewards(), names.decisions(), names.segmentEvents()), left);

    deployment.context("s", "unread", System.currentTimeMillis(), Map.of("S", ADA, "X", "low"));
    audit(deployment, 1, List.of("erase", "unread", "--delete", "contexts"));
    assertTrue(err.toString().contains("the job has read up to offset"), err::toString);
    audit(deployment, 1, List.of("erase", "d8", "--delete", "clicks"));
    audit(deployment, 1, List.of("erase", "", "--delete", "decisions"));
    assertTrue(err.toString().contains("--delete: clicks, allowed: contexts, "), err::toString);
  }

  @Test
  void whatIsDroppedIsNowhereAndDeadLettersOpenWithTheKey() throws Exception {
    Path key = key("key", "0123456789abcdef0123456789abcdef");
    try (TestDeployment deployment = ran("drops", "redact", key)) {
      assertTellsNobodysGroup(deployment);
      for (FairnessAudit audit : deployment.audits()) {
        assertNull(audit.effect().estimate());
      }
      JsonNode checked = verify(deployment, 2, "--key", key.toString());
      assertEquals("NOT_CHECKED", verdict(checked, 3));
      assertEquals("NOT_CHECKED", verdict(checked, 5));
      for (int other : new int[] {1, 2, 4, 6, 7}) {
        assertEquals("OK", verdict(checked, other), checked.toPrettyString());
      }
      assertTrue(checked.toString().contains("were removed"), checked.toPrettyString());
      assertLettersOpen(deployment, key);
    }
  }

  private static void assertTellsNobodysGroup(TestDeployment deployment) {
    Topics topics = deployment.topics;
    for (String topic :
        List.of(topics.decisions(), topics.segmentEvents(), topics.audit(), topics.deadLetter())) {
      List<ConsumerRecord<byte[], byte[]>> records = deployment.read(topic);
      assertFalse(records.isEmpty(), topic);
      for (ConsumerRecord<byte[], byte[]> record : records) {
        String raw = latin(record.key()) + latin(record.value());
        assertFalse(raw.contains(ADA) || raw.contains(BOB), topic + "@" + record.offset());
      }
    }
    List<Decision> decisions =
        deployment.decisions().stream().filter(it -> it.features() != null).toList();
    assertEquals(DECISIONS, decisions.size());
    for (Decision decision : decisions) {
      assertEquals(List.of(-1.0, 0.0), decision.features());
    }
    assertTrue(
        deployment.segmentEvents().stream()
            .anyMatch(it -> it.type() == SegmentEventType.BOUNDS_REFUTED),
        "a refuted bound names a level too");
    assertSmallGroupsAreLeftOut(deployment);
  }

  /** 40 people are one group and 80 the other: below 50 neither may be told. */
  private static void assertSmallGroupsAreLeftOut(TestDeployment deployment) {
    List<SegmentMetrics> metrics =
        deployment.metrics().stream().filter(it -> it.segment().equals("s")).toList();
    assertTrue(metrics.size() > 10);
    for (SegmentMetrics snapshot : metrics) {
      assertEquals(
          List.of(), snapshot.groups().means().stream().filter(it -> it.rewards() > 0).toList());
      assertNull(snapshot.groups().difference());
    }
    SegmentMetrics last = metrics.get(metrics.size() - 1);
    assertEquals(2, last.groups().suppressed());
    List<String> empty = last.groups().means().stream().map(GroupMean::level).toList();
    assertFalse(empty.contains(ADA) || empty.contains(BOB));
  }

  private static String latin(byte[] bytes) {
    return bytes == null ? "" : new String(bytes, StandardCharsets.ISO_8859_1);
  }

  private void assertLettersOpen(TestDeployment deployment, Path key) throws Exception {
    List<DeadLetter> sealed = deployment.deadLetters();
    List<JsonNode> opened = letters(deployment, 0, "--key", key.toString());
    assertEquals(sealed.size(), opened.size());
    List<String> codes = opened.stream().map(it -> it.get("code").asText()).sorted().toList();
    assertTrue(
        codes.containsAll(List.of("UNFRAMED", "UNKNOWN_LEVEL", "SPEC_REJECTED")), codes::toString);
    JsonNode garbage =
        opened.stream()
            .filter(it -> it.get("topic").asText().equals(deployment.topics.rewards()))
            .findFirst()
            .orElseThrow();
    assertArrayEquals(bytes("garbage of " + BOB), garbage.get("value").binaryValue());
    assertArrayEquals(bytes("s"), garbage.get("key").binaryValue());
    for (JsonNode closed : letters(deployment, 2)) {
      assertTrue(closed.get("value").isNull());
      assertTrue(closed.get("sealed").asText().contains("give --key FILE"));
    }
  }

  private List<JsonNode> letters(TestDeployment deployment, int exit, String... options)
      throws Exception {
    List<String> arguments = new ArrayList<>(List.of("dead-letters"));
    arguments.addAll(List.of(options));
    List<JsonNode> letters = new ArrayList<>();
    for (String line : audit(deployment, exit, arguments).lines().toList()) {
      letters.add(new ObjectMapper().readTree(line));
    }
    return letters;
  }

  /** Every decision with its context, reward, segment event and audits; garbage by its bytes. */
  private void assertTraced(TestDeployment deployment, Path key) throws Exception {
    JsonNode ofDecision = trace(deployment, 2, "d7");
    List<String> topics = new ArrayList<>();
    ofDecision.get("records").forEach(it -> topics.add(it.get("topic").asText()));
    Topics names = deployment.topics;
    assertEquals(
        List.of(
            names.contexts(),
            names.rewards(),
            names.decisions(),
            names.segmentEvents(),
            names.audit()),
        topics.stream().distinct().toList());
    assertEquals(5, topics.size());
    JsonNode ofGarbage = trace(deployment, 0, "garbage of", "--key", key.toString());
    assertEquals(4, ofGarbage.get("records").size(), ofGarbage.toPrettyString());
    assertEquals(0, trace(deployment, 0, "nobody", "--key", key.toString()).get("records").size());
  }

  private JsonNode trace(TestDeployment deployment, int exit, String id, String... options)
      throws Exception {
    List<String> arguments = new ArrayList<>(List.of("trace", id, "--json", "-"));
    arguments.addAll(List.of(options));
    return new ObjectMapper().readTree(audit(deployment, exit, arguments));
  }

  private void assertBoundsNeedTheKey(TestDeployment deployment, Path key) throws Exception {
    Files.writeString(directory.resolve("spec.yaml"), SPEC);
    assertEquals(2, bounds(deployment));
    assertTrue(err.toString().contains("redacts a value that this command needs"), err::toString);
    assertTrue(err.toString().contains("give --key FILE"), err::toString);
    assertEquals(0, bounds(deployment, "--key", key.toString()), err::toString);
  }

  private int bounds(TestDeployment deployment, String... options) {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "--topic",
                deployment.topics.segmentEvents(),
                "--spec",
                directory.resolve("spec.yaml").toString(),
                "-D",
                "kafka.bootstrap.servers=" + brokers(deployment)));
    arguments.addAll(List.of(options));
    return new CommandLine(new BoundsCommand())
        .setOut(new PrintWriter(new StringWriter()))
        .setErr(new PrintWriter(err, true))
        .execute(arguments.toArray(String[]::new));
  }

  private static String brokers(TestDeployment deployment) {
    return deployment.config().kafka().getProperty("bootstrap.servers");
  }

  private static String verdict(JsonNode result, int invariant) {
    return result.get("invariants").get(invariant - 1).get("verdict").asText();
  }

  private JsonNode verify(TestDeployment deployment, int exit, String... options) throws Exception {
    List<String> arguments = new ArrayList<>(List.of("verify", "--final", "--json", "-"));
    arguments.addAll(List.of(options));
    return new ObjectMapper().readTree(audit(deployment, exit, arguments));
  }

  private String audit(TestDeployment deployment, int exit, List<String> verb) {
    List<String> arguments = new ArrayList<>(verb);
    arguments.addAll(List.of("-D", "equipoise.deployment=" + deployment.topics.deployment()));
    arguments.addAll(List.of("-D", "kafka.bootstrap.servers=" + brokers(deployment)));
    StringWriter out = new StringWriter();
    int code =
        new CommandLine(new AuditCommand())
            .setOut(new PrintWriter(out, true))
            .setErr(new PrintWriter(err, true))
            .execute(arguments.toArray(String[]::new));
    assertEquals(exit, code, out + "\n" + err);
    return out.toString();
  }

  @Test
  void aStartWithoutAKeyIsRefusedAndNothingIsCreated() throws Exception {
    Path missing = directory.resolve("missing");
    TestDeployment deployment =
        CLUSTER
            .deployment("keyless")
            .with("equipoise.privacy.sensitive-values", "pseudonymize")
            .with("equipoise.privacy.key-file", missing.toString());
    StartRefusedException refused =
        assertThrows(StartRefusedException.class, () -> deployment.start(1, null));
    assertTrue(
        refused.getMessage().contains("equipoise.privacy.key-file: " + missing + " cannot be read"),
        refused.getMessage());
    deployment.close();
  }
}
