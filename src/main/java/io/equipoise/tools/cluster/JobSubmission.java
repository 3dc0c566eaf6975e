package io.equipoise.tools.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Submits the job jar as docker-compose.yml does: {@code flink run -d --target remote}.
 *
 * @param policyJars jars of policy families, which Flink loads beside the job jar
 */
record JobSubmission(
    ProcessStart start, ClusterLayout clusterLayout, FlinkArguments flink, List<Path> policyJars) {
  private static final String NAME = "submit";
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  /** Returns when the job manager has accepted the job. */
  void submit(
      ClusterFile file, Path jar, Map<String, String> settings, @Nullable String savepoint) {
    List<String> words = new ArrayList<>(flink.client());
    words.addAll(List.of("run", "-d", "--target", "remote"));
    words.add("-Drest.address=" + flink.hosts().address(ClusterProcess.JOB_MANAGER));
    words.add("-Drest.port=" + file.ports().rest());
    words.add("-Dparallelism.default=" + file.plan().parallelism());
    if (savepoint != null) {
      words.addAll(List.of("-s", savepoint));
    }
    words.addAll(List.of(withPolicies(jar).toString(), "--config", file.plan().config()));
    settings.forEach((name, value) -> words.addAll(List.of("-D", name + "=" + value)));
    await(start(words));
  }

  /**
   * Returns the job jar, or a copy of it with the jars of policy families in {@code lib/}: Flink
   * sends those to every job manager and task manager, and loads them with the job.
   */
  private Path withPolicies(Path jar) {
    if (policyJars.isEmpty()) {
      return jar;
    }
    Path copy = clusterLayout.run("equipoise-job.jar");
    try {
      Files.copy(jar, copy, StandardCopyOption.REPLACE_EXISTING);
      try (FileSystem archive = FileSystems.newFileSystem(copy)) {
        Path lib = Files.createDirectories(archive.getPath("lib"));
        for (Path policyJar : policyJars) {
          Files.copy(policyJar, lib.resolve(String.valueOf(policyJar.getFileName())));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot copy " + jar + " to " + copy, e);
    }
    return copy;
  }

  /** Starts a new log for this submission. */
  private Process start(List<String> words) {
    try {
      Files.deleteIfExists(clusterLayout.log(NAME));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot begin " + clusterLayout.log(NAME), e);
    }
    return start.start(NAME, words);
  }

  private void await(Process client) {
    try {
      if (!client.waitFor(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
        client.destroyForcibly();
        throw new ClusterException(
            "submitting the job took longer than "
                + PATIENCE.toMinutes()
                + " min; "
                + clusterLayout.logTail(NAME));
      }
      if (client.exitValue() != 0) {
        throw new ClusterException(
            "the job was not accepted; "
                + StackTraceText.own(Files.readString(clusterLayout.log(NAME)))
                    .orElseGet(() -> clusterLayout.logTail(NAME)));
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + clusterLayout.log(NAME), e);
    } catch (InterruptedException e) {
      client.destroyForcibly();
      Thread.currentThread().interrupt();
      throw new ClusterException("interrupted while submitting the job", e);
    }
  }
}
