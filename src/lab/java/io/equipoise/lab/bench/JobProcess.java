package io.equipoise.lab.bench;

import io.equipoise.Equipoise;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Starts a job in a new process, whose code is not yet loaded or compiled. The process runs {@link
 * JobCommand} with the Java, options and class path of this one.
 */
final class JobProcess implements AutoCloseable {
  private final Process process;
  private final BufferedReader out;
  private final Path messages;

  private JobProcess(Process process, Path messages) {
    this.process = process;
    this.out = process.inputReader(StandardCharsets.UTF_8);
    this.messages = messages;
  }

  /**
   * Starts the process and waits until it submits the job.
   *
   * @param arguments of {@code equipoise}
   * @throws IllegalStateException if the process ends first, with its messages
   */
  static JobProcess start(List<String> arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(Equipoise.class.getName());
    command.addAll(arguments);
    Path messages = Files.createTempFile("equipoise-bench-job-", ".txt");
    JobProcess started =
        new JobProcess(
            new ProcessBuilder(command).redirectError(messages.toFile()).start(), messages);
    started.nextLine();
    return started;
  }

  /**
   * Waits until every task of the job runs; returns that time, epoch ms.
   *
   * @throws IllegalStateException if the process ends first, with its messages
   */
  long awaitRunning() throws IOException, InterruptedException {
    return Long.parseLong(nextLine());
  }

  private String nextLine() throws IOException, InterruptedException {
    String line = out.readLine();
    if (line == null) {
      throw failed();
    }
    return line;
  }

  /**
   * Lets the job commit its output, and waits until it has ended.
   *
   * @throws IllegalStateException if it fails, with its messages
   */
  void end() throws IOException, InterruptedException {
    process.getOutputStream().close();
    if (process.waitFor() != 0) {
      throw failed();
    }
  }

  private IllegalStateException failed() throws IOException, InterruptedException {
    int exit = process.waitFor();
    String said = Files.readString(messages);
    close();
    return new IllegalStateException(
        "the process of the job ended with exit code %d: %s".formatted(exit, said));
  }

  /** Ends the process, if it still runs. */
  @Override
  public void close() {
    process.destroy();
    try {
      Files.deleteIfExists(messages);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot delete " + messages, e);
    }
  }
}
