package io.equipoise.tools;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class LoopbackPortsTest {
  @Test
  void everyPortIsAnotherOneAndFree() {
    Set<Integer> given = new HashSet<>();
    for (int i = 0; i < 100; i++) {
      int port = LoopbackPorts.next();
      assertTrue(port >= LoopbackPorts.LOWEST && port < LoopbackPorts.END, "port " + port);
      assertTrue(given.add(port), "port " + port + " was given before");
    }
  }

  @Test
  void aPortThatSomebodyListensAtIsNotFree() throws IOException {
    int port = LoopbackPorts.next();
    assertTrue(LoopbackPorts.isFree(port));
    try (ServerSocket taken = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      assertFalse(LoopbackPorts.isFree(taken.getLocalPort()));
    }
  }
}
