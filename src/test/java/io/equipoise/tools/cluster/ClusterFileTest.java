package io.equipoise.tools.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.tools.LoopbackPorts;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** What a cluster keeps in its directory, and what it refuses. */
class ClusterFileTest {
  private static final Plan PLAN =
      new Plan(
          2,
          2,
          2,
          "512m",
          "768m",
          "1g",
          "/c/equipoise.yaml",
          "/c/specs",
          Map.of("equipoise.deployment", "shop"),
          Map.of("heartbeat.timeout", "9 s"));

  @TempDir private Path directory;

  @Test
  void whatIsWrittenIsRead() {
    ClusterLayout clusterLayout = new ClusterLayout(directory);
    assertEquals(Optional.empty(), ClusterFile.read(clusterLayout));
    ClusterFile file =
        ClusterFile.of(PLAN, new Ports(1, 2, 3, 4, 5, 6, 7))
            .with(new Started("kafka", 17, 1_700_000_000_000L, "@x"))
            .with(new Started("kafka", 18, 1_700_000_000_001L, "@x"))
            .withSavepoint("shop", "file:/s")
            .withSavepoint("other", "file:/o");
    file.write(clusterLayout);
    assertEquals(Optional.of(file), ClusterFile.read(clusterLayout));
    assertEquals(18, file.process(ClusterProcess.KAFKA).orElseThrow().pid());
    assertEquals(1, file.processes().size());
    assertEquals(Map.of("other", "file:/o"), file.withSavepoint("shop", null).savepoints());
  }

  @Test
  void aDamagedFileIsNamed() throws Exception {
    ClusterLayout clusterLayout = new ClusterLayout(directory);
    Files.writeString(clusterLayout.file(), "{\"version\": 1, \"plan\"");
    var refused = assertThrows(ClusterException.class, () -> ClusterFile.read(clusterLayout));
    assertTrue(refused.getMessage().startsWith(clusterLayout.file() + " is damaged: "));
  }

  @Test
  void onlyThisUserReadsWhatIsKept() throws Exception {
    Path inside = directory.resolve("cluster");
    ClusterLayout clusterLayout = new ClusterLayout(inside);
    clusterLayout.create();
    ClusterFile.of(PLAN, new Ports(1, 2, 3, 4, 5, 6, 7)).write(clusterLayout);
    OwnerOnly.write(clusterLayout.run("submit.args"), List.of("-D", "a=b"));
    try (Stream<Path> all = Files.walk(inside)) {
      for (Path path : all.toList()) {
        assertEquals(
            Files.isDirectory(path) ? "rwx------" : "rw-------",
            PosixFilePermissions.toString(Files.getPosixFilePermissions(path)),
            path.toString());
      }
    }
  }

  @Test
  void whatOthersCanWriteIsRefused() throws Exception {
    ClusterLayout clusterLayout = new ClusterLayout(directory);
    ClusterFile.of(PLAN, new Ports(1, 2, 3, 4, 5, 6, 7)).write(clusterLayout);
    Files.setPosixFilePermissions(
        clusterLayout.file(), PosixFilePermissions.fromString("rw-rw----"));
    var refused = assertThrows(ClusterException.class, () -> ClusterFile.read(clusterLayout));
    assertTrue(refused.getMessage().contains("is writable for others"), refused::getMessage);
    Files.setPosixFilePermissions(
        clusterLayout.file(), PosixFilePermissions.fromString("rw-------"));
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxrwxrwx"));
    assertThrows(ClusterException.class, clusterLayout::create);
    assertThrows(ClusterException.class, () -> ClusterFile.read(clusterLayout));
  }

  /** Only root can make such a file, and is who loses most by it. */
  @Test
  void whatAnotherUserOwnsIsRefused() throws Exception {
    ClusterLayout clusterLayout = new ClusterLayout(directory);
    ClusterFile.of(PLAN, new Ports(1, 2, 3, 4, 5, 6, 7)).write(clusterLayout);
    try {
      Files.setAttribute(clusterLayout.file(), "unix:uid", 65_534);
    } catch (FileSystemException e) {
      Assumptions.abort("not root: " + e.getMessage());
    }
    var refused = assertThrows(ClusterException.class, () -> ClusterFile.read(clusterLayout));
    assertTrue(refused.getMessage().contains("your own directory"), refused::getMessage);
  }

