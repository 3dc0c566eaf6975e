package io.equipoise.local.chaos;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** Runs small commands of the operating system. */
final class Commands {
  private Commands() {}

  /** Runs a command and throws if it does not end with 0. */
  static void run(String... command) throws InterruptedException {
    String complaint = attempt(command);
    if (!complaint.isEmpty()) {
      throw new IllegalStateException(String.join(" ", command) + ": " + complaint);
    }
  }

  /** Runs a command; returns what it complained of, empty if it ended with 0. */
  static String attempt(String... command) throws InterruptedException {
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      String said =
          new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
      int code = process.waitFor();
      return code == 0 ? "" : "exit code " + code + " " + said;
    } catch (IOException e) {
      throw new UncheckedIOException("cannot run " + command[0], e);
    }
  }
}
