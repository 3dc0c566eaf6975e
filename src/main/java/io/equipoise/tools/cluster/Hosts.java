package io.equipoise.tools.cluster;

import io.equipoise.tools.cluster.ClusterProcess.ProcessKind;
import java.util.List;
import java.util.Optional;

/**
 * Places the members of a cluster: all on loopback, or each on a host of its own, with the same
 * ports on every host.
 *
 * @param all in start order; empty if every member is on loopback
 */
public record Hosts(List<Host> all) {
  /** All members on loopback, one of each kind but the task managers. */
  public static final Hosts LOOPBACK = new Hosts(List.of());

  public Hosts {
    all = List.copyOf(all);
  }

  /**
   * A host with its only member.
   *
   * @param address IPv4 address that the other hosts and this process reach
   * @param entry words before a command that run it on the host
   */
  public record Host(ClusterProcess member, String address, List<String> entry) {
    public Host {
      entry = List.copyOf(entry);
    }
  }

  boolean areLoopback() {
    return all.isEmpty();
  }

  List<ClusterProcess> members(int taskManagers, boolean hasConsole) {
    return areLoopback()
        ? ClusterProcess.all(taskManagers, hasConsole)
        : all.stream().map(Host::member).toList();
  }

  String address(ClusterProcess clusterProcess) {
    return host(clusterProcess).map(Host::address).orElse(Ports.LOOPBACK);
  }

  /** Returns the addresses of all members of a kind, in order of their numbers. */
  List<String> addresses(ProcessKind kind) {
    return areLoopback()
        ? List.of(Ports.LOOPBACK)
        : all.stream().filter(one -> one.member().kind() == kind).map(Host::address).toList();
  }

  List<String> entry(ClusterProcess clusterProcess) {
    return host(clusterProcess).map(Host::entry).orElse(List.of());
  }

  private Optional<Host> host(ClusterProcess clusterProcess) {
    return all.stream().filter(one -> one.member().equals(clusterProcess)).findFirst();
  }
}
