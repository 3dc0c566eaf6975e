package io.equipoise.tools.specs;

import io.equipoise.cli.VerbGroup;
import io.equipoise.job.control.CatalogLimit;
import io.equipoise.segment.state.CompiledSpec;
import io.equipoise.segmentspec.ArmEdit;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.SpecParser;
import io.equipoise.segmentspec.VersionEdit;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Adds and retires arms without a hand-written text: {@code specs arms}. */
@Command(
    name = "arms",
    mixinStandardHelpOptions = true,
    description = "Adds arms to the spec in force, or retires them, and publishes it.",
    subcommands = {ArmsCommand.Add.class, ArmsCommand.Retire.class})
public final class ArmsCommand extends VerbGroup {
  public ArmsCommand() {
    super("name a subcommand: add or retire");
  }

  /** Edits the spec in force and publishes it under the next version. */
  private abstract static class Edit extends SpecsVerb {
    @Mixin private ChangeOptions.OfVersions change = new ChangeOptions.OfVersions();

    @Parameters(index = "0", paramLabel = "NAME", description = "The spec's name.")
    private String name = "";

    @Option(
        names = "--action",
        paramLabel = "ACTION",
        description = "The action that has the levels. Needed where the spec has several.")
    private @Nullable String action;

    int publish(Session session, List<String> added, List<String> retired)
        throws IOException, InterruptedException {
      CatalogLimit limit = CatalogLimit.of(session.config());
      SegmentSpec spec = session.newest(name).spec();
      // First what comes, so that one arm may take the place of the only one.
      for (String arm : added) {
        spec = SpecParser.parse(ArmEdit.add(spec, action, arm));
      }
      for (String arm : retired) {
        spec = SpecParser.parse(ArmEdit.retire(spec, action, arm));
      }
      long next = session.history().nextVersion(name);
      CompiledSpec edited = SpecParser.parse(VersionEdit.with(spec.text(), next), limit::compiled);
      List<String> done = new ArrayList<>();
      added.forEach(it -> done.add("adds " + it));
      retired.forEach(it -> done.add("retires " + it));
      session
          .steps()
          .done("edit", "%s version %d %s".formatted(name, next, String.join(", ", done)));
      return new Rollout(session, change).publish(List.of(edited));
    }
  }

  @Command(
      name = "add",
      description = {
        "Publishes the spec in force with more arms under the next version. Each is a level of an"
            + " action; new levels are added. With several actions, the level has an arm for each"
            + " combination of other levels that the spec's arms have. Comments in the text stay.",
        "Exit codes as for publish."
      })
  static final class Add extends Edit {
    @Parameters(
        index = "1..*",
        arity = "1..*",
        paramLabel = "ARM",
        description = "Levels of the action.")
    private List<String> arms = new ArrayList<>();

    @Option(
        names = "--retire",
        paramLabel = "ARM",
        description = "An arm that is retired in the same version.")
    private List<String> retired = new ArrayList<>();

    @Override
    int run(Session session) throws IOException, InterruptedException {
      return publish(session, arms, retired);
    }
  }

  @Command(
      name = "retire",
      description = {
        "Publishes the spec in force without some arms under the next version. They are not played"
            + " any more, pending decisions are learned, and their levels stay.",
        "Exit codes as for publish."
      })
  static final class Retire extends Edit {
    @Parameters(
        index = "1..*",
        arity = "1..*",
        paramLabel = "ARM",
        description = "Ids of arms, or levels of the action.")
    private List<String> arms = new ArrayList<>();

    @Override
    int run(Session session) throws IOException, InterruptedException {
      return publish(session, List.of(), arms);
    }
  }
}
