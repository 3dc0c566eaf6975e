package io.equipoise.local.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.local.LoopbackPorts;
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
    Layout layout = new Layout(directory);
    assertEquals(Optional.empty(), ClusterFile.read(layout));
    ClusterFile file =
        ClusterFile.of(PLAN, new Ports(1, 2, 3, 4, 5))
            .with(new Started("kafka", 17, 1_700_000_000_000L, "@x"))
            .with(new Started("kafka", 18, 1_700_000_000_001L, "@x"))
            .withSavepoint("file:/s");
    file.write(layout);
    assertEquals(Optional.of(file), ClusterFile.read(layout));
    assertEquals(18, file.process(Member.KAFKA).orElseThrow().pid());
    assertEquals(1, file.processes().size());
  }

  @Test
  void aDamagedFileIsNamed() throws Exception {
    Layout layout = new Layout(directory);
    Files.writeString(layout.file(), "{\"version\": 1, \"plan\"");
    var refused = assertThrows(ClusterException.class, () -> ClusterFile.read(layout));
    assertTrue(refused.getMessage().startsWith(layout.file() + " is damaged: "));
  }

  @Test
  void onlyThisUserReadsWhatIsKept() throws Exception {
    Path inside = directory.resolve("cluster");
    Layout layout = new Layout(inside);
    layout.create();
    ClusterFile.of(PLAN, new Ports(1, 2, 3, 4, 5)).write(layout);
    OwnerOnly.write(layout.run("submit.args"), List.of("-D", "a=b"));
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
    Layout layout = new Layout(directory);
    ClusterFile.of(PLAN, new Ports(1, 2, 3, 4, 5)).write(layout);
    Files.setPosixFilePermissions(layout.file(), PosixFilePermissions.fromString("rw-rw----"));
    var refused = assertThrows(ClusterException.class, () -> ClusterFile.read(layout));
    assertTrue(refused.getMessage().contains("can be written by others"), refused::getMessage);
    Files.setPosixFilePermissions(layout.file(), PosixFilePermissions.fromString("rw-------"));
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxrwxrwx"));
    assertThrows(ClusterException.class, layout::create);
    assertThrows(ClusterException.class, () -> ClusterFile.read(layout));
  }

  /** Only root can make such a file, and is who loses most by it. */
  @Test
  void whatAnotherUserOwnsIsRefused() throws Exception {
    Layout layout = new Layout(directory);
    ClusterFile.of(PLAN, new Ports(1, 2, 3, 4, 5)).write(layout);
    try {
      Files.setAttribute(layout.file(), "unix:uid", 65_534);
    } catch (FileSystemException e) {
      Assumptions.abort("not root: " + e.getMessage());
    }
    var refused = assertThrows(ClusterException.class, () -> ClusterFile.read(layout));
    assertTrue(refused.getMessage().contains("must be your own"), refused::getMessage);
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
    Layout layout = new Layout(directory);
    try (ClusterLock first = ClusterLock.take(layout)) {
      assertTrue(Files.exists(layout.lock()), first::toString);
      assertThrows(ClusterException.class, () -> ClusterLock.take(layout));
    }
    ClusterLock.take(layout).close();
  }

  @Test
  void portsAreFreeDistinctAndNotOfTheRangeForOutgoingConnections() throws Exception {
    Ports ports = Ports.choose(directory, 0, 0);
    assertEquals(ports, Ports.choose(directory, 0, 0), "the same directory, the same ports");
    var all =
        Set.of(
            ports.zookeeper(), ports.kafka(), ports.controller(), ports.jobManager(), ports.rest());
    assertEquals(5, all.size());
    assertTrue(all.stream().allMatch(port -> port >= 20_000 && port < 32_000), all.toString());
    assertEquals(29_092, Ports.choose(directory, 29_092, 0).kafka());
  }

  @Test
  void aTakenPortIsRefusedByNumberUseAndRemedy() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      int port = taken.getLocalPort();
      assertFalse(LoopbackPorts.isFree(port));
      Ports ports = new Ports(1, port, 3, 4, 5);
      var refused = assertThrows(ClusterException.class, () -> ports.requireFree(Member.KAFKA));
      assertEquals(
          "port "
              + port
              + " (client of kafka) is in use by another program; end that, or choose another port"
              + " with --kafka-port or --rest-port, for a cluster that exists with a fresh --dir",
          refused.getMessage());
      Layout layout = new Layout(directory);
      Distribution distribution = new Distribution(directory);
      assertThrows(
          ClusterException.class, () -> Cluster.create(distribution, layout, PLAN, port, 0));
      assertEquals(Optional.empty(), ClusterFile.read(layout), "another port may be tried");
    }
  }

  @Test
  void moreParallelismThanSlotsIsRefused() {
    var refused = assertThrows(IllegalArgumentException.class, () -> PLAN.withParallelism(5));
    assertEquals(
        "parallelism 5 needs more than the 4 slots of 2 task managers", refused.getMessage());
  }
}
