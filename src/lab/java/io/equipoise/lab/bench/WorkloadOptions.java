package io.equipoise.lab.bench;

import io.equipoise.cli.InputFile;
import io.equipoise.segmentspec.SpecException;
import io.equipoise.segmentspec.SpecFiles;
import io.equipoise.tools.Directories;
import io.equipoise.tools.demo.ShippedSpecs;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** Parses the options that choose the spec of a measured job. */
final class WorkloadOptions {
  /** The policy of older distributions, which have no option for it. */
  private static final String DEFAULT_POLICY = "f-ucb";

  private static final String LINUCB = "linucb";
  private static final String LINUCB_SPEC = "/bench/email-linucb.yaml";
  private static final List<String> POLICIES = List.of(DEFAULT_POLICY, "screen", LINUCB);

  @Spec(Target.MIXEE)
  private CommandSpec command = CommandSpec.create();

  @Option(
      names = "--policy",
      paramLabel = "NAME",
      defaultValue = DEFAULT_POLICY,
      description =
          "f-ucb or screen with the shipped spec, or linucb: one model for 10 arms, 20 features"
              + " (default: ${DEFAULT-VALUE}).")
  private String policy = DEFAULT_POLICY;

  @Option(
      names = "--spec",
      paramLabel = "FILE",
      converter = InputFile.class,
      description = "Another Email Campaign spec, in place of --policy.")
  private @Nullable Path spec;

  /** Returns the options that choose the same spec in another process; none for the defaults. */
  List<String> arguments() {
    if (spec != null) {
      return List.of("--spec", spec.toString());
    }
    return policy.equals(DEFAULT_POLICY) ? List.of() : List.of("--policy", policy);
  }

  /** Returns the spec's file, or the policy. */
  String name() {
    return spec == null ? policy : spec.toString();
  }

  boolean hasSpec() {
    return spec != null;
  }

  /**
   * Creates the workload under the spec.
   *
   * @param kind one of {@link Workload}'s factories, from the self-contained text of the spec
   */
  Workload workload(Function<String, Workload> kind) {
    if (spec != null) {
      return workload("--spec", spec, kind);
    }
    if (!POLICIES.contains(policy)) {
      throw new ParameterException(
          command.commandLine(), "--policy " + policy + " must be one of " + POLICIES);
    }
    try {
      return kind.apply(shipped());
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read the spec of " + policy, e);
    }
  }

  /**
   * Creates a workload under the spec that another option names.
   *
   * @param kind as above
   */
  Workload workload(String option, Path file, Function<String, Workload> kind) {
    try {
      return kind.apply(SpecFiles.selfContained(file));
    } catch (SpecException e) {
      throw new ParameterException(
          command.commandLine(), option + " " + file + ": " + e.getMessage(), e);
    }
  }

  private String shipped() throws IOException {
    if (policy.equals(LINUCB)) {
      try (InputStream in = WorkloadOptions.class.getResourceAsStream(LINUCB_SPEC)) {
        return new String(in.readAllBytes(), StandardCharsets.UTF_8);
      }
    }
    Path directory = Files.createTempDirectory("equipoise-bench-");
    try {
      return SpecFiles.selfContained(ShippedSpecs.write(directory, policy));
    } finally {
      Directories.delete(directory);
    }
  }
}
