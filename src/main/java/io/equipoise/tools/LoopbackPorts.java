package io.equipoise.tools;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;

/**
 * Ports for servers on loopback, below the range from which systems give out ports to outgoing
 * connections.
 *
 * <p>Out of that range a port that is free now could be a client's before its server has started;
 * and while a server is down, a client that keeps calling it could be given that very port and
 * would find itself connected to itself.
 */
public final class LoopbackPorts {
  /** The first port of the range. */
  public static final int LOWEST = 20_000;

  /** The port behind the last of the range. */
  public static final int END = 32_000;

  /** Keeps processes that start together apart: their ids are close to one another. */
  private static final long STRIDE = 1_009;

  private static int given = (int) (ProcessHandle.current().pid() * STRIDE % (END - LOWEST));

  private LoopbackPorts() {}

  /**
   * Returns a free port, another one at every call until all had their turn.
   *
   * @throws IllegalStateException if none is free
   */
  public static synchronized int next() {
    for (int tried = LOWEST; tried < END; tried++) {
      given = (given + 1) % (END - LOWEST);
      if (isFree(LOWEST + given)) {
        return LOWEST + given;
      }
    }
    throw new IllegalStateException("no free ports between " + LOWEST + " and " + END);
  }

  /** Says whether a server could listen there, with the address reused as servers do. */
  public static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket()) {
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1);
      return true;
    } catch (IOException e) {
      return false;
    }
  }
}
