package io.equipoise.lab.chaos;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.lab.chaos.PartitionFault.Groups;
import io.equipoise.tools.cluster.ClusterException;
import io.equipoise.tools.cluster.ClusterProcess;
import io.equipoise.tools.cluster.ClusterProcess.ProcessKind;
import io.equipoise.tools.cluster.Hosts.Host;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The commands of the network of hosts, and the seeded groups; without any namespace. */
class HostNetworkTest {
  private static final ClusterProcess SECOND = new ClusterProcess(ProcessKind.KAFKA, 2);
  private static final List<ClusterProcess> TWO = List.of(ClusterProcess.KAFKA, SECOND);

  private final List<String> ran = new ArrayList<>();
  private String failing = "nothing";
  private final HostNetwork network =
      new HostNetwork(
          TWO,
          77,
          9,
          words -> {
            String command = String.join(" ", words);
            ran.add(command);
            return command.contains(failing) ? "exit code 2 refused" : "";
          });

  @Test
  void everyMemberHasANamespaceBehindABridgeAndAllIsRemovedInReverse() throws Exception {
    network.create();
    assertEquals(
        List.of(
            "ip route add unreachable 10.213.9.0/24 metric 9999",
            "ip link add eq77br type bridge",
            "ip addr add 10.213.9.1/24 dev eq77br",
            "ip link set eq77br up",
            "ip netns add eq77-kafka",
            "ip link add eq77p2 type veth peer name eth0 netns eq77-kafka",
            "ip link set eq77p2 master eq77br up",
            "ip -n eq77-kafka addr add 10.213.9.2/24 dev eth0",
            "ip -n eq77-kafka link set eth0 up",
            "ip -n eq77-kafka link set lo up"),
        ran.subList(0, 10));
    ran.clear();
    network.close();
    List<String> removals =
        List.of(
            "ip link del eq77p3",
            "ip netns del eq77-kafka-2",
            "ip link del eq77p2",
            "ip netns del eq77-kafka",
            "ip link del eq77br",
            "ip route del unreachable 10.213.9.0/24 metric 9999");
    assertEquals(removals, ran);
    network.close();
    assertEquals(removals, ran, "a second call does nothing");
    assertThrows(ClusterException.class, network::create, "nothing is created after the end");
  }

  @Test
  void aFailedStartRemovesWhatItCreatedAndAFailedRemovalDoesNotStopTheOthers() throws Exception {
    failing = "netns add eq77-kafka-2";
    var refused = assertThrows(ClusterException.class, network::create);
    assertEquals("ip netns add eq77-kafka-2: exit code 2 refused", refused.getMessage());
    ran.clear();
    failing = "netns del";
    var left = assertThrows(ClusterException.class, network::close);
    assertEquals("ip netns del eq77-kafka: exit code 2 refused", left.getMessage());
    assertEquals(
        List.of(
            "ip link del eq77p2",
            "ip netns del eq77-kafka",
            "ip link del eq77br",
            "ip route del unreachable 10.213.9.0/24 metric 9999"),
        ran);
  }

  @Test
  void aCutIsOneDirectionAndHealsAsAWhole() throws Exception {
    network.cut(List.of(SECOND), TWO);
    String there = "ip -n eq77-kafka-2 neigh replace 10.213.9.2 dev eth0";
    assertEquals(List.of(there + " lladdr 02:00:00:00:00:01 nud permanent"), ran, "not to itself");
    ran.clear();
    network.heal();
    network.heal();
    assertEquals(List.of("ip -n eq77-kafka-2 neigh del 10.213.9.2 dev eth0"), ran);
    network.cut(List.of(SECOND), TWO);
    ran.clear();
    network.close();
    assertEquals(List.of(), ran, "cuts go with their namespaces");
  }

  @Test
  void lossAndDelayReachEveryHostAndEndWhenTheNetworkHeals() throws Exception {
    network.lose(5);
    String nft = "ip netns exec eq77-kafka nft ";
    assertEquals(
        List.of(
            nft + "add table ip loss",
            nft + "add chain ip loss in { type filter hook input priority 0 ; }",
            nft + "add rule ip loss in iifname eth0 numgen random mod 100 < 5 drop"),
        ran.subList(0, 3));
    ran.clear();
    network.heal();
    assertEquals(
        List.of(
            "ip netns exec eq77-kafka-2 nft delete table ip loss", nft + "delete table ip loss"),
        ran);
    ran.clear();
    network.delay(300);
    network.heal();
    assertEquals(
        List.of(
            "tc -n eq77-kafka qdisc add dev eth0 root netem delay 300ms",
            "tc -n eq77-kafka-2 qdisc add dev eth0 root netem delay 300ms",
            "tc -n eq77-kafka-2 qdisc del dev eth0 root netem",
            "tc -n eq77-kafka qdisc del dev eth0 root netem"),
        ran);
  }

  @Test
  void aMemberIsEnteredByItsNamespaceAndTheRangeIsUnused() {
    assertEquals(
        new Host(SECOND, "10.213.9.3", List.of("ip", "netns", "exec", "eq77-kafka-2")),
        network.hosts().all().get(1));
    assertEquals(4, HostNetwork.unused(260, Set.of("127.0.0.1", "10.213.41.1")));
    assertEquals(0, HostNetwork.unused(255, Set.of("10.213.255.7")));
  }

  @Test
  void groupsDivideAllMembersBySeedAndNoneIsEmpty() {
    List<ClusterProcess> members = HostNetwork.members(2);
    assertEquals(10, members.size());
    Set<Groups> seen = new HashSet<>();
    for (int seed = 0; seed < 50; seed++) {
      Groups groups = Groups.of(members, new SplittableRandom(seed));
      assertEquals(groups, Groups.of(members, new SplittableRandom(seed)));
      assertFalse(groups.first().isEmpty() || groups.second().isEmpty());
      Set<ClusterProcess> all = new HashSet<>(groups.first());
      all.addAll(groups.second());
      assertEquals(members.size(), groups.first().size() + groups.second().size());
      assertEquals(new HashSet<>(members), all);
      seen.add(groups);
      assertEquals(2, sizes(Groups.of(TWO, new SplittableRandom(seed))));
    }
    assertTrue(seen.size() > 40, "groups differ: " + seen.size());
    Groups groups = new Groups(TWO, List.of(ClusterProcess.GATEWAY));
    assertEquals("kafka kafka-2 to gateway", groups.line(true));
    assertEquals("kafka kafka-2 from gateway", groups.line(false));
  }

  private static int sizes(Groups groups) {
    return groups.first().size() + groups.second().size();
  }
}
