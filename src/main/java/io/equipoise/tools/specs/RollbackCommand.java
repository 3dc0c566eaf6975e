package io.equipoise.tools.specs;

import io.equipoise.job.control.CatalogLimit;
import io.equipoise.job.control.SpecHistory;
import io.equipoise.segment.state.CompiledSpec;
import io.equipoise.segmentspec.LevelEdit;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.SpecException;
import io.equipoise.segmentspec.SpecParser;
import io.equipoise.segmentspec.VersionEdit;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Publishes the text of an earlier version again: {@code specs rollback}. */
@Command(
    name = "rollback",
    description = {
      "Publishes the text of an earlier version again, under a new version. Levels that the version"
          + " in force has more stay, without arms, so that models keep what they learned.",
      "Before it is sent, the command reports what each model keeps. Exit codes as for publish."
    })
public final class RollbackCommand extends SpecsVerb {
  @Mixin private ChangeOptions.OfVersions change = new ChangeOptions.OfVersions();

  @Parameters(paramLabel = "NAME", description = "The spec's name.")
  private String name = "";

  @Option(
      names = "--to",
      paramLabel = "VERSION",
      description =
          "The version whose text is published. Default: the highest below that in force; after a"
              + " retirement, the highest.")
  private @Nullable Long version;

  @Option(
      names = "--as-written",
      description =
          "Publish the earlier text without levels that came later. Models that know such a level"
              + " reject it, or start empty.")
  private boolean isAsWritten;

  @Override
  int run(Session session) throws IOException, InterruptedException {
    SpecHistory.Version target = target(session);
    long next = session.history().nextVersion(name);
    CatalogLimit limit = CatalogLimit.of(session.config());
    SegmentSpec inForce = session.newest(name).spec();
    String text = isAsWritten ? target.spec().text() : kept(target.spec(), inForce);
    CompiledSpec spec = SpecParser.parse(VersionEdit.with(text, next), limit::compiled);
    session
        .steps()
        .done(
            "edit",
            "%s version %d has the text of version %d%s"
                .formatted(
                    name,
                    next,
                    target.spec().version(),
                    text.equals(target.spec().text()) ? "" : " and the levels of today"));
    return new Rollout(session, change).publish(List.of(spec));
  }

  /**
   * Returns an earlier text with the levels of the one in force.
   *
   * @throws IllegalArgumentException if levels cannot be added to the text
   */
  static String kept(SegmentSpec earlier, SegmentSpec inForce) {
    try {
      String text = LevelEdit.keeping(earlier, inForce);
      SpecParser.parse(text);
      return text;
    } catch (IllegalArgumentException | SpecException e) {
      throw new IllegalArgumentException(
          "version %d of %s does not take the levels that version %d has more: %s. Edit the text, or"
                  .formatted(earlier.version(), earlier.name(), inForce.version(), e.getMessage())
              + " pass --as-written to roll back without them",
          e);
    }
  }

  private SpecHistory.Version target(Session session) {
    if (version == null) {
      return session.previous(name);
    }
    SpecHistory.Version target = session.version(name, version);
    if (session.history().inForce().contains(target.spec())) {
      throw new IllegalArgumentException(
          "--to: %d given, which is in force; name another version".formatted(version));
    }
    return target;
  }
}
