package io.equipoise.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.ChildJvm;
import io.equipoise.ListeningSockets;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.connector.source.lib.NumberSequenceSource;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who can reach the cluster of a job that runs in this process, and what that cluster accepts. */
class LoopbackFlinkTest {
  private static final int PORT = 28_917;
  private static final long PAUSE_NANOS = 1_000_000;

  /** In a process of its own, whose temporary directory is a fresh one. */
  @Test
  void aJobOfThisProcessListensOnLoopbackAndItsRestInterfaceOnlyReads(@TempDir Path temporary)
      throws Exception {
    String said =
        ChildJvm.output(
            List.of("-XX:TieredStopAtLevel=1", "-Djava.io.tmpdir=" + temporary),
            LoopbackFlinkTest.class);
    assertTrue(said.endsWith("all good"), said);
    try (Stream<Path> left = Files.list(temporary)) {
      assertEquals(List.of(), left.filter(it -> it.toString().contains("flink-rpc")).toList());
    }
  }

  /** Runs an endless job as {@code bounds} does, and looks around. */
  public static void main(String[] arguments) {
    String said = "all good";
    try {
      lookAround();
    } catch (Throwable e) { // of the assertions, too: threads of the cluster keep the JVM alive
      said = e.toString();
    }
    System.out.println(said);
    System.exit(0);
  }

  private static void lookAround() throws Exception {
    Configuration given = new Configuration();
    given.setString("rest.bind-port", Integer.toString(PORT));
    given.setString("rest.bind-address", "0.0.0.0");
    given.setString("parallelism.default", "1");
    var environment = LoopbackFlink.environment(given);
    environment
        .fromSource(
            new NumberSequenceSource(0, Long.MAX_VALUE - 1),
            WatermarkStrategy.noWatermarks(),
            "numbers")
        .map(LoopbackFlinkTest::slowly)
        .sinkTo(new DiscardingSink<>());
    JobClient job = environment.executeAsync("endless");
    ListeningSockets.assertLoopbackOnly();
    assertEquals(200, status("GET", "/overview"));
    assertEquals(404, status("POST", "/jobs"));
    assertEquals(404, status("POST", "/jars/upload"));
    assertEquals(404, status("PATCH", "/jobs/" + job.getJobID()));
    assertEquals(404, status("POST", "/jobs/" + job.getJobID() + "/savepoints"));
    assertEquals(404, status("GET", "/jobs/" + job.getJobID() + "/yarn-cancel"));
    try (Stream<Path> files = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
      for (Path file : files.filter(it -> it.toString().contains("web")).toList()) {
        assertEquals(
            "rwx------",
            PosixFilePermissions.toString(Files.getPosixFilePermissions(file)),
            file.toString());
      }
    }
    job.cancel().get(1, TimeUnit.MINUTES);
  }

  /** The source is endless, and others want the processor. */
  private static Long slowly(Long number) {
    LockSupport.parkNanos(PAUSE_NANOS);
    return number;
  }

  private static int status(String method, String path) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + PORT + path))
            .method(method, BodyPublishers.noBody())
            .build();
    return HttpClient.newHttpClient().send(request, BodyHandlers.discarding()).statusCode();
  }
}
