package io.equipoise.lab.chaos;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.equipoise.tools.cluster.Cluster;
import io.equipoise.tools.cluster.ClusterLayout;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Changes specs under load with the verbs {@code specs} of the distribution: publishes another tau,
 * adds an offer and retires one under each family of models, rolls back the tau and the offers of
 * one family, and retires a spec and brings it back. A change that the job or a segment does not
 * take as announced is a violation.
 */
record SpecChangesFault() implements Fault {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String PATIENCE_SECONDS = "240";
  private static final long LONGEST_STEP_MINUTES = 8;

  private static final String KEPT = "KEPT";
  private static final String MIGRATED = "MIGRATED";

  private static final String CONSTRAINED = "email-f-ucb";
  private static final String RETIRED = "email-c-ucb";

  @Override
  public String name() {
    return "change-specs";
  }

  @Override
  public Set<String> retiredSpecs() {
    return Set.of(RETIRED);
  }

  /** The segments whose offers change; those of the distribution keep theirs. */
  @Override
  public void prepare(ClusterLayout clusterLayout) {
    ChangingSpec.writeAll(OfferSpec.ALL, clusterLayout, 1);
  }

  @Override
  public FaultEffect inject(ChaosContext context) throws InterruptedException {
    long started = System.nanoTime();
    List<String> violations = new ArrayList<>();
    Path specs = context.cluster().layout().specs();
    Path constrained = specs.resolve(CONSTRAINED + ".yaml");
    write(
        constrained,
        read(constrained).replace("version: 1", "version: 2").replace("tau: 0.3", "tau: 0.25"));
    List<String> offers = OfferSpec.segments();
    violations.addAll(
        run(context, List.of("publish", constrained.toString()), KEPT, List.of(CONSTRAINED)));
    violations.addAll(run(context, published(context, 2), MIGRATED, offers));
    violations.addAll(run(context, published(context, 3), KEPT, offers));
    for (String rolledBack : List.of(CONSTRAINED, OfferSpec.LINEAR.segment())) {
      violations.addAll(run(context, List.of("rollback", rolledBack), KEPT, List.of(rolledBack)));
    }
    violations.addAll(run(context, List.of("retire", RETIRED), KEPT, List.of()));
    violations.addAll(run(context, List.of("rollback", RETIRED), KEPT, List.of(RETIRED)));
    context
        .progress()
        .accept(
            String.format(
                Locale.ROOT, "all spec changes: %.1f s", (System.nanoTime() - started) / 1e9));
    return new FaultEffect(System.nanoTime(), violations);
  }

  private static List<String> published(ChaosContext context, int version) {
    List<String> words = new ArrayList<>(List.of("publish"));
    ChangingSpec.writeAll(OfferSpec.ALL, context.cluster().layout(), version)
        .forEach(it -> words.add(it.toString()));
    return words;
  }

  /** Runs a verb as its user does; returns what differs from the expected result. */
  private static List<String> run(
      ChaosContext context, List<String> verb, String effect, List<String> segments)
      throws InterruptedException {
    Cluster cluster = context.cluster();
    String step = "specs " + verb.get(0) + " of " + (segments.isEmpty() ? verb.get(1) : segments);
    Path result = cluster.layout().directory().resolve("spec-change.json");
    Path log = cluster.layout().log("specs");
    List<String> words = new ArrayList<>();
    words.add(cluster.distribution().home().resolve("bin/equipoise").toString());
    words.add("specs");
    words.addAll(verb);
    words.addAll(List.of("--yes", "--timeout", PATIENCE_SECONDS, "--json", result.toString()));
    words.addAll(List.of("--config", cluster.file().plan().config()));
    cluster.jobSettings().forEach((key, value) -> words.addAll(List.of("-D", key + "=" + value)));
    long started = System.nanoTime();
    try {
      Files.deleteIfExists(result);
      Process process =
          new ProcessBuilder(words)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
              .start();
      if (!process.waitFor(LONGEST_STEP_MINUTES, TimeUnit.MINUTES)) {
        process.destroyForcibly();
        return List.of(step + ": does not end; see " + log);
      }
      String took =
          String.format(Locale.ROOT, "%s: %.1f s", step, (System.nanoTime() - started) / 1e9);
      context.progress().accept(took);
      if (!Files.exists(result)) {
        return List.of(step + ": exit code " + process.exitValue() + "; see " + log);
      }
      return differences(
          step, process.exitValue(), JSON.readTree(result.toFile()), effect, segments);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot run " + words.get(0), e);
    }
  }

  /** Compares the result of a verb with the effect that each segment must report. */
  static List<String> differences(
      String step, int exitCode, JsonNode result, String effect, List<String> segments) {
    List<String> found = new ArrayList<>();
    boolean isClean =
        exitCode == 0
            && result.path("read").asBoolean()
            && result.path("refused").isEmpty()
            && result.path("rejected").isEmpty();
    if (!isClean) {
      found.add(step + ": exit code " + exitCode + ", " + result);
    }
    for (String segment : segments) {
      String adopted = result.path("adopted").path(segment).path("effect").asText("nothing");
      if (!adopted.equals(effect)) {
        found.add("%s: %s reports %s, not %s".formatted(step, segment, adopted, effect));
      }
    }
    return found;
  }

  private static void write(Path spec, String text) {
    try {
      Files.writeString(spec, text);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write " + spec, e);
    }
  }

  private static String read(Path spec) {
    try {
      return Files.readString(spec);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + spec, e);
    }
  }
}
