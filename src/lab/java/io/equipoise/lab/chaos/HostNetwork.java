package io.equipoise.lab.chaos;

import io.equipoise.tools.cluster.ClusterException;
import io.equipoise.tools.cluster.ClusterProcess;
import io.equipoise.tools.cluster.ClusterProcess.ProcessKind;
import io.equipoise.tools.cluster.Hosts;
import io.equipoise.tools.cluster.Hosts.Host;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Connects network namespaces, one for each member of a cluster, by a bridge of this machine, and
 * cuts and disturbs the connections between them. This process is outside and always reaches all.
 *
 * <p>A cut gives the sender a permanent neighbor entry with a hardware address that nobody has.
 * Packets of that direction vanish without an error, as in a real network. A blackhole route would
 * refuse connections at once.
 *
 * <p>State: the commands that remove what exists, newest first, and those that heal it.
 * Thread-safe: a shutdown hook may close it at any time.
 */
@SuppressWarnings("try") // closing runs commands, which can be interrupted
final class HostNetwork implements AutoCloseable {
  /** A private range that no other network of this machine may have; the third byte varies. */
  private static final String RANGE = "10.213.";

  private static final int SUBNETS = 256;
  private static final int FIRST_HOST = 2;
  private static final String NOBODY = "02:00:00:00:00:01";
  private static final String DEVICE = "eth0";

  private final String prefix;
  private final String subnet;
  private final List<Host> hosts = new ArrayList<>();
  private final CommandRunner runner;
  private final Deque<List<String>> removals = new ArrayDeque<>();
  private final Deque<List<String>> healings = new ArrayDeque<>();
  private boolean isClosed;

  /** Runs a command; returns its error output, empty if the exit code is 0. */
  interface CommandRunner {
    String run(List<String> words) throws InterruptedException;
  }

  /**
   * Plans the network.
   *
   * @param pid makes names unique; at most 7 digits, since names of devices have 15 characters
   * @param third third byte of the addresses
   */
  HostNetwork(List<ClusterProcess> members, long pid, int third, CommandRunner runner) {
    this.prefix = "eq" + pid;
    this.subnet = RANGE + third + ".";
    this.runner = runner;
    for (ClusterProcess member : members) {
      List<String> entry = List.of("ip", "netns", "exec", namespace(member));
      hosts.add(new Host(member, subnet + (FIRST_HOST + hosts.size()), entry));
    }
  }

