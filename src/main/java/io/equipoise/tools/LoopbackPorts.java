package io.equipoise.tools;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;

/**
 * Finds ports for servers on loopback, below the range of ports that systems assign to outgoing
 * connections.
 *
 * <p>Within that range, a client could take a free port before its server starts. And while a
 * server is down, a client that retries could be assigned that port and connect to itself.
 */
public final class LoopbackPorts {
  /** The first port of the range. */
  public static final int LOWEST = 20_000;

  /** The port after the last of the range. */
  public static final int END = 32_000;

  /** Separates processes that start together: their ids are close to each other. */
  private static final long STRIDE = 1_009;

  private static int given = (int) (ProcessHandle.current().pid() * STRIDE % (END - LOWEST));

  private LoopbackPorts() {}

  /**
   * Returns a free port; repeats a port only after all others.
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

  /** Returns whether a server could listen there, with address reuse as servers do. */
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
