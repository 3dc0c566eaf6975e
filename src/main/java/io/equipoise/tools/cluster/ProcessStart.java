package io.equipoise.tools.cluster;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Starts a JVM that outlives this one; its output is appended to the log of its name. */
record ProcessStart(Distribution distribution, ClusterLayout clusterLayout) {
  /** The libraries of this process, which its processes use too. */
  private static final String LOG_LEVEL = "equipoise.log.level";

  private static final File NOTHING = new File("/dev/null");

  /**
   * Starts its command again a second after it ended, except in the first 20 s, whose errors {@code
   * cluster up} reports. Passes SIGTERM on.
   */
  private static final String KEEPER =
      """
      trap 'kill "$kept"; wait "$kept"; exit' TERM
      began=$(date +%s)
      while :; do
        "$@" &
        kept=$!
        wait "$kept"
        code=$?
        [ $(($(date +%s) - began)) -lt 20 ] && exit "$code"
        echo "The $0 ended with exit code $code and is started again."
        sleep 1
      done
      """;

  /**
   * Starts a member.
   *
   * @param entry words before its command that run it on its host
   */
  Started member(String name, List<String> arguments, List<String> entry) {
    return recorded(name, start(name, arguments, entry));
  }

  /** Starts a member that is started again when it ends, and returns the record of its keeper. */
  Started keptMember(String name, List<String> arguments, List<String> entry) {
    List<String> before = new ArrayList<>(List.of("sh", "-c", KEEPER, name));
    before.addAll(entry);
    return recorded(name, start(name, arguments, before));
  }

  private Started recorded(String name, Process process) {
    long startMillis =
        process.info().startInstant().map(Instant::toEpochMilli).orElse(0L); // it has ended
    return new Started(name, process.pid(), startMillis, argumentsOf(name));
  }

  Process start(String name, List<String> arguments) {
    return start(name, arguments, List.of());
  }

  private Process start(String name, List<String> arguments, List<String> before) {
    List<String> all = new ArrayList<>();
    all.add("-Dlog4j2.configurationFile=" + distribution.conf("log4j.properties"));
    all.add("-Dlog4j2.disableJmx=true");
    String level = System.getProperty(LOG_LEVEL);
    if (level != null) {
      all.add("-D" + LOG_LEVEL + "=" + level);
    }
    all.addAll(arguments);
    try {
      OwnerOnly.write(argumentsFile(name), all.stream().map(ProcessStart::quoted).toList());
      OwnerOnly.file(clusterLayout.log(name));
      List<String> command = new ArrayList<>(before);
      command.addAll(List.of(java().toString(), argumentsOf(name)));
      ProcessBuilder builder =
          new ProcessBuilder(command)
              .directory(clusterLayout.directory().toFile())
              .redirectInput(NOTHING)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.appendTo(clusterLayout.log(name).toFile()));
      builder.environment().put("FLINK_CONF_DIR", distribution.conf().toString());
      return builder.start();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot start " + name, e);
    }
  }

  private String argumentsOf(String name) {
    return "@" + argumentsFile(name);
  }

  private Path argumentsFile(String name) {
    return clusterLayout.run(name + ".args");
  }

  private static Path java() {
    return Path.of(System.getProperty("java.home"), "bin", "java");
  }

  /** Escapes an argument for java's argument files. */
  private static String quoted(String word) {
    return '"' + word.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }
}