  /** Returns whether this user is root and {@code ip} is installed. */
  static boolean isPossible() throws InterruptedException {
    try {
      return Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0)
          && ChaosContext.attempt("ip", "-V").isEmpty();
    } catch (IOException | UncheckedIOException e) {
      return false;
    }
  }

  /** Plans the network of the standard members with an unused range. */
  static HostNetwork standard(int taskManagers) {
    long pid = ProcessHandle.current().pid();
    CommandRunner runner = words -> ChaosContext.attempt(words.toArray(String[]::new));
    return new HostNetwork(members(taskManagers), pid, unused(pid, addresses()), runner);
  }

  /** Returns ZooKeeper, three brokers, two job managers, the task managers and two gateways. */
  static List<ClusterProcess> members(int taskManagers) {
    List<ClusterProcess> all = new ArrayList<>(List.of(ClusterProcess.ZOOKEEPER));
    add(all, ProcessKind.KAFKA, 3);
    add(all, ProcessKind.JOBMANAGER, 2);
    add(all, ProcessKind.TASKMANAGER, taskManagers);
    add(all, ProcessKind.GATEWAY, 2);
    return all;
  }

  private static void add(List<ClusterProcess> to, ProcessKind kind, int count) {
    IntStream.rangeClosed(1, count).forEach(number -> to.add(new ClusterProcess(kind, number)));
  }

  /** Returns the third byte of a range of which no address is in use. */
  static int unused(long pid, Set<String> addresses) {
    return IntStream.range(0, SUBNETS)
        .map(i -> (int) ((pid + i) % SUBNETS))
        .filter(third -> addresses.stream().noneMatch(it -> it.startsWith(RANGE + third + ".")))
        .findFirst()
        .orElseThrow(() -> new ClusterException("all of " + RANGE + "0.0/16 is in use"));
  }

  private static Set<String> addresses() {
    try {
      return NetworkInterface.networkInterfaces()
          .flatMap(NetworkInterface::inetAddresses)
          .map(address -> address.getHostAddress())
          .collect(Collectors.toSet());
    } catch (SocketException e) {
      throw new UncheckedIOException("cannot list the addresses of this machine", e);
    }
  }

  Hosts hosts() {
    return new Hosts(hosts);
  }

  /**
   * Creates the bridge and the namespaces. A route of low priority, which goes last, keeps clients
   * of removed hosts from those behind the default route. Where a server of HTTP replies there, a
   * Kafka client takes "HTTP" for a length of 1.2 GB and runs out of memory.
   *
   * @throws ClusterException if a command fails
   */
  void create() throws InterruptedException {
    String bridge = prefix + "br";
    String unreachable = "unreachable " + subnet + "0/24 metric 9999";
    change("ip route add " + unreachable, "ip route del " + unreachable, removals);
    change("ip link add " + bridge + " type bridge", "ip link del " + bridge, removals);
    run(words("ip addr add " + subnet + "1/24 dev " + bridge));
    run(words("ip link set " + bridge + " up"));
    for (Host host : hosts) {
      String namespace = namespace(host.member());
      String port = prefix + "p" + host.address().substring(subnet.length());
      change("ip netns add " + namespace, "ip netns del " + namespace, removals);
      change(
          "ip link add %s type veth peer name %s netns %s".formatted(port, DEVICE, namespace),
          "ip link del " + port,
          removals);
      run(words("ip link set " + port + " master " + bridge + " up"));
      run(words("ip -n %s addr add %s/24 dev %s".formatted(namespace, host.address(), DEVICE)));
      run(words("ip -n %s link set %s up".formatted(namespace, DEVICE)));
      run(words("ip -n %s link set lo up".formatted(namespace)));
    }
  }

  /** Loses all packets from some members to others until {@link #heal}. */
  void cut(Collection<ClusterProcess> from, Collection<ClusterProcess> to)
      throws InterruptedException {
    for (Host sender : hosts) {
      for (Host receiver : hosts) {
        if (!sender.equals(receiver)
            && from.contains(sender.member())
            && to.contains(receiver.member())) {
          String neighbors = "ip -n " + namespace(sender.member()) + " neigh ";
          String at = receiver.address() + " dev " + DEVICE;
          change(
              neighbors + "replace " + at + " lladdr " + NOBODY + " nud permanent",
              neighbors + "del " + at,
              healings);
        }
      }
    }
  }

  /** Loses a share of the packets that arrive at any host until {@link #heal}. */
  void lose(int percent) throws InterruptedException {
    for (Host host : hosts) {
      String nft = "ip netns exec " + namespace(host.member()) + " nft ";
      change(nft + "add table ip loss", nft + "delete table ip loss", healings);
      run(words(nft + "add chain ip loss in { type filter hook input priority 0 ; }"));
      String lost = "iifname " + DEVICE + " numgen random mod 100 < " + percent + " drop";
      run(words(nft + "add rule ip loss in " + lost));
    }
  }

  /** Delays the packets that any host sends until {@link #heal}. */
  void delay(int millis) throws InterruptedException {
    for (Host host : hosts) {
      String tc = "tc -n " + namespace(host.member()) + " qdisc %s dev " + DEVICE + " root netem";
      change(tc.formatted("add") + " delay " + millis + "ms", tc.formatted("del"), healings);
    }
  }

  /** Returns whether the kernel can delay packets; tries it in a namespace of its own. */
  static boolean canDelay() throws InterruptedException {
    String namespace = "eq" + ProcessHandle.current().pid() + "-netem";
    if (!ChaosContext.attempt("ip", "netns", "add", namespace).isEmpty()) {
      return false;
    }
    String netem = "tc -n " + namespace + " qdisc add dev lo root netem delay 1ms";
    boolean isPossible = ChaosContext.attempt(netem.split(" ")).isEmpty();
    ChaosContext.attempt("ip", "netns", "del", namespace);
    return isPossible;
  }

  /** Ends all cuts, losses and delays. */
  void heal() throws InterruptedException {
    undo(healings);
  }

  /** Removes what was created, also after a failure; a second call does nothing. */
  @Override
  public void close() throws InterruptedException {
    synchronized (this) {
      isClosed = true;
      healings.clear(); // they go with their namespaces
    }
    undo(removals);
  }

  /** Runs all commands, and throws if one of them failed. */
  private synchronized void undo(Deque<List<String>> commands) throws InterruptedException {
    List<String> complaints = new ArrayList<>();
    while (!commands.isEmpty()) {
      List<String> command = commands.pop();
      String complaint = runner.run(command);
      if (!complaint.isEmpty()) {
        complaints.add(String.join(" ", command) + ": " + complaint);
      }
    }
    if (!complaints.isEmpty()) {
      throw new ClusterException(String.join("; ", complaints));
    }
  }

  private synchronized void change(String command, String undo, Deque<List<String>> undos)
      throws InterruptedException {
    run(words(command));
    undos.push(words(undo));
  }

  private synchronized void run(List<String> command) throws InterruptedException {
    if (isClosed) {
      throw new ClusterException("the run ends");
    }
    String complaint = runner.run(command);
    if (!complaint.isEmpty()) {
      throw new ClusterException(String.join(" ", command) + ": " + complaint);
    }
  }

  private String namespace(ClusterProcess member) {
    return prefix + "-" + member.name();
  }

  private static List<String> words(String command) {
    return List.of(command.split(" ", -1));
  }
}
