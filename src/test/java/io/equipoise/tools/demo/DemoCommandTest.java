package io.equipoise.tools.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import picocli.CommandLine;

/** One short demo on an embedded broker; every test looks at its JSON. */
@ResourceLock("the deployment demo")
class DemoCommandTest {
  private static final int ROUNDS = 150;

  /** Draws a late reward for the rounds 33 and 134; the second is too near the end. */
  private static final String SEED = "21";

  private static final int KINDS_OF_BAD_RECORDS = 19;
  private static final StringWriter OUT = new StringWriter();
  private static final StringWriter ERR = new StringWriter();

  private static int exitCode;
  private static JsonNode json;

  @BeforeAll
  static void play() throws Exception {
    exitCode =
        execute(
            "--rounds", "" + ROUNDS, "--seed", SEED, "--policy", "ucb,f-ucb,screen", "--json", "-");
    json = new ObjectMapper().readTree(OUT.toString());
  }

  @Test
  void everyContextIsAnsweredAndEveryLedgerBalances() {
    assertEquals("[]", json.get("job").get("faults").toString());
    assertEquals(0, exitCode);
    assertTrue(json.get("job").get("ledgersBalance").asBoolean());
    assertEquals(0, json.get("job").get("unanswered").asInt());
    assertEquals(3 * ROUNDS, json.get("job").get("decisions").asInt());
    assertTrue(json.get("job").get("firstDecisionSeconds").asDouble() > 0);
  }

  @Test
  void theResultIsSegmentsAndTheJobAndNothingElse() {
    List<String> keys = new ArrayList<>();
    json.fieldNames().forEachRemaining(keys::add);
    assertEquals(List.of("segments", "job"), keys);
  }

  @Test
  void fUcbTreatsNobodyUnfairly() {
    JsonNode fair = json.get("segments").get(1);
    assertEquals("f-ucb", fair.get("policy").asText());
    assertEquals(0, fair.get("unfair").asInt());
    assertEquals(1.0, fair.get("certifiedShare").asDouble());
    assertEquals(0, fair.get("fallbacks").asInt());
  }

  @Test
  void ucbDoes() {
    JsonNode plain = json.get("segments").get(0);
    assertEquals("ucb", plain.get("policy").asText());
    assertTrue(plain.get("unfair").asInt() > 0, plain.toString());
  }

  @Test
  void thePolicyForClicksIsToldOfNothingElse() {
    JsonNode clicks = json.get("segments").get(2);
    assertEquals("screen", clicks.get("policy").asText());
    double joined = clicks.get("joined").asDouble();
    double mean = clicks.get("meanReward.X1=female").asDouble();
    assertTrue(mean > 0 && mean < 1 && joined > 0, clicks.toString());
    assertFalse(json.get("job").has("deadLetters.REWARD_OUT_OF_RANGE"));
  }

  /** That each came back once, under its code and with equal bytes, is what faults would tell. */
  @Test
  void everyBadRecordIsADeadLetterOnce() {
    JsonNode job = json.get("job");
    assertEquals(job.get("deadLettersExpected"), job.get("deadLetters"));
    assertTrue(job.get("deadLetters").asInt() >= KINDS_OF_BAD_RECORDS);
    for (String reason : new String[] {"UNFRAMED", "MALFORMED", "EMPTY", "TOMBSTONE"}) {
      assertTrue(job.get("deadLetters." + reason).asInt() >= 2, reason);
    }
    assertEquals(1, job.get("deadLetters.ORPHAN").asInt());
    assertTrue(job.path("deadLetters.LATE_REWARD").asInt() >= 3, job.toString());
  }

  @Test
  void everyDecisionIsJoinedOrExpired() {
    for (JsonNode segment : json.get("segments")) {
      assertEquals(ROUNDS, segment.get("joined").asInt() + segment.get("expired").asInt());
      assertTrue(segment.get("expired").asInt() > 0);
    }
  }

  @Test
  void nothingWasRestarted() {
    assertEquals(0, json.get("job").get("restarts").asInt());
  }

  @Test
  void aPolicyThatIsNotThereIsNotUnderstood() {
    assertEquals(2, execute("--policy", "oracle"));
    assertTrue(ERR.toString().contains("--policy oracle must be one of"), ERR.toString());
  }

  @Test
  void aRateOfNobodyIsNotUnderstood() {
    assertEquals(2, execute("--rate", "0"));
    assertTrue(ERR.toString().contains("--rate must be at least 1, not 0"), ERR.toString());
  }

  @Test
  void aTauThatNoSpecTakesIsNotUnderstood() {
    assertEquals(2, execute("--tau", "0"));
    assertTrue(ERR.toString().contains("--tau must be a number greater than 0, not 0.0"));
  }

  private static int execute(String... arguments) {
    return new CommandLine(new DemoCommand())
        .setOut(new PrintWriter(OUT, true))
        .setErr(new PrintWriter(ERR, true))
        .execute(arguments);
  }
}
