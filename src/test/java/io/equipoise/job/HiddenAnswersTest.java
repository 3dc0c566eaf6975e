package io.equipoise.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.Tier;
import io.equipoise.audit.AuditCommand;
import io.equipoise.event.Decision;
import io.equipoise.event.Wire;
import io.equipoise.event.WireException;
import io.equipoise.segment.TestSpecs;
import io.equipoise.tools.LocalJob;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** An at-least-once job that hides opens its own answers after a failure, and learns of them. */
class HiddenAnswersTest {
  private static final int KILLS = Tier.count(1, 2);
  private static final int CONTEXTS = 40;

  @RegisterExtension static final TestCluster CLUSTER = TestCluster.withMortalTaskManagers();

  @TempDir private Path directory;

  @Test
  void answersThatWereHiddenAreGivenAgainAndLearnedFrom() throws Exception {
    byte[] secret = "thirty-two bytes of a dear secret".getBytes(StandardCharsets.UTF_8);
    Path key =
        Files.writeString(
            directory.resolve("key"), Base64.getEncoder().encodeToString(secret) + "\n");
    try (TestDeployment deployment =
        CLUSTER
            .deployment("hidden-answers")
            .withoutWaiting()
            .with("equipoise.delivery", "at-least-once")
            .with("equipoise.privacy.sensitive-values", "pseudonymize")
            .with("equipoise.privacy.key-file", key.toString())
            .with("execution.checkpointing.interval", "60 s")
            .with("restart-strategy.type", "fixed-delay")
            .with("restart-strategy.fixed-delay.attempts", "100")
            .with("restart-strategy.fixed-delay.delay", "100 ms")
            .publish(TestSpecs.dUcb())) {
      LocalJob job = deployment.start(2, null);
      int sent = 0;
      for (int kill = 0; kill < KILLS; kill++) {
        send(deployment, sent);
        sent += CONTEXTS;
        int wanted = sent;
        TestDeployment.await(
            () -> decisions(deployment).map(Decision::decisionId).distinct().count(),
            answered -> answered >= wanted);
        CLUSTER.kill(job);
      }
      deployment.drain("s0", "s1", "s2", "s3");
      job.stopWithSavepoint(directory);
      List<Decision> again = decisions(deployment).filter(Decision::recovered).toList();
      assertTrue(!again.isEmpty(), "no kill met an answer that no checkpoint held");
      for (Decision decision : again) {
        List<Double> features = decision.features();
        assertNotNull(decision.redaction(), decision.toString());
        assertNotNull(features, decision.toString());
        assertEquals(-1, features.get(0));
      }
      verify(deployment, 0, "--key", key.toString());
      verify(deployment, 2);
    }
  }

  private static void send(TestDeployment deployment, int first) {
    long now = System.currentTimeMillis();
    for (int i = first; i < first + CONTEXTS; i++) {
      deployment.context(
          "s" + i % 4, "d" + i, now + i, Map.of("S", i % 3 == 0 ? "a" : "b", "X", "low"));
      deployment.reward("s" + i % 4, "d" + i, now + i, i % 2, Map.of("M", "1"));
    }
  }

  /** Skips writer-epoch markers. */
  private static Stream<Decision> decisions(TestDeployment deployment) {
    return deployment.read(deployment.topics.decisions()).stream()
        .filter(record -> record.value() != null)
        .flatMap(
            record -> {
              try {
                return Stream.of(Wire.DECISION.decode(record.value()));
              } catch (WireException e) {
                return Stream.empty();
              }
            });
  }

  private static void verify(TestDeployment deployment, int exit, String... options) {
    List<String> arguments = new ArrayList<>(List.of("verify", "--final"));
    arguments.addAll(List.of(options));
    arguments.addAll(List.of("-D", "equipoise.deployment=" + deployment.topics.deployment()));
    arguments.addAll(List.of("-D", "equipoise.delivery=at-least-once"));
    String brokers = deployment.config().kafka().getProperty("bootstrap.servers");
    arguments.addAll(List.of("-D", "kafka.bootstrap.servers=" + brokers));
    StringWriter out = new StringWriter();
    int code =
        new CommandLine(new AuditCommand())
            .setOut(new PrintWriter(out, true))
            .setErr(new PrintWriter(out, true))
            .execute(arguments.toArray(String[]::new));
    assertEquals(exit, code, out.toString());
  }
}
