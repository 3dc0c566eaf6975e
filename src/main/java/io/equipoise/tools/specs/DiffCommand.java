package io.equipoise.tools.specs;

import io.equipoise.job.control.CatalogLimit;
import io.equipoise.segment.state.CompiledSpec;
import io.equipoise.segmentspec.ChangedKeys;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.SpecFiles;
import io.equipoise.tools.adoption.SpecChangePlan;
import io.equipoise.tools.adoption.SpecEffect;
import io.equipoise.tools.adoption.UpgradePreview;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Compares two texts of a spec and their effect on segments: {@code specs diff}. */
@Command(
    name = "diff",
    description = {
      "Shows which lines and keys differ between two texts of a spec on the specs topic of a"
          + " deployment, or the one in force and a file, and what the change does to a segment's"
          + " model and its pending decisions.",
      "Without FILE and --version it compares the version in force with the one before.",
      "Exit code 0 whether or not they differ; 1 if a text is missing or invalid."
    })
public final class DiffCommand extends SpecsVerb {

  @Parameters(index = "0", paramLabel = "NAME", description = "The spec's name.")
  private String name = "";

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "FILE",
      description = "A spec file, compared with the version in force.")
  private @Nullable Path file;

  @Option(
      names = "--version",
      arity = "2",
      paramLabel = "N",
      description = "Two versions to compare: from and to.")
  private List<Long> versions = new ArrayList<>();

  @Override
  protected void checkOptions() {
    if (name.matches(".*\\.ya?ml") && Files.isRegularFile(Path.of(name))) {
      throw refused(
          "NAME: '%s' given, which is a file; give the name of a spec on the specs topic of a deployment, then FILE"
              .formatted(name));
    }
    if (file != null && !versions.isEmpty()) {
      throw refused("give either FILE or --version");
    }
    if (versions.size() > 2) {
      throw refused("give --version once");
    }
  }

  @Override
  int run(Session session) {
    CompiledSpec before;
    CompiledSpec after;
    Path given = file;
    if (given != null) {
      before = session.newest(name).compiled();
      after = read(session, given);
    } else if (versions.isEmpty()) {
      before = session.previous(name).compiled();
      after = session.newest(name).compiled();
    } else {
      before = session.version(name, versions.get(0)).compiled();
      after = session.version(name, versions.get(1)).compiled();
    }
    SegmentSpec from = before.spec();
    SegmentSpec to = after.spec();
    List<String> lines = LineDiff.of(from.text(), to.text());
    List<String> keys = ChangedKeys.of(from.text(), to.text());
    SpecEffect effect = UpgradePreview.of(before, after);
    lines.forEach(session.text()::println);
    session.steps().done("compare", SpecChangePlan.named(from) + " -> " + to.version());
    keys.forEach(key -> session.steps().detail("changed " + key));
    effect.details().forEach(session.steps()::detail);
    session.result().put("from", from.key());
    session.result().put("to", to.key());
    session.result().put("changedKeys", keys);
    session.result().putAll(effect.json());
    session.result().put("lines", lines);
    return 0;
  }

  private CompiledSpec read(Session session, Path given) {
    CatalogLimit limit = CatalogLimit.of(session.config());
    List<CompiledSpec> found = SpecFiles.load(List.of(given), limit::compiled);
    return found.stream()
        .filter(it -> it.spec().name().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "FILE: %s has no spec of the name %s".formatted(given, name)));
  }
}
