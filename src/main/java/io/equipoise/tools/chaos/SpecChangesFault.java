package io.equipoise.tools.chaos;

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
import java.util.stream.IntStream;

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
    try {
      Files.createDirectories(clusterLayout.specs());
    } catch (IOException e) {
      throw new UncheckedIOException("cannot create " + clusterLayout.specs(), e);
    }
    for (OfferSpec spec : OfferSpec.values()) {
      write(clusterLayout, spec.segment(), spec.text(1));
    }
  }

  @Override
  public FaultEffect inject(ChaosContext context) throws InterruptedException {
    long started = System.nanoTime();
    List<String> violations = new ArrayList<>();
    Path specs = context.cluster().layout().specs();
    Path constrained = specs.resolve(CONSTRAINED + ".yaml");
    write(
        context.cluster().layout(),
        CONSTRAINED,
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
    for (OfferSpec spec : OfferSpec.values()) {
      words.add(write(context.cluster().layout(), spec.segment(), spec.text(version)).toString());
    }
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

  private static Path write(ClusterLayout clusterLayout, String name, String text) {
    try {
      return Files.writeString(clusterLayout.specs().resolve(name + ".yaml"), text);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write the spec " + name, e);
    }
  }

  private static String read(Path spec) {
    try {
      return Files.readString(spec);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + spec, e);
    }
  }

  /** A spec of the Email Campaign for each family of models whose offers can change. */
  enum OfferSpec {
    CELLS("{name: ucb, separating-set: all}"),
    LINEAR("{name: linucb, model: shared, features: [intercept, one-hot: A1, one-hot: A2]}"),
    LOGISTIC("{name: screen}"),
    ALLOCATION("{name: oam, horizon: 100000, features: [intercept, one-hot: A1]}");

    private static final List<String> PRODUCTS =
        List.of("product-A", "product-B-neutral", "product-C");

    private final String policy;

    OfferSpec(String policy) {
      this.policy = policy;
    }

    static List<String> segments() {
      return IntStream.range(0, values().length).mapToObj(i -> values()[i].segment()).toList();
    }

    String segment() {
      return "offers-" + name().toLowerCase(Locale.ROOT);
    }

    /** Returns version 1 with two products, 2 with a third, or 3 without the first of them. */
    String text(int version) {
      List<String> levels = PRODUCTS.subList(0, version == 1 ? 2 : 3);
      List<String> offered = version == 3 ? levels.subList(1, 3) : levels;
      String reward =
          this == LOGISTIC ? "{range: [0, 1]}" : "{range: [0, 1], bounded: false, scale: 0.16}";
      return """
             name: %1$s
             version: %2$d
             segments: {exact: [%1$s]}
             seed: 7
             variables:
               X1: {role: sensitive, levels: [female, male], missing: reject}
               X2: {role: context, levels: ["18-29", "30-49", "50+"]}
               X3: {role: context, levels: [student-or-clerical, technical, management]}
               A1: {role: action, levels: [%3$s]}
               A2: {role: action, levels: [operational, promotional, nurture, awareness]}
               A3: {role: action, levels: [morning, afternoon, evening]}
               I4: {role: mediator, levels: [query-1, query-2, query-3]}
               I1: {role: mediator, levels: ["0", "1", "2", "3"]}
               I2: {role: mediator, levels: ["0", "1", "2", "3"]}
               I3: {role: mediator, levels: ["0", "1", "2", "3"]}
               R: {role: reward}
             graph: |
               dag {
                 X2 -> X3
                 {X1 X2 X3} -> {A1 A2 A3}
                 {X1 X3} -> I4
                 {X1 A1 A2} -> I1
                 {X2 A1 I4} -> I2
                 {I1 A3} -> I3
                 {I1 I2 I3 A3} -> R
               }
             arms: [%4$s]
             reward: %5$s
             policy: %6$s
             fairness: {tau: 0.3}
             join: {reward-window: 30m, early-reward-timeout: 10m, dedup-window: 30m}
             metrics: {every: 20}
             """
          .formatted(
              segment(),
              version,
              String.join(", ", levels),
              String.join(", ", offered.stream().map(OfferSpec::arm).toList()),
              reward,
              policy);
    }

    /** One e-mail per product, so that allocation matching has few enough rows. */
    private static String arm(String product) {
      return "{A1: %s, A2: promotional, A3: morning}".formatted(product);
    }
  }
}
