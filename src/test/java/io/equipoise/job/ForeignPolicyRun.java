package io.equipoise.job;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.equipoise.audit.AuditCommand;
import io.equipoise.event.Decision;
import io.equipoise.policy.OwnFamilies;
import io.equipoise.tools.LocalJob;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;

/**
 * A deployment whose policy is in none of the project's jars: it decides, stops with a savepoint,
 * goes on from it, and is verified. The exit code is that of {@code audit verify}.
 */
final class ForeignPolicyRun {
  private static final int HALF = 60;

  private ForeignPolicyRun() {}

  /** Takes a directory for the savepoint. */
  public static void main(String[] arguments) throws Exception {
    Path directory = Path.of(arguments[0]);
    String spec =
        OwnFamilies.specs("softmax, temperature: 0.2").get("softmax")
            + "idle-state: {after: 3600s}\n";
    try (TestCluster cluster = new TestCluster().start();
        TestDeployment deployment = cluster.deployment("foreign").publish(spec)) {
      long start = System.currentTimeMillis();
      LocalJob job = deployment.start(2, null);
      send(deployment, 0, start);
      deployment.awaitDecisions(HALF);
      String savepoint = job.stopWithSavepoint(directory);
      job = deployment.start(2, savepoint);
      send(deployment, HALF, start);
      List<Decision> decisions = deployment.awaitDecisions(2 * HALF);
      deployment.drain("s0", "s1");
      job.stopWithSavepoint(directory);
      deployment.awaitCommitted();
      long sampled =
          decisions.stream()
              .filter(
                  decision ->
                      decision.policy().equals("softmax")
                          && !decision.propensities().values().isEmpty())
              .count();
      System.out.println("sampled " + sampled);
      int code = verify(deployment);
      System.out.flush();
      System.exit(code);
    }
  }

  private static void send(TestDeployment deployment, int first, long time) {
    for (int i = first; i < first + HALF; i++) {
      Map<String, Object> person = Map.of("S", i % 3 == 0 ? "a" : "b", "X", "low");
      deployment.context("s" + i % 2, "d" + i, time + i, person);
      deployment.reward("s" + i % 2, "d" + i, time + i, i % 4 == 0 ? 1 : 0, Map.of());
    }
  }

  private static int verify(TestDeployment deployment) {
    CommandLine audit = new CommandLine(new AuditCommand());
    audit
        .setOut(new PrintWriter(System.out, true, UTF_8))
        .setErr(new PrintWriter(System.err, true, UTF_8));
    return audit.execute(
        "verify",
        "--final",
        "-D",
        "equipoise.deployment=" + deployment.topics.deployment(),
        "-D",
        "kafka.bootstrap.servers=" + deployment.config().kafka().getProperty("bootstrap.servers"));
  }
}
