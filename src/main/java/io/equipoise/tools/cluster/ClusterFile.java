package io.equipoise.tools.cluster;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.equipoise.cli.Failures;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Records the state of a cluster in {@code cluster.json}.
 *
 * @param version format version of the file
 * @param savepoints initial state of the next submission, by the name of the job in Flink
 * @param processes the newest process of each member, running or not
 */
public record ClusterFile(
    int version, Plan plan, Ports ports, Map<String, String> savepoints, List<Started> processes) {
  private static final int VERSION = 1;
  private static final ObjectMapper MAPPER =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  public ClusterFile {
    savepoints = Map.copyOf(savepoints);
    processes = List.copyOf(processes);
  }

  static ClusterFile of(Plan plan, Ports ports) {
    return new ClusterFile(VERSION, plan, ports, Map.of(), List.of());
  }

  /** Reads the file; empty if there is none. */
  static Optional<ClusterFile> read(ClusterLayout clusterLayout) {
    clusterLayout.check();
    if (!Files.exists(clusterLayout.file())) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          MAPPER.readValue(Files.readString(clusterLayout.file()), ClusterFile.class));
    } catch (JsonProcessingException e) {
      throw new ClusterException(
          clusterLayout.file()
              + " is damaged: "
              + Failures.words(e)
              + "; end the processes in it manually and use a new --dir",
          e);
    } catch (IOException e) {
      throw new ClusterException("cannot read " + clusterLayout.file() + ": " + e.getMessage(), e);
    }
  }

  /** Writes the file so that a reader sees the old one or the new one. */
  void write(ClusterLayout clusterLayout) {
    Path fresh = clusterLayout.directory().resolve("cluster.json.new");
    try {
      OwnerOnly.write(fresh, List.of(MAPPER.writeValueAsString(this)));
      Files.move(fresh, clusterLayout.file(), StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write " + clusterLayout.file(), e);
    }
  }

  /** Returns the newest process of a member. */
  public Optional<Started> process(ClusterProcess clusterProcess) {
    return processes.stream().filter(one -> one.name().equals(clusterProcess.name())).findFirst();
  }

  ClusterFile with(Started process) {
    List<Started> changed = new ArrayList<>(processes);
    changed.removeIf(one -> one.name().equals(process.name()));
    changed.add(process);
    return new ClusterFile(version, plan, ports, savepoints, changed);
  }

  ClusterFile without(Started process) {
    List<Started> changed = new ArrayList<>(processes);
    changed.remove(process);
    return new ClusterFile(version, plan, ports, savepoints, changed);
  }

  /** Sets the savepoint of a job; null for none. */
  ClusterFile withSavepoint(String job, @Nullable String path) {
    Map<String, String> changed = new TreeMap<>(savepoints);
    if (path == null) {
      changed.remove(job);
    } else {
      changed.put(job, path);
    }
    return new ClusterFile(version, plan, ports, changed, processes);
  }

  ClusterFile withPlan(Plan changed) {
    return new ClusterFile(version, changed, ports, savepoints, processes);
  }
}
