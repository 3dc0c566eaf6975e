package io.equipoise.lab.campaign;

import io.equipoise.cli.JsonOutput;
import io.equipoise.cli.Progress;
import io.equipoise.cli.Version;
import io.equipoise.lab.report.NamedValues;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import me.tongfei.progressbar.ProgressBar;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Compares verdicts with true effects in random worlds: {@code campaign certificates}. */
@Command(
    name = "certificates",
    mixinStandardHelpOptions = true,
    description = {
      "Plays random structural causal models through the job's segment machine and compares every"
          + " verdict with the true effect, which is enumerated.",
      "Exit code 1 if, in a family with the guarantee ANYTIME, the rate of "
          + "runs with a false CERTIFIED_FAIR or UNFAIR has an exact 95 %% interval "
          + "above delta. Also 1 if this is so for 20 further streams of people in "
          + "one world with such a verdict. Else 0. Intervals that miss the truth, "
          + "and other guarantees, are only reported."
    })
final class CertificatesCommand implements Callable<Integer> {
  private static final int MAX_WORLDS = 1_000_000;
  private static final int MAX_ROUNDS = 10_000_000;
  private static final int MAX_THREADS = 256;

  @Spec private CommandSpec command = CommandSpec.create();
  @Mixin private JsonOutput json = new JsonOutput();

  @Option(
      names = "--worlds",
      paramLabel = "N",
      defaultValue = "100",
      description = "Worlds of each family, one run each. Default: ${DEFAULT-VALUE}.")
  private int worlds;

  @Option(
      names = "--seed",
      defaultValue = "1",
      description =
          "Fixes the first world and its people; each further world adds 1. Default:"
              + " ${DEFAULT-VALUE}.")
  private long seed;

  @Option(
      names = "--family",
      paramLabel = "FAMILY",
      split = ",",
      description = "Only these families: ${COMPLETION-CANDIDATES}.",
      converter = Name.class,
      completionCandidates = Name.class)
  private List<Family> families = new ArrayList<>();

  @Option(
      names = "--rounds",
      paramLabel = "N",
      description = "Decisions of a run. Default: what suits the family, 300 to 4,000.")
  private @Nullable Integer rounds;

  @Option(
      names = "--threads",
      paramLabel = "N",
      defaultValue = "2",
      description = "Threads; they change no result. Default: ${DEFAULT-VALUE}.")
  private int threads;

  private static final class Name extends NamedValues<Family> {
    Name() {
      super(Family.values(), Family::wire);
    }
  }

  /** Returns the exit code. */
  @Override
  public Integer call() throws IOException {
    check("--worlds", worlds, MAX_WORLDS);
    check("--rounds", rounds == null ? 1 : rounds, MAX_ROUNDS);
    check("--threads", threads, MAX_THREADS);
    String version = Version.current();
    List<Family> played = families.isEmpty() ? Arrays.asList(Family.values()) : families;
    Campaign campaign = new Campaign(worlds, seed, rounds, threads);
    List<FamilyResult> results = new ArrayList<>();
    try (ProgressBar bar = Progress.bar("certificates", (long) played.size() * worlds)) {
      for (Family family : played) {
        results.add(campaign.run(family, bar::step));
      }
    }
    CampaignReport report = new CampaignReport(repeat(), version, results);
    PrintWriter standard = command.commandLine().getOut();
    PrintWriter text = json.takesStandardOutput() ? command.commandLine().getErr() : standard;
    report.lines().forEach(text::println);
    text.flush();
    json.write(report.json(), standard);
    return report.isBroken() ? 1 : 0;
  }

  private void check(String option, int value, int most) {
    if (value < 1 || value > most) {
      throw new ParameterException(
          command.commandLine(), option + " must be from 1 to " + most + ", not " + value);
    }
  }

  /** Returns the command that writes the same page. */
  private String repeat() {
    StringBuilder text = new StringBuilder("equipoise campaign certificates");
    if (!families.isEmpty()) {
      text.append(" --family ")
          .append(String.join(",", families.stream().map(Family::wire).toList()));
    }
    text.append(" --seed ").append(seed).append(" --worlds ").append(worlds);
    return rounds == null ? text.toString() : text.append(" --rounds ").append(rounds).toString();
  }
}
