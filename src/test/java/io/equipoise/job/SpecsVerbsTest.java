package io.equipoise.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.equipoise.segment.SpecVariant;
import io.equipoise.segmentspec.Arm;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.SpecParser;
import io.equipoise.segmentspec.VersionEdit;
import io.equipoise.tools.LocalJob;
import io.equipoise.tools.specs.SpecsCommand;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The verbs {@code specs} against one running job, one after the other, with two segments. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class SpecsVerbsTest {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final SpecVariant SPEC = SpecVariant.of("ucb");
  private static final String FIRST = "# agreed in May\n" + SPEC.text();
  private static final String SECOND = SPEC.version(2).fairness("tau: 0.3").text();
  private static final String THIRD = SPEC.version(3).reward("{range: [0, 2]}").text();

  /** Valid for verbs that believe in larger records than the job. */
  private static final String LARGE =
      SpecVariant.of("ucb")
          .arms(
              IntStream.range(0, 500)
                  .mapToObj("{id: \"%0170d\", A: left}"::formatted)
                  .toArray(String[]::new))
          .text()
          .replace("name: test", "name: large")
          .replace("segments: default", "segments: {exact: [large]}");

  @RegisterExtension static final TestCluster CLUSTER = new TestCluster();

  private static final Set<String> ACTIVE = ConcurrentHashMap.newKeySet();

  @TempDir private static Path directory = Path.of("");
  private static TestDeployment deployment;
  private static LocalJob job;
  private static ScheduledExecutorService traffic;
  private static volatile boolean isTopicBusy;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @BeforeAll
  static void start() throws Exception {
    deployment =
        CLUSTER
            .deployment("specs-verbs")
            .with("equipoise.max-record-bytes", "100 kb")
            .publish(FIRST);
    job = deployment.start(2, null);
    deployment.context("busy", "busy-0", now(), person());
    deployment.context("quiet", "quiet-0", now(), person());
    deployment.awaitDecisions(2);
    ACTIVE.add("busy");
    traffic = Executors.newSingleThreadScheduledExecutor();
    ScheduledFuture<?> unused =
        traffic.scheduleWithFixedDelay(SpecsVerbsTest::send, 0, 50, TimeUnit.MILLISECONDS);
  }

  private static void send() {
    if (isTopicBusy) { // Kafka's source commits when a poll returns, after 10 s if nothing comes
      deployment.send(deployment.topics.specs(), "other/" + "0".repeat(32), null);
    }
    for (String segment : ACTIVE) {
      deployment.context(segment, segment + "-" + System.nanoTime(), now(), person());
    }
  }

  @AfterAll
  static void stop() throws InterruptedException {
    traffic.shutdown();
    assertTrue(traffic.awaitTermination(10, TimeUnit.SECONDS));
    job.cancel();
    deployment.close();
  }

  @Test
  @Order(1)
  void aNewVersionIsAdoptedByTheBusySegmentAndPendingInTheQuietOne() throws Exception {
    long start = System.nanoTime();
    JsonNode published = json(0, "publish", file(SECOND), "--yes", "--timeout", "120");
    assertTrue(
        Duration.ofNanos(System.nanoTime() - start).toSeconds() < 100, "it waits for no idle one");
    JsonNode move = published.get("moves").get(0);
    assertEquals(1, published.get("moves").size());
    assertEquals(key(FIRST), move.get("from").asText());
    assertEquals(key(SECOND), move.get("to").asText());
    assertEquals("KEPT", move.get("effect").asText());
    assertEquals(List.of("busy", "quiet"), texts(move.get("segments")));
    assertTrue(published.get("read").asBoolean());
    assertEquals("KEPT", published.get("adopted").get("busy").get("effect").asText());
    assertEquals(List.of("quiet"), texts(published.get("pending")));
    assertTrue(err.toString().contains("pending until their next input: quiet"), err.toString());
    ACTIVE.add("quiet");
  }

  @Test
  @Order(2)
  void whatIsInForceIsNotSentAndALowerVersionIsRefused() throws Exception {
    assertEquals(0, run("publish", file(SECOND), "--yes"));
    assertTrue(out.toString().contains("test version 2 is in force"), out.toString());
    assertTrue(out.toString().contains("Nothing to send."), out.toString());
    assertEquals(1, run("publish", file(SECOND + "# another"), "--yes"));
    assertTrue(err.toString().contains("give yours version 3 or higher"), err.toString());
    assertEquals(1, run("publish", file("name: test\n"), "--yes"));
    assertTrue(err.toString().contains("version"), err.toString());
  }

  @Test
  @Order(3)
  void anIncompatibleVersionIsRejectedByEverySegment() throws Exception {
    JsonNode kept = json(1, "publish", file(THIRD), "--yes");
    assertEquals("REJECTED", kept.get("moves").get(0).get("effect").asText());
    assertFalse(kept.has("sent"), "what segments would reject is not sent");
    assertTrue(
        err.toString().contains("busy, quiet would reject test version 3: "), err.toString());
    assertEquals(List.of("2 in force"), statuses(json(0, "list")));
    JsonNode published = json(1, "publish", file(THIRD), "--yes", "--even-if-rejected");
    assertEquals("REJECTED", published.get("moves").get(0).get("effect").asText());
    JsonNode rejected = published.get("rejected");
    assertEquals(2, rejected.size(), err.toString());
    assertTrue(rejected.get("busy").asText().contains(hash(THIRD)));
    assertEquals(0, published.get("refused").size());
    assertEquals(0, published.get("pending").size());
    JsonNode listed = json(0, "list");
    assertEquals(List.of("2 superseded", "3 in force"), statuses(listed));
    assertEquals(List.of("busy", "quiet"), texts(listed.get("specs").get(0).get("active")));
    assertEquals(0, listed.get("specs").get(1).get("active").size());
  }

  @Test
  @Order(4)
  void theTextBeforeGoesOnUnderANewVersion() throws Exception {
    String arm = SpecParser.parse(THIRD).arms().get(0).id();
    assertEquals(1, run("arms", "retire", "test", arm, "--yes"));
    assertTrue(
        out.toString()
            .contains("version 3, which is in force: run `equipoise specs rollback test --to 2`"),
        out.toString());
    String fourth = VersionEdit.with(SECOND, 4);
    JsonNode back = json(0, "rollback", "test", "--yes");
    JsonNode move = back.get("moves").get(0);
    assertEquals(key(SECOND), move.get("from").asText(), "segments had rejected version 3");
    assertEquals(key(fourth), move.get("to").asText());
    assertEquals(2, back.get("adopted").size(), err.toString());
    assertEquals(0, run("show", "test"));
    assertEquals(fourth, out.toString());
    assertEquals(1, run("rollback", "test", "--to", "4", "--yes"));
    assertTrue(err.toString().contains("which is in force"), err.toString());
    json(0, "rollback", "test", "--to", "1", "--yes");
    assertEquals(0, run("show", "test"));
    assertEquals(VersionEdit.with(FIRST, 5), out.toString());
  }

  @Test
  @Order(5)
  void theHistoryIsListedAndCompared() throws Exception {
    assertEquals(List.of("5 in force"), statuses(json(0, "list")));
    assertEquals(
        List.of("1 superseded", "2 superseded", "3 superseded", "4 superseded", "5 in force"),
        statuses(json(0, "list", "--all")));
    JsonNode diff = json(0, "diff", "test", "--version", "1", "2");
    assertEquals("KEPT", diff.get("effect").asText());
    assertEquals(List.of("fairness.delta", "fairness.tau"), keys(diff));
    diff = json(0, "diff", "test", file(VersionEdit.with(THIRD, 6)));
    assertEquals("REJECTED", diff.get("effect").asText());
    assertTrue(texts(diff.get("lines")).contains("+ reward: {range: [0, 2]}"));
    assertEquals(1, run("show", "test", "--version", "9"));
    assertTrue(err.toString().contains("the topic has [1, 2, 3, 4, 5]"), err.toString());
    assertEquals(1, run("show", "tset"));
    assertTrue(err.toString().contains("'tset' given; topic specs-verbs.specs has test"));
  }

  @Test
  @Order(6)
  void aSpecThatOnlyTheJobRefusesIsReportedWithItsKey() throws Exception {
    JsonNode published =
        json(1, "publish", file(LARGE), "--yes", "-Dequipoise.max-record-bytes=1 mb");
    assertTrue(published.get("refused").get(key(LARGE)).asText().startsWith("SPEC_REJECTED: "));
    assertEquals(0, published.get("adopted").size());
    assertEquals(1, json(0, "list", "--all").get("invalid").size());
  }

  @Test
  @Order(7)
  void aRetiredSpecCoversNoNewSegment() throws Exception {
    isTopicBusy = true;
    JsonNode retired = json(0, "retire", "test", "--yes");
    isTopicBusy = false;
    assertEquals(5, retired.get("sent").size());
    assertEquals("UNCOVERED", retired.get("moves").get(0).get("effect").asText());
    assertTrue(retired.get("read").asBoolean());
    assertEquals(
        List.of("5 retired"), statuses(json(0, "list")), "segments go on under it until they end");
    deployment.context("new", "new-0", now(), person());
    TestDeployment.await(
        deployment::decisions,
        all -> all.stream().anyMatch(it -> "UNKNOWN_SEGMENT".equals(it.errorCode())));
    assertEquals(0, run("retire", "test", "--yes"));
    assertTrue(out.toString().contains("Nothing to send."));
    JsonNode back = json(0, "rollback", "test", "--yes");
    assertEquals(2, back.get("adopted").size(), err.toString());
  }

  @Test
  @Order(8)
  void anArmGoesAndComesBackWithoutAHandWrittenText() throws Exception {
    assertEquals(0, run("show", "test"));
    SegmentSpec spec = SpecParser.parse(out.toString());
    Arm first = spec.arms().get(0);
    assertEquals(2, json(0, "arms", "retire", "test", first.id(), "--yes").get("adopted").size());
    assertEquals(1, run("arms", "retire", "test", first.id(), "--yes"));
    assertTrue(err.toString().contains("ARM: '" + first.id() + "' given; "), err.toString());
    String level = spec.variables().actions().get(0).levels().get(first.levels()[0]);
    json(0, "arms", "add", "test", level, "--yes");
    assertEquals(0, run("show", "test"));
    List<String> ids =
        SpecParser.parse(out.toString()).arms().list().stream().map(Arm::id).toList();
    assertEquals(spec.arms().size(), ids.size());
    assertEquals(first.id(), ids.get(ids.size() - 1));
    assertEquals(1, run("arms", "add", "test", "new", "--yes"));
    assertTrue(err.toString().contains("distributions.cpts.M.rows"), "a table of the level");
  }

  private JsonNode json(int exitCode, String... arguments) throws Exception {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.addAll(List.of("--json", "-"));
    assertEquals(exitCode, run(all.toArray(new String[0])), () -> err.toString());
    return MAPPER.readTree(out.toString());
  }

  private int run(String... arguments) {
    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);
    List<String> all = new ArrayList<>(List.of(arguments));
    deployment.arguments().stream()
        .filter(it -> all.stream().noneMatch(own -> option(own).equals(option(it))))
        .forEach(all::add);
    return new CommandLine(new SpecsCommand())
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(all.toArray(new String[0]));
  }

  private static String option(String argument) {
    return argument.substring(0, Math.max(0, argument.indexOf('=')));
  }

  private static String file(String text) throws Exception {
    return Files.writeString(directory.resolve("spec.yaml"), text).toString();
  }

  private static List<String> statuses(JsonNode listed) {
    return StreamSupport.stream(listed.get("specs").spliterator(), false)
        .map(it -> it.get("version").asText() + " " + it.get("status").asText())
        .toList();
  }

  private static List<String> keys(JsonNode diff) {
    return texts(diff.get("changedKeys")).stream()
        .map(line -> line.substring(0, line.indexOf(':')))
        .collect(Collectors.toList());
  }

  private static List<String> texts(JsonNode array) {
    return StreamSupport.stream(array.spliterator(), false).map(JsonNode::asText).toList();
  }

  private static Map<String, Object> person() {
    return Map.of("S", "a", "X", "low");
  }

  private static String hash(String text) {
    return SpecParser.parse(text).hash();
  }

  private static String key(String text) {
    return SpecParser.parse(text).key();
  }

  private static long now() {
    return System.currentTimeMillis();
  }
}
