package io.equipoise.lab.chaos;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.equipoise.Tier;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Shows that the checks of {@code equipoise chaos} can fail: each bug is planted in a copy of the
 * distribution, by one changed place of one class that is compiled again, and the command must find
 * it. No switch in the product plants anything.
 */
class PlantedBugsIT {
  private static final Path DISTRIBUTION = Path.of("target/equipoise").toAbsolutePath();
  private static final String JOB = "job/equipoise-job.jar";
  private static final String GATEWAY = "lib/equipoise.jar";
  private static final String SOMETIMES = "event.decisionId().hashCode() % 20 == 0";
  private static final Duration PATIENCE = Duration.ofMinutes(20);

  @TempDir private Path directory;

  /** What a programmer could have done, and the sentence of the check that must find it. */
  enum Bug {
    A_DECISION_IS_NOT_WRITTEN(
        JOB,
        "segment/ContextHandler",
        "eventLog.decided(event, request, audited, asked.isAnswered());",
        "if (!(" + SOMETIMES + ")) eventLog.decided(event, request, audited, asked.isAnswered());",
        "I1: "),
    A_REWARD_IS_DROPPED(
        JOB,
        "segment/RewardHandler",
        "    if (RewardReading.lacksId(event, spec)) {",
        "    if ("
            + SOMETIMES
            + ") { return Account.REWARD_APPLIED; }\n"
            + "    if (RewardReading.lacksId(event, spec)) {",
        "I2: "),
    A_REWARD_IS_LEARNED_TWICE(
        JOB,
        "segment/RewardHandler",
        "transitions.learn(decision, arm, mediators, value);",
        "transitions.learn(decision, arm, mediators, value);\n"
            + "transitions.learn(decision, arm, mediators, value);",
        "I3: "),
    A_FAIRNESS_RECORD_IS_NOT_WRITTEN(
        JOB,
        "segment/log/EventLogWriter",
        "log.audits(audits);",
        "log.audits(" + SOMETIMES + " ? List.of() : audits);",
        "I3: "),
    A_CHANGE_HAS_NO_NUMBER(
        JOB,
        "segment/log/EventLogWriter",
        "return ++segmentContext.head.seq;",
        "return segmentContext.head.seq += segmentContext.head.seq % 100 == 99 ? 2 : 1;",
        "I4: "),
    A_REPEATED_CONTEXT_IS_COUNTED_TWICE(
        JOB,
        "segment/ContextHandler",
        "segmentContext.head.ledgers.add(Account.CONTEXT_DUPLICATE);",
        "segmentContext.head.ledgers.add(Account.CONTEXT_DUPLICATE);\n"
            + "segmentContext.head.ledgers.add(Account.CONTEXT_DUPLICATE);",
        "I6: "),
    A_REPEATED_CONTEXT_IS_NOT_COUNTED(
        JOB,
        "segment/ContextHandler",
        "segmentContext.head.ledgers.add(Account.CONTEXT_DUPLICATE);",
        "",
        "I6: "),
    THE_DEAD_LETTER_OF_A_REWARD_IS_NOT_WRITTEN(
        JOB,
        "segment/RewardHandler",
        "    eventLog.deadLetter(event, fault);",
        "    if (fault.code() != ErrorCode.DUPLICATE_REWARD) { eventLog.deadLetter(event, fault); }",
        "it was neither applied nor rejected"),
    THE_DEAD_LETTER_OF_A_CONTEXT_IS_NOT_WRITTEN(
        JOB, "segment/ContextHandler", "eventLog.deadLetter(asked.event, fault);", "", "I7: "),
    THE_GATEWAY_ANSWERS_ANOTHER_ARM(
        GATEWAY,
        "gateway/Answer",
        "String arm = decision.arm();",
        "String arm = decision.decisionId().hashCode() % 20 == 0 ? \"another\" : decision.arm();",
        "answered another, on the topic "),
    THE_GATEWAY_ACCEPTS_A_REWARD_WITHOUT_SENDING_IT(
        GATEWAY,
        "gateway/InputSender",
        "return send(rewards, segment, value, null);",
        "return java.util.Arrays.hashCode(value) % 5 == 0"
            + " ? CompletableFuture.completedFuture(null) : send(rewards, segment, value, null);",
        "the accepted reward of ");

