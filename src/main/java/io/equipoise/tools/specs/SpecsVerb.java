package io.equipoise.tools.specs;

import io.equipoise.cli.Steps;
import io.equipoise.event.Counted;
import io.equipoise.job.control.SpecHistory;
import io.equipoise.job.options.JobConfig;
import io.equipoise.job.options.Topics;
import io.equipoise.job.start.DeploymentVerb;
import io.equipoise.segment.state.CompiledSpec;
import io.equipoise.segmentspec.SegmentSpec;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.jspecify.annotations.Nullable;

/** Reads the specs topic of a deployment, and runs a verb {@code specs}. */
abstract class SpecsVerb extends DeploymentVerb {
  SpecsVerb() {
    super(1);
  }

  /**
   * The deployment and the output of a verb.
   *
   * @param text for people: standard output unless JSON takes it
   * @param steps printed to {@code text}
   * @param result the JSON object to fill
   */
  record Session(
      JobConfig config,
      Admin admin,
      SpecHistory history,
      PrintWriter text,
      Steps steps,
      Map<String, @Nullable Object> result) {

    /** Returns the texts of a name, at least one. */
    List<SpecHistory.Version> versions(String name) {
      List<SpecHistory.Version> versions = history.named(name);
      if (versions.isEmpty()) {
        throw new IllegalArgumentException(
            "NAME: '%s' given; topic %s has %s"
                .formatted(
                    name,
                    config.topics().specs(),
                    history.all().isEmpty()
                        ? "no spec; publish one"
                        : String.join(
                            ", ",
                            history.all().stream()
                                .map(it -> it.spec().name())
                                .distinct()
                                .toList())));
      }
      return versions;
    }

    /** Returns the text in force; after a retirement, the newest one. */
    SpecHistory.Version newest(String name) {
      List<SpecHistory.Version> versions = versions(name);
      SegmentSpec inForce = history.inForce(name).map(CompiledSpec::spec).orElse(null);
      return versions.stream()
          .filter(it -> it.spec().equals(inForce))
          .findFirst()
          .orElse(versions.get(versions.size() - 1));
    }

    /** Returns the newest text below the version in force; after a retirement, the newest one. */
    SpecHistory.Version previous(String name) {
      SpecHistory.Version newest = newest(name);
      if (newest.isRetired()) {
        return newest;
      }
      return versions(name).stream()
          .filter(it -> it.spec().version() < newest.spec().version())
          .reduce((older, newer) -> newer)
          .orElseThrow(
              () ->
                  new IllegalArgumentException(
                      "NAME: %s given, which has only version %d on the topic"
                          .formatted(name, newest.spec().version())));
    }

    /** Returns a version of a name; of several texts with one version, the one that is adopted. */
    SpecHistory.Version version(String name, long version) {
      return versions(name).stream()
          .filter(it -> it.spec().version() == version)
          .findFirst()
          .orElseThrow(
              () ->
                  new IllegalArgumentException(
                      "version of %s: %d given; the topic has %s"
                          .formatted(name, version, numbers(versions(name)))));
    }

    private static List<Long> numbers(List<SpecHistory.Version> versions) {
      return versions.stream().map(SpecHistory.Version::spec).map(SegmentSpec::version).toList();
    }
  }

  @Override
  protected final List<String> topics(Topics topics) {
    return List.of(topics.specs());
  }

  /** Does the verb's work; returns the exit code. */
  abstract int run(Session session) throws IOException, InterruptedException;

  @Override
  protected final int runOn(Deployment deployment) throws IOException, InterruptedException {
    JobConfig config = deployment.config();
    SpecHistory history = SpecHistory.read(config);
    new Steps(err())
        .done(
            "read",
            Counted.of(history.all().size(), "texts of specs on topic " + config.topics().specs()));
    PrintWriter text = deployment.text();
    return run(
        new Session(
            config, deployment.admin(), history, text, new Steps(text), deployment.result()));
  }
}
