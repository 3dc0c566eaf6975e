package io.equipoise.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.equipoise.event.Decision;
import io.equipoise.event.SegmentEvent;
import io.equipoise.event.SegmentEventType;
import io.equipoise.event.Wire;
import io.equipoise.event.WireReward;
import io.equipoise.job.options.Topics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The clients' own tests and the curl lines of the pages, on a gateway in front of a job. Needs
 * Node 18, Python 3.9 and curl; without them the tests fail.
 */
@Tag("foreign")
@Timeout(300)
class ForeignClientsTest {
  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final String FALLBACK = "offer=standard";
  private static final Pattern CURL = Pattern.compile("(?m)^ {4}(curl .*)$");
  private static final String GATEWAY = "http://127.0.0.1:8080";

  private static ServedReadme served;

  @BeforeAll
  static void start() throws InterruptedException {
    served = ServedReadme.start();
  }

  @AfterAll
  static void stop() {
    served.close();
  }

  @Test
  void theTestsOfThePythonClientPass() throws Exception {
    String python = System.getProperty("equipoise.python", "python3");
    List<String> command = List.of(python, "-B", "-m", "unittest", "discover", "-v", "-t", ".");
    assertPasses(run(Path.of("clients", "python"), command, "Python 3.9"));
    assertLearned("python-fallback");
  }

  @Test
  void theTestsOfTheNodeClientPass() throws Exception {
    assertPasses(run(Path.of("clients", "node"), List.of("node", "--test", "test"), "Node 18"));
    assertLearned("node-fallback");
  }

  @Test
  void theClientOfAzurePersonalizerRanksAndRewards() throws Exception {
    Run run =
        run(
            Path.of("docs", "examples"),
            List.of("node", "personalizer.mjs", served.url(), "offers"),
            "Node 18 with npm ci --prefix docs/examples");
    assertEquals(0, run.exitCode, run::toString);
    assertTrue(run.text.contains("ranked offer="), run::toString);
  }

  private static void assertPasses(Run run) {
    assertEquals(0, run.exitCode, run::toString);
    String words = run.text.replace('_', ' ');
    assertTrue(words.contains("lost answer gets the same arm"), run::toString);
  }

  /** The arm that the caller showed is the one that is learned, and every id has one arm. */
  private static void assertLearned(String fallback) {
    Topics topics = served.config().topics();
    SegmentEvent learned =
        await(
            () ->
                served.read(topics.segmentEvents(), Wire.SEGMENT_EVENT).stream()
                    .filter(it -> it.type() == SegmentEventType.REWARD_APPLIED)
                    .filter(it -> fallback.equals(it.decisionId()))
                    .findFirst()
                    .orElse(null));
    assertEquals(FALLBACK, learned.shownArm());
    for (WireReward reward : served.read(topics.rewards(), Wire.REWARD)) {
      assertFalse(reward.shownArm() == null, () -> "no shownArm: " + reward.decisionId());
    }
    Map<String, String> arms = new HashMap<>();
    for (Decision decision : served.read(topics.decisions(), Wire.DECISION)) {
      String other = arms.put(decision.decisionId(), String.valueOf(decision.arm()));
      assertTrue(other == null || other.equals(decision.arm()), decision::decisionId);
    }
  }

  @Test
  void theCurlLinesOfThePagesWork() throws Exception {
    int lines = 0;
    for (String page : List.of("README.md", "docs/clients.md")) {
      String id = "ID";
      String arm = "ARM";
      for (Matcher line = CURL.matcher(Files.readString(Path.of(page))); line.find(); ) {
        String command =
            line.group(1).replace(GATEWAY, served.url()).replace("ID", id).replace("ARM", arm);
        Run run = run(Path.of("."), List.of("sh", "-c", command), "curl");
        assertEquals(0, run.exitCode, run::toString);
        JsonNode answer = new ObjectMapper().readTree(run.text);
        assertFalse(answer.has("status"), run::toString);
        id = answer.path("decisionId").asText(id);
        arm = answer.path("arm").asText(arm);
        lines++;
      }
      assertFalse(arm.equals("ARM"), page);
    }
    assertTrue(lines >= 4, "lines: " + lines);
  }

  private static <T> T await(java.util.function.Supplier<T> source) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    T found = source.get();
    while (found == null) {
      if (System.nanoTime() > deadline) {
        throw new AssertionError("not in time");
      }
      LockSupport.parkNanos(Duration.ofMillis(50).toNanos());
      found = source.get();
    }
    return found;
  }

  private static Run run(Path directory, List<String> command, String needed) throws Exception {
    Path text = Files.createTempFile("foreign-client", ".txt");
    try {
      ProcessBuilder builder =
          new ProcessBuilder(new ArrayList<>(command))
              .directory(directory.toFile())
              .redirectErrorStream(true)
              .redirectOutput(text.toFile());
      builder.environment().put("EQUIPOISE_URL", served.url());
      Process process = builder.start();
      boolean hasEnded = process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS);
      process.destroyForcibly();
      return new Run(command, hasEnded ? process.exitValue() : -1, Files.readString(text));
    } catch (IOException e) {
      throw new AssertionError(String.join(" ", command) + " needs " + needed, e);
    } finally {
      Files.delete(text);
    }
  }

  private record Run(List<String> command, int exitCode, String text) {
    @Override
    public String toString() {
      return String.join(" ", command) + " exits with " + exitCode + "\n" + text;
    }
  }
}