    private final String jar;
    private final String className;
    private final String right;
    private final String wrong;
    private final String found;

    Bug(String jar, String className, String right, String wrong, String found) {
      this.jar = jar;
      this.className = "io/equipoise/" + className;
      this.right = right;
      this.wrong = wrong;
      this.found = found;
    }

    /** Returns the class's source with the bug. */
    private String source() throws IOException {
      String text = Files.readString(Path.of("src/main/java", className + ".java"));
      assertEquals(1, text.split(java.util.regex.Pattern.quote(right), -1).length - 1, right);
      return text.replace(right, wrong);
    }
  }

  /** Keeps the planted places up to date with the product; the command does not run. */
  @ParameterizedTest
  @EnumSource
  void theBugCanBePlanted(Bug bug) throws IOException {
    try (Stream<Path> classes = Files.list(compiled(bug))) {
      assertTrue(classes.findAny().isPresent());
    }
  }

  @ParameterizedTest
  @EnumSource
  void theCommandFindsTheBug(Bug bug) throws Exception {
    assumeTrue(Tier.isChaos(), "starts real processes: mvn verify -Pchaos");
    Path planted = directory.resolve("equipoise");
    copy(DISTRIBUTION, planted);
    try (FileSystem jar = FileSystems.newFileSystem(planted.resolve(bug.jar));
        Stream<Path> classes = Files.walk(compiled(bug))) {
      for (Path file : classes.filter(Files::isRegularFile).toList()) {
        Path place = jar.getPath(bug.className).resolveSibling("" + file.getFileName());
        assertTrue(Files.exists(place), "not in the jar: " + place);
        Files.copy(file, place, StandardCopyOption.REPLACE_EXISTING);
      }
    }
    JsonNode result = chaos(planted);
    List<String> violations = new ArrayList<>();
    result
        .path("faults")
        .forEach(it -> it.path("violations").forEach(v -> violations.add(v.asText())));
    assertTrue(violations.stream().anyMatch(it -> it.contains(bug.found)), result::toString);
    Tier.found(PlantedBugsIT.class, bug.name(), violations.size() + " violations");
  }

  /** Compiles the class with the bug; returns the directory of its class files. */
  private Path compiled(Bug bug) throws IOException {
    Path source = directory.resolve("src").resolve(bug.className + ".java");
    Files.createDirectories(source.getParent());
    Files.writeString(source, bug.source());
    Path classes = Files.createDirectories(directory.resolve("classes"));
    List<String> options =
        List.of("-proc:none", "-nowarn", "-parameters", "--release", "17", "-d", "" + classes);
    var compiler = ToolProvider.getSystemJavaCompiler();
    StringWriter messages = new StringWriter();
    try (var files = compiler.getStandardFileManager(null, null, null)) {
      var units = files.getJavaFileObjects(source);
      assertTrue(
          compiler.getTask(messages, files, null, options, null, units).call(), messages::toString);
    }
    return classes.resolve(bug.className).getParent();
  }

  private JsonNode chaos(Path planted) throws Exception {
    Path result = directory.resolve("result.json");
    Path log = directory.resolve("chaos.log");
    ProcessBuilder builder =
        new ProcessBuilder(
                planted.resolve("bin/equipoise").toString(),
                "chaos",
                "--fault",
                "quiet:1",
                "--dir",
                directory.resolve("chaos").toString(),
                "--json",
                result.toString())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile());
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    Process process = builder.start();
    try {
      assertTrue(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS), "chaos does not end");
    } finally {
      process.destroy();
      process.waitFor();
    }
    assertTrue(Files.exists(result), Files.readString(log));
    assertFalse(process.exitValue() == 0, Files.readString(log));
    return new ObjectMapper().readTree(result.toFile());
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.toList()) {
        Files.copy(
            file, to.resolve(from.relativize(file).toString()), StandardCopyOption.COPY_ATTRIBUTES);
      }
    }
  }
}
