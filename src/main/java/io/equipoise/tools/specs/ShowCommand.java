package io.equipoise.tools.specs;

import io.equipoise.job.control.SpecHistory;
import io.equipoise.segmentspec.SegmentSpec;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Prints the published text of a spec: {@code specs show}. */
@Command(
    name = "show",
    description = {
      "Prints the published text of a spec, to read or to redirect into a file.",
      "Exit code 1 if the topic has no such text."
    })
public final class ShowCommand extends SpecsVerb {

  @Parameters(paramLabel = "NAME", description = "The spec's name.")
  private String name = "";

  @Option(
      names = "--version",
      paramLabel = "N",
      description =
          "The version to print. Default: that in force; after a retirement, the highest.")
  private @Nullable Long version;

  @Override
  int run(Session session) throws IOException, InterruptedException {
    SpecHistory.Version shown =
        version == null ? session.newest(name) : session.version(name, version);
    SegmentSpec spec = shown.spec();
    session.text().print(spec.text());
    session.result().put("name", spec.name());
    session.result().put("version", spec.version());
    session.result().put("hash", spec.hash());
    session.result().put("key", spec.key());
    session.result().put("retired", shown.isRetired());
    session.result().put("text", spec.text());
    return 0;
  }
}
