package io.equipoise.tools.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import io.equipoise.cli.InvalidOptionsException;
import io.equipoise.segmentspec.SpecException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is told when a process cannot live: here because the distribution has no libraries. */
class ClusterStartTest {
  @TempDir private Path directory;
  private Cluster cluster;

  @BeforeEach
  void layOut() throws Exception {
    Path home = Files.createDirectories(directory.resolve("home"));
    Files.createDirectories(home.resolve("lib"));
    Files.createDirectories(home.resolve("conf"));
    Files.writeString(home.resolve("conf/equipoise.yaml"), "equipoise.deployment: a");
    Path specs = Files.createDirectories(home.resolve("conf/specs"));
    Files.copy(Path.of("src/lab/resources/bench/email-linucb.yaml"), specs.resolve("a.yaml"));
    cluster = create("cluster", Map.of());
  }

  private Cluster create(String name, Map<String, String> settings) {
    Distribution distribution = new Distribution(directory.resolve("home"));
    Plan plan = Plan.standard(distribution).with(settings, Map.of());
    return Cluster.create(
        distribution, new ClusterLayout(directory.resolve(name)), plan, 0, 0, 0, null);
  }

  @Test
  void whatTheJobRefusesIsRefusedBeforeThereIsACluster() throws Exception {
    Map<String, String> settings =
        Map.of(
            "equipoise.delivery", "at-least-once",
            "equipoise.privacy.sensitive-values", "redact",
            "gateway.port", "70000");
    var refused = assertThrows(InvalidOptionsException.class, () -> create("other", settings));
    assertTrue(refused.getMessage().contains("privacy.sensitive-values: "), refused.getMessage());
    Files.writeString(directory.resolve("home/conf/specs/a.yaml"), "name: a");
    assertThrows(SpecException.class, () -> create("other", Map.of()));
    assertFalse(Files.exists(directory.resolve("other")));
  }

  @AfterEach
  void end() {
    new ClusterStop(cluster, line -> {}).processes();
  }

  @Test
  void aProcessThatEndsIsToldWithTheEndOfItsLog() {
    List<String> news = new ArrayList<>();
    var told =
        assertThrows(
            ClusterException.class, () -> new ClusterStart(cluster, news::add).processes());
    Path log = cluster.layout().log("zookeeper");
    assertTrue(
        told.getMessage().startsWith("zookeeper has ended; " + log + " ends with:\n  "),
        told.getMessage());
    assertTrue(told.getMessage().contains("QuorumPeerMain"), told.getMessage());
    assertFalse(cluster.isAlive(ClusterProcess.ZOOKEEPER));
    assertFalse(
        cluster.file().process(ClusterProcess.KAFKA).isPresent(), "nothing else was started");
  }

  @Test
  void aPortThatAnotherProgramUsesIsRefusedBeforeAProcessStarts() throws Exception {
    int port = cluster.file().ports().gateway();
    try (ServerSocket other = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      var refused =
          assertThrows(ClusterException.class, () -> new ClusterStart(cluster, line -> {}).run());
      assertTrue(
          refused.getMessage().startsWith("port " + other.getLocalPort() + " (http of gateway)"),
          refused.getMessage());
    }
    assertEquals(List.of(), cluster.file().processes());
  }

  @Test
  void aStartThatFailsBeforeThereIsAJobEndsWhatItHasStarted() throws Exception {
    cluster.prefix(ClusterProcess.ZOOKEEPER, List.of("sh", "-c", "sleep 300"));
    List<String> news = new ArrayList<>();
    CompletableFuture<RuntimeException> failure =
        CompletableFuture.supplyAsync(
            () ->
                assertThrows(
                    RuntimeException.class, () -> new ClusterStart(cluster, news::add).run()));
    assertTrue(
        Waiting.until(() -> cluster.isAlive(ClusterProcess.ZOOKEEPER), Duration.ofSeconds(60)));
    int port = cluster.file().ports().zookeeper();
    try (ServerSocket listening = new ServerSocket(port, 9, InetAddress.getLoopbackAddress())) {
      String message = failure.get().getMessage();
      assertTrue(message.contains("conf/config.yaml"), message + listening);
    }
    assertFalse(cluster.isAlive(ClusterProcess.ZOOKEEPER));
    assertEquals(List.of(), cluster.file().processes());
    assertTrue(news.get(news.size() - 1).endsWith("zookeeper."), news::toString);
  }

  @Test
  void aSavepointIsFoundAfterTheDirectoryWasMoved() throws Exception {
    Path here = Files.createDirectories(cluster.layout().savepoints().resolve("savepoint-1"));
    ClusterStart start = new ClusterStart(cluster, line -> {});
    assertEquals(here.toUri().toString(), start.present("file:/nowhere/flink/savepoint-1"));
    assertEquals("file:/nowhere/savepoint-2", start.present("file:/nowhere/savepoint-2"));
    String elsewhere = directory.toUri().toString();
    assertEquals(elsewhere, start.present(elsewhere));
  }

  /** A copy of the directory has the same ports. */
  @Test
  void theStatusOfAStoppedClusterShowsNoJobOfAnother() throws Exception {
    URI rest = cluster.rest().root();
    HttpServer other = HttpServer.create(new InetSocketAddress(rest.getHost(), rest.getPort()), 0);
    byte[] overview =
        "{\"jobs\": [{\"jid\": \"1\", \"name\": \"a\", \"state\": \"RUNNING\", \"tasks\": {}}]}"
            .getBytes(StandardCharsets.UTF_8);
    other.createContext(
        "/jobs/overview",
        exchange -> {
          exchange.sendResponseHeaders(200, overview.length);
          exchange.getResponseBody().write(overview);
          exchange.close();
        });
    other.start();
    try {
      assertTrue(cluster.rest().job().isPresent());
      assertNull(ClusterStatus.of(cluster, Clock.systemUTC()).job());
    } finally {
      other.stop(0);
    }
  }

  /**
   * During an election the job manager replies with 503 and nobody knows whether there is a job.
   */
  @Test
  void aStopWithoutALeaderSaysThatThereIsNoSavepoint() throws Exception {
    cluster.prefix(ClusterProcess.ZOOKEEPER, List.of("sh", "-c", "sleep 300"));
    assertTrue(cluster.start(ClusterProcess.ZOOKEEPER));
    List<String> news = new ArrayList<>();
    assertFalse(new ClusterStop(cluster, news::add).run(Duration.ofMillis(1)));
    assertEquals(
        List.of(
            "No savepoint could be taken (no job manager leads). The next up recovers the job from its last checkpoint.",
            "Ended zookeeper."),
        news);
    news.clear();
    assertTrue(new ClusterStop(cluster, news::add).run(Duration.ofMillis(1)));
    assertEquals(List.of("No process was running."), news);
  }

  @Test
  void aRetiredClusterStartsNothing() {
    cluster.retire();
    assertFalse(cluster.start(ClusterProcess.ZOOKEEPER));
    assertEquals(List.of(), cluster.file().processes());
  }
}
