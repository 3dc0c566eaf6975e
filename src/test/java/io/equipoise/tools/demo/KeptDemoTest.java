package io.equipoise.tools.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.ListeningSockets;
import io.equipoise.audit.AuditCommand;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import picocli.CommandLine;

/** A demo that keeps running until it is interrupted, for users to attach their own clients. */
@Tag("full")
@ResourceLock("the deployment demo")
class KeptDemoTest {
  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final Pattern BROKER = Pattern.compile("broker +(\\S+:\\d+)");

  @Test
  void whatItSaysOfWhereToLookHoldsUntilItIsStopped() throws Exception {
    StringWriter out = new StringWriter();
    Thread demo = new Thread(() -> play(out), "demo");
    demo.start();
    try {
      String broker = awaitBroker(out, demo);
      StringWriter checked = new StringWriter();
      int exitCode =
          new CommandLine(new AuditCommand())
              .setOut(new PrintWriter(checked))
              .setErr(new PrintWriter(checked))
              .execute(
                  "verify",
                  "-D",
                  "equipoise.deployment=demo",
                  "-D",
                  "kafka.bootstrap.servers=" + broker);
      assertEquals(0, exitCode, checked::toString);
      ListeningSockets.assertLoopbackOnly();
      assertTrue(demo.isAlive(), "it ended by itself");
    } finally {
      demo.interrupt();
      demo.join(PATIENCE.toMillis());
    }
    assertFalse(demo.isAlive(), "it does not stop");
  }

  private static void play(StringWriter out) {
    new CommandLine(new DemoCommand())
        .setOut(new PrintWriter(out))
        .setErr(new PrintWriter(new StringWriter()))
        .execute("--rounds", "30", "--policy", "ucb", "--keep-running");
  }

  private static String awaitBroker(StringWriter out, Thread demo) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (System.nanoTime() < deadline && demo.isAlive()) {
      Matcher found = BROKER.matcher(out.toString());
      if (found.find() && out.toString().contains("Ctrl-C")) {
        return found.group(1);
      }
      LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
    }
    throw new AssertionError("it says no broker: " + out);
  }
}
