package io.equipoise.tools.specs;

import io.equipoise.event.Counted;
import io.equipoise.job.check.CheckReport;
import io.equipoise.job.control.CatalogLimit;
import io.equipoise.segment.state.CompiledSpec;
import io.equipoise.segmentspec.SpecFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Publishes spec files and waits until segments have adopted them: {@code specs publish}. */
@Command(
    name = "publish",
    description = {
      "Checks spec files, compares them with the specs that run, publishes them and waits until"
          + " active segments with traffic have adopted them.",
      "Exit code 1 if a spec is invalid or its version is not the highest, or if the question is"
          + " not confirmed. Also if the job or a segment rejects a spec, or if no job reads it in"
          + " time. Pending segments, which adopt with their next input, are no error."
    })
public final class PublishCommand extends SpecsVerb {
  @Mixin private ChangeOptions.OfVersions change = new ChangeOptions.OfVersions();

  @Parameters(
      arity = "1..*",
      paramLabel = "SPEC",
      description = "Files or directories of segment specs.")
  private List<Path> paths = new ArrayList<>();

  @Override
  int run(Session session) throws IOException, InterruptedException {
    CatalogLimit limit = CatalogLimit.of(session.config());
    List<CompiledSpec> specs = SpecFiles.load(paths, limit::compiled);
    session.steps().done("check", Counted.of(specs.size(), "valid specs"));
    for (CompiledSpec spec : specs) {
      for (String warning : CheckReport.withDefaults(spec).warnings()) {
        session.steps().detail("WARNING " + spec.spec().name() + ": " + warning);
      }
    }
    return new Rollout(session, change).publish(specs);
  }
}
