package io.equipoise.job.registry;

import io.equipoise.registry.SchemaRegistry;
import io.equipoise.tools.LoopbackPorts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.avro.Schema;

/**
 * A real Apicurio on loopback, from the directory {@code target/apicurio} or {@code
 * -Dequipoise.apicurio}. CONTRIBUTING.md has the command that fetches it.
 */
public final class ApicurioProcess implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final Process process;
  private final String url;

  private ApicurioProcess(Process process, String url) {
    this.process = process;
    this.url = url;
  }

  public static ApicurioProcess start() throws IOException {
    Path home = Path.of(System.getProperty("equipoise.apicurio", "target/apicurio"));
    int port = LoopbackPorts.next();
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx384m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Dquarkus.http.host=127.0.0.1",
                "-Dquarkus.http.port=" + port,
                "-jar",
                "apicurio-registry-app-3.0.9-runner.jar")
            .directory(home.toFile())
            .redirectErrorStream(true)
            .redirectOutput(Files.createTempFile("apicurio", ".log").toFile())
            .start();
    ApicurioProcess registry =
        new ApicurioProcess(process, "http://127.0.0.1:" + port + "/apis/ccompat/v7");
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (process.isAlive() && System.nanoTime() < deadline) {
      try {
        registry.client().versions("none");
        return registry;
      } catch (IOException e) {
        LockSupport.parkNanos(Duration.ofMillis(100).toNanos());
      }
    }
    registry.close();
    throw new AssertionError("Apicurio in " + home + " does not answer at " + registry.url);
  }

  public String url() {
    return url;
  }

  /** Registers a schema as a foreign program does; returns its id. */
  public int register(String subject, Schema schema) throws IOException {
    return client().register(subject, schema);
  }

  private SchemaRegistry client() {
    return Frames.registry(Map.of("schema.registry.url", url));
  }

  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(10, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
