package io.equipoise.tools.specs;

import io.equipoise.job.control.CatalogLimit;
import io.equipoise.job.control.SpecHistory;
import io.equipoise.segment.state.CompiledSpec;
import io.equipoise.segmentspec.SpecParser;
import io.equipoise.segmentspec.VersionEdit;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The verb {@code specs rollback}. */
@Command(
    name = "rollback",
    description = {
      "Publishes the text of an earlier version again, under a new version. Only the number of the"
          + " version changes in the text.",
      "Before it is sent, the command reports what each model keeps: one that has levels or arms"
          + " which the earlier text lacks may start empty. Exit codes as for publish."
    })
public final class RollbackCommand implements Callable<Integer> {
  @Spec private CommandSpec command = CommandSpec.create();
  @Mixin private SpecsOptions options = new SpecsOptions();
  @Mixin private ChangeOptions change = new ChangeOptions();

  @Parameters(paramLabel = "NAME", description = "The spec's name.")
  private String name = "";

  @Option(
      names = "--to",
      paramLabel = "VERSION",
      description =
          "The version whose text is published. Default: the highest below that in force; after a"
              + " retirement, the highest.")
  private @Nullable Long version;

  /** Returns the exit code. */
  @Override
  public Integer call() throws IOException, InterruptedException {
    return options.run(
        command,
        session -> {
          SpecHistory.Version target = target(session);
          long next = session.history().nextVersion(name);
          CatalogLimit limit = CatalogLimit.of(session.config());
          CompiledSpec spec =
              SpecParser.parse(VersionEdit.with(target.spec().text(), next), limit::compiled);
          session
              .steps()
              .done(
                  "edit",
                  "%s version %d has the text of version %d"
                      .formatted(name, next, target.spec().version()));
          return new Rollout(session, change).publish(List.of(spec));
        });
  }

  private SpecHistory.Version target(SpecsOptions.Session session) {
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
