package io.equipoise.tools.specs;

import io.equipoise.job.control.SpecHistory;
import io.equipoise.segmentspec.SegmentSpec;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Retires all versions of a spec: {@code specs retire}. */
@Command(
    name = "retire",
    description = {
      "Retires all versions of a spec. No segment adopts it from then on: new segments that no"
          + " other spec covers are rejected with UNKNOWN_SEGMENT.",
      "Segments that run it continue until another spec covers them, and pending decisions are"
          + " still learned. Exit codes as for publish."
    })
public final class RetireCommand extends SpecsVerb {
  @Mixin private ChangeOptions change = new ChangeOptions();

  @Parameters(paramLabel = "NAME", description = "The spec's name.")
  private String name = "";

  @Override
  int run(Session session) throws IOException, InterruptedException {
    // the oldest first, so that none of them becomes the newest that is left
    List<SegmentSpec> active =
        session.versions(name).stream()
            .filter(it -> !it.isRetired())
            .map(SpecHistory.Version::spec)
            .toList();
    return new Rollout(session, change).retire(active);
  }
}
