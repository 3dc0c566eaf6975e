package io.equipoise.tools.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
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
    Distribution distribution = new Distribution(home);
    ClusterLayout clusterLayout = new ClusterLayout(directory.resolve("cluster"));
    cluster =
        Cluster.create(distribution, clusterLayout, Plan.standard(distribution), 0, 0, 0, null);
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
  void aRetiredClusterStartsNothing() {
    cluster.retire();
    assertFalse(cluster.start(ClusterProcess.ZOOKEEPER));
    assertEquals(List.of(), cluster.file().processes());
  }
}
