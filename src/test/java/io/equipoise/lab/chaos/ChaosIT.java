package io.equipoise.lab.chaos;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.equipoise.Tier;
import io.equipoise.job.options.Delivery;
import io.equipoise.lab.chaos.FaultCatalog.KillFault;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code equipoise chaos} as packaged, with every fault that it knows, for three quarters of an
 * hour. Recovery budgets are not held against a machine that also runs the build; the command does
 * that.
 */
class ChaosIT {
  private static final Path COMMAND = Path.of("target/equipoise/bin/equipoise").toAbsolutePath();
  private static final Duration PATIENCE = Duration.ofMinutes(60);
  private static final String KILL_TASK_MANAGER = "kill-taskmanager";

  /** How often faults are injected that are not injected once. */
  private static final Map<String, Integer> TIMES =
      Map.of(
          KILL_TASK_MANAGER,
          20,
          "kill-jobmanager",
          3,
          "kill-broker",
          3,
          "rescale",
          2,
          "clock-ahead",
          4,
          "clock-behind",
          4,
          "clock-jump",
          4);

  @TempDir private Path directory;

  @BeforeEach
  void onlyInTheTierOfChaos() {
    assumeTrue(Tier.isChaos(), "kills real processes: mvn verify -Pchaos");
  }

  @Test
  void nothingIsLostOrDoubledWhateverIsKilled() throws Exception {
    bear(Delivery.EXACTLY_ONCE, fault -> fault instanceof KillFault);
  }

  @Test
  void nothingIsLostOrDoubledInSilenceWhateverElseHappens() throws Exception {
    bear(
        Delivery.EXACTLY_ONCE,
        fault ->
            !(fault instanceof KillFault
                || fault instanceof SpecChangesFault
                || fault instanceof ClockFault
                || fault.name().equals("full-broker-disk")
                || fault.needsHosts()));
  }

  @Test
  void nothingIsLostOrDoubledWhenClocksAreWrongOrTheDiskOfTheBrokerIsFull() throws Exception {
    assumeTrue(HostNetwork.isPossible(), "requires root");
    assumeTrue(ClockFault.library().isPresent(), "requires libfaketime");
    for (Delivery delivery : Delivery.values()) {
      bear(
          delivery,
          fault -> fault instanceof ClockFault || fault.name().equals("full-broker-disk"));
    }
  }

  @Test
  void nothingIsLostOrDoubledWhenHostsLoseEachOther() throws Exception {
    assumeTrue(HostNetwork.isPossible(), "requires root and iproute2");
    boolean canDelay = HostNetwork.canDelay();
    bear(
        Delivery.EXACTLY_ONCE,
        fault -> fault.needsHosts() && (canDelay || !fault.name().equals("delay")),
        "--hosts",
        "--rate",
        "20");
  }

  /** Offers come and go, and a spec is rolled back, at 500 contexts a second. */
  @Test
  void nothingIsLostOrLearnedTwiceWhileSpecsChange() throws Exception {
    bear(Delivery.EXACTLY_ONCE, fault -> fault instanceof SpecChangesFault, "--rate", "500");
  }

  @Test
  void noDecisionHasTwoArmsWhenTaskManagersAreKilledOrBrokersAreSilentAtLeastOnce()
      throws Exception {
    bear(
        Delivery.AT_LEAST_ONCE,
        fault ->
            fault.name().equals(KILL_TASK_MANAGER) || fault.name().startsWith("silent-brokers"),
        "--spec-changes");
  }

  /** Runs the command with all faults of a kind; everyone of them must have been result. */
  private void bear(Delivery delivery, Predicate<Fault> kind, String... more) throws Exception {
    List<String> names = FaultCatalog.ALL.stream().filter(kind).map(Fault::name).toList();
    JsonNode result = chaos(delivery, names, more);
    assertTrue(result.path("contexts").asLong() > 0, result.toString());
    Tier.found(ChaosIT.class, names.get(0) + " and others, contexts", result.path("contexts"));
    Tier.found(ChaosIT.class, names.get(0) + " and others, rewards", result.path("rewards"));
    assertEquals(delivery.toString(), result.path("delivery").asText());
    assertEquals(
        new TreeSet<>(names), new TreeSet<>(result.path("faults").findValuesAsText("fault")));
    for (JsonNode row : result.path("faults")) {
      String name = row.path("fault").asText();
      boolean isLossExpected = FaultCatalog.named(name).exceedsGuarantee();
      assertEquals(times(name), row.path("times").asInt(), name);
      assertEquals(isLossExpected, !row.path("violations").isEmpty(), row.toString());
      assertTrue(row.path("maxSeconds").isNumber(), "recovered each time: " + row);
      String fault = delivery + ", " + name;
      Tier.found(ChaosIT.class, fault + ", times", row.path("times").asInt());
      Tier.found(
          ChaosIT.class, fault + ", seconds to recover at most", row.path("maxSeconds").asDouble());
    }
  }

  private static int times(String fault) {
    return TIMES.getOrDefault(fault, 1);
  }

  private JsonNode chaos(Delivery delivery, List<String> names, String... more) throws Exception {
    Path result = directory.resolve("result.json");
    Path log = directory.resolve("chaos.log");
    String faults = String.join(",", names.stream().map(name -> name + ":" + times(name)).toList());
    List<String> words = new ArrayList<>(List.of(COMMAND.toString(), "chaos", "--fault", faults));
    words.addAll(List.of("--delivery", delivery.toString()));
    words.addAll(List.of("--dir", directory.resolve("chaos-" + delivery).toString()));
    words.addAll(List.of("--json", result.toString()));
    words.addAll(List.of(more));
    ProcessBuilder builder =
        new ProcessBuilder(words).redirectErrorStream(true).redirectOutput(log.toFile());
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    Process process = builder.start();
    try {
      assertTrue(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS), "chaos does not end");
    } finally {
      process.destroy(); // which ends its cluster
      process.waitFor();
    }
    assertTrue(Files.exists(result), Files.readString(log));
    return new ObjectMapper().readTree(result.toFile());
  }
}