  @Test
  void aSecretIsRefusedAmongTheOptions() {
    StringWriter err = new StringWriter();
    int exit =
        new CommandLine(new UpCommand())
            .setErr(new PrintWriter(err))
            .execute(
                "--dir",
                directory.resolve("fresh").toString(),
                "-D",
                "kafka.ssl.truststore.password=hunter2");
    assertEquals(1, exit);
    assertTrue(err.toString().contains("kafka.ssl.truststore.password is a secret"), err::toString);
    assertFalse(err.toString().contains("hunter2"));
    assertFalse(Files.exists(directory.resolve("fresh/cluster.json")));
  }

  @Test
  void aSecondCommandIsRefusedWhileOneIsAtWork() {
    ClusterLayout clusterLayout = new ClusterLayout(directory);
    try (ClusterLock first = ClusterLock.take(clusterLayout)) {
      assertTrue(Files.exists(clusterLayout.lock()), first::toString);
      assertThrows(ClusterException.class, () -> ClusterLock.take(clusterLayout));
    }
    ClusterLock.take(clusterLayout).close();
  }

  @Test
  void portsAreFreeDistinctAndNotOfTheRangeForOutgoingConnections() throws Exception {
    Ports ports = Ports.choose(directory, 0, 0, 0, 0);
    assertEquals(ports, Ports.choose(directory, 0, 0, 0, 0), "the same directory, the same ports");
    var all =
        Set.of(
            ports.zookeeper(),
            ports.kafka(),
            ports.controller(),
            ports.jobManager(),
            ports.rest(),
            ports.gateway(),
            ports.console());
    assertEquals(7, all.size());
    assertTrue(all.stream().allMatch(port -> port >= 20_000 && port < 32_000), all.toString());
    assertFalse(Ports.choose(directory, 0, 0, 0, null).hasConsole());
    assertEquals(29_092, Ports.choose(directory, 29_092, 0, 0, 0).kafka());
  }

  @Test
  void aTakenPortIsRefusedByNumberUseAndRemedy() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      int port = taken.getLocalPort();
      assertFalse(LoopbackPorts.isFree(port));
      Ports ports = new Ports(1, port, 3, 4, 5, 6, 7);
      var refused =
          assertThrows(ClusterException.class, () -> ports.requireFree(ClusterProcess.KAFKA));
      assertEquals(
          "port "
              + port
              + " (client of kafka) is in use by another program; end it, or choose another port"
              + " with --kafka-port, --rest-port, --gateway-port or --console-port; an existing"
              + " cluster needs a new --dir",
          refused.getMessage());
      ClusterLayout clusterLayout = new ClusterLayout(directory);
      Distribution distribution = new Distribution(directory);
      assertThrows(
          ClusterException.class,
          () -> Cluster.create(distribution, clusterLayout, PLAN, port, 0, 0, 0));
      assertEquals(Optional.empty(), ClusterFile.read(clusterLayout), "another port may be tried");
    }
  }

  /** A process of the cluster refuses an option that it is given twice. */
  @Test
  void theClustersOwnOptionsReplaceThoseOfTheJob() {
    ServerArguments arguments =
        new ServerArguments(
            new Distribution(directory),
            new ClusterLayout(directory),
            PLAN,
            new Ports(1, 2, 3, 4, 5, 6, 7),
            Hosts.LOOPBACK);
    Map<String, String> ofJob = Map.of("gateway.port", "99", "equipoise.deployment", "shop");
    List<String> words = arguments.gateway(ClusterProcess.GATEWAY, ofJob);
    assertEquals(2, words.stream().filter(it -> it.equals("-D")).count(), words::toString);
    assertFalse(words.contains("gateway.port=99"), words::toString);
    assertTrue(words.contains("equipoise.deployment=shop"), words::toString);
  }

  @Test
  void moreParallelismThanSlotsIsRefused() {
    var refused = assertThrows(IllegalArgumentException.class, () -> PLAN.withParallelism(5));
    assertEquals(
        "parallelism 5 needs more than the 4 slots of 2 task managers", refused.getMessage());
  }
}
