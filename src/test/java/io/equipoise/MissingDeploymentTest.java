package io.equipoise;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.tools.EmbeddedBroker;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Runs verbs that read the topics of a deployment, on brokers that have no topic, and where no
 * broker listens.
 */
class MissingDeploymentTest {
  private static final String SPEC = "flink-conf/specs/email-ucb.yaml";

  /** Far less than the minute after which a Kafka client gives up. */
  private static final Duration AT_ONCE = Duration.ofSeconds(40);

  private static EmbeddedBroker broker;

  @TempDir private Path directory;
  private final StringWriter err = new StringWriter();

  @BeforeAll
  static void start() {
    broker = EmbeddedBroker.start();
  }

  @AfterAll
  static void stop() {
    broker.close();
  }

  static List<String> verbs() {
    return List.of(
        "watch challenger " + SPEC + " --segment s",
        "watch groups --segment s --attribute gender",
        "watch run",
        "watch status",
        "watch end 1234",
        "watch verify",
        "specs list",
        "specs publish --yes " + SPEC,
        "specs promote email",
        "audit verify",
        "audit trace d1",
        "audit erase d1",
        "audit dead-letters",
        "audit observe DIRECTORY/witness",
        "experiment report",
        "report --segment s --from 2026-01-01T00:00:00Z --out DIRECTORY/report.html",
        "evaluate " + SPEC,
        "bounds --spec " + SPEC + " --topic ghost.segment-events --name any --publish");
  }

  @ParameterizedTest
  @MethodSource("verbs")
  @Timeout(value = 90, unit = TimeUnit.SECONDS)
  void aMissingTopicIsNamedAtOnceWithTheOptions(String words) throws Exception {
    long begun = System.nanoTime();
    int code = execute(ghost(words, broker.bootstrapServers()));
    assertTrue(System.nanoTime() - begun < AT_ONCE.toNanos(), err::toString);
    assertTrue(code == 1 || code == 2, () -> code + ": " + err);
    assertTrue(err.toString().contains(command(words)), err::toString);
    String told = "the brokers at %s have no topic ghost.".formatted(broker.bootstrapServers());
    assertTrue(err.toString().contains(told), err::toString);
    assertTrue(
        err.toString()
            .contains(
                "; correct equipoise.deployment or kafka.bootstrap.servers, or start the job once"),
        err::toString);
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()))) {
      assertEquals(Set.of(), admin.listTopics().names().get(), "nothing is created");
    }
  }

  @ParameterizedTest
  @MethodSource("verbs")
  @Timeout(value = 90, unit = TimeUnit.SECONDS)
  void anAddressWhereNoBrokerListensIsNamedWithItsOption(String words) {
    List<String> all = ghost(words, "127.0.0.1:1");
    all.addAll(List.of("-D", "kafka.default.api.timeout.ms=2000"));
    all.addAll(List.of("-D", "kafka.request.timeout.ms=2000"));
    int code = execute(all);
    assertTrue(code == 1 || code == 2, () -> code + ": " + err);
    assertTrue(err.toString().contains(command(words)), err::toString);
    String told = "kafka.bootstrap.servers: nothing listens at 127.0.0.1:1";
    assertTrue(err.toString().contains(told), err::toString);
    assertFalse(err.toString().contains("Timeout"), err::toString);
  }

  private List<String> ghost(String words, String servers) {
    List<String> all = new ArrayList<>();
    List.of(words.split(" ")).forEach(it -> all.add(it.replace("DIRECTORY", directory.toString())));
    all.addAll(List.of("-D", "equipoise.deployment=ghost"));
    all.addAll(List.of("-D", "kafka.bootstrap.servers=" + servers));
    return all;
  }

  private static String command(String words) {
    String verb = words.replaceFirst("^((watch|specs|audit|experiment) )?([a-z-]+).*", "$1$3");
    return "equipoise " + verb + ": ";
  }

  @Test
  void aTopicThatIsGivenByItsNameIsNamedWithItsOption() {
    String[] words = {"bounds", "--spec", SPEC, "--topic", "ghost.events", "--name", "any"};
    List<String> all = new ArrayList<>(List.of(words));
    all.addAll(List.of("-D", "kafka.bootstrap.servers=" + broker.bootstrapServers()));
    assertEquals(2, execute(all), err::toString);
    assertTrue(
        err.toString().contains("--topic: ghost.events given; the brokers at "), err::toString);
  }

  private int execute(List<String> words) {
    return Equipoise.commandLine()
        .setOut(new PrintWriter(new StringWriter(), true))
        .setErr(new PrintWriter(err, true))
        .execute(words.toArray(new String[0]));
  }
}
