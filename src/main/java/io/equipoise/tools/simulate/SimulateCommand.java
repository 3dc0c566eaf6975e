package io.equipoise.tools.simulate;

import io.equipoise.causal.DistributionException;
import io.equipoise.cli.InputFile;
import io.equipoise.cli.JsonOutput;
import io.equipoise.cli.NumberLimit;
import io.equipoise.cli.OutputFile;
import io.equipoise.cli.Progress;
import io.equipoise.cli.Verb;
import io.equipoise.event.CausalBoundSet;
import io.equipoise.job.check.CertificatePlan.People;
import io.equipoise.job.check.CheckReport;
import io.equipoise.job.check.SpecPaths;
import io.equipoise.offline.bounds.BoundsFile;
import io.equipoise.segment.SpecTrial;
import io.equipoise.segment.state.BoundsRegistry;
import io.equipoise.segment.state.BoundsValidator;
import io.equipoise.segment.state.CompiledSpec;
import io.equipoise.segment.state.ValidatedBounds;
import io.equipoise.segmentspec.CausalBoundsSpec;
import io.equipoise.segmentspec.SpecFiles;
import io.equipoise.simulation.Parallel;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntConsumer;
import me.tongfei.progressbar.ProgressBar;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Plays specs in a world with known effects: the verb {@code simulate}. */
@Command(
    name = "simulate",
    mixinStandardHelpOptions = true,
    description = {
      "Plays specs without Kafka against people whose means and effects are known, and reports"
          + " regret, unfair decisions, certificates, fallback decisions and group rewards over"
          + " time.",
      "Every spec meets the same people. Equal seeds give equal results.",
      "Exit code 0 if all runs ended, 1 if a spec is rejected, 2 if an option or a file is invalid."
    })
public final class SimulateCommand extends Verb {
  private static final int MOST_THREADS = 64;
  private static final int MOST_SEEDS = 10_000;
  private static final int MOST_DECISIONS = 10_000_000;

  @Mixin private SpecPaths paths = new SpecPaths();
  @Mixin private JsonOutput json = new JsonOutput();

  @Option(
      names = "--world",
      paramLabel = "FILE",
      converter = InputFile.class,
      description =
          "YAML file with base-rate, levels and effects. Default: every arm has the middle of"
              + " reward.range as its mean, and no attribute has an effect.")
  private @Nullable Path worldFile;

  @Option(
      names = "--people",
      paramLabel = "CSV",
      converter = InputFile.class,
      description =
          "Table of people with a header of variables; rows are drawn with replacement. Default:"
              + " the distributions of the spec, uniform where it has none.")
  private @Nullable Path peopleFile;

  @Option(
      names = "--bounds",
      paramLabel = "FILE",
      converter = InputFile.class,
      description =
          "Causal bounds for the specs that use a set of their name, as the verb bounds writes"
              + " them with --out. Default: none; specs play without bounds.")
  private @Nullable Path boundsFile;

  @Option(
      names = "--decisions",
      paramLabel = "N",
      defaultValue = "20000",
      description = "Decisions in each run. Default: ${DEFAULT-VALUE}.")
  private int decisions;

  @Option(
      names = "--seeds",
      paramLabel = "K",
      defaultValue = "10",
      description = "Runs of each spec. Default: ${DEFAULT-VALUE}.")
  private int seeds;

  @Option(
      names = "--first-seed",
      paramLabel = "SEED",
      defaultValue = "1",
      description = "Seed of the first run; each further one adds 1. Default: ${DEFAULT-VALUE}.")
  private long firstSeed;

  @Option(
      names = "--threads",
      paramLabel = "T",
      description = "Runs at the same time. Default: the number of processors.")
  private int threads = Math.min(MOST_THREADS, Runtime.getRuntime().availableProcessors());

  @Option(
      names = "--rate",
      paramLabel = "R",
      defaultValue = "1",
      description = "Decisions per second of event time. Default: ${DEFAULT-VALUE}.")
  private double rate;

  @Option(
      names = "--delay",
      paramLabel = "SECONDS",
      defaultValue = "0",
      description = "Mean delay of a reward, exponential. Default: ${DEFAULT-VALUE}.")
  private double delay;

  @Option(
      names = "--answered",
      paramLabel = "SHARE",
      defaultValue = "1",
      description = "Share of decisions whose reward arrives. Default: ${DEFAULT-VALUE}.")
  private double answered;

  @Option(
      names = "--points",
      paramLabel = "N",
      defaultValue = "50",
      description = "Points of each curve. Default: ${DEFAULT-VALUE}.")
  private int points;

  @Option(
      names = "--html",
      paramLabel = "FILE",
      converter = OutputFile.class,
      description = "Writes a page with tables and curves.")
  private @Nullable Path html;

  @Override
  public Integer call() throws IOException {
    SimulationSettings settings = settings();
    SpecFiles.LoadedSpecs<Named> found =
        SpecFiles.readEach(paths.list(), (path, spec) -> new Named(SpecTrial.passed(spec), path));
    if (!found.faults().isEmpty()) {
      SpecPaths.print(found.faults(), err());
      return 1;
    }
    try {
      report(settings, found.specs(), simulations(found.specs(), settings));
    } catch (WorldException | DistributionException e) {
      throw refused(e.getMessage());
    }
    return 0;
  }

  private record Named(CompiledSpec spec, Path path) {
    String name() {
      return spec.spec().name();
    }

    /** Returns the spec's name, with its path if another spec has this name too. */
    String label(List<Named> all) {
      boolean isAlone = all.stream().filter(it -> it.name().equals(name())).count() == 1;
      return isAlone ? name() : name() + " (" + path.getFileName() + ")";
    }
  }

  private SimulationSettings settings() {
    String fault =
        decisions < 1 || decisions > MOST_DECISIONS
            ? "--decisions must be from 1 to " + MOST_DECISIONS
            : seeds < 1 || seeds > MOST_SEEDS
                ? "--seeds must be from 1 to " + MOST_SEEDS
                : threads < 1 || threads > MOST_THREADS
                    ? "--threads must be from 1 to " + MOST_THREADS
                    : points < 1
                        ? "--points must be at least 1"
                        : !NumberLimit.RATE.admits(rate)
                            ? NumberLimit.RATE.fault("--rate", rate)
                            : !NumberLimit.DELAY.admits(delay)
                                ? NumberLimit.DELAY.fault("--delay", delay)
                                : !(answered >= 0 && answered <= 1)
                                    ? "--answered must be from 0 to 1"
                                    : null;
    refuse(fault);
    return new SimulationSettings(decisions, points, rate, delay, answered);
  }

  private List<Simulation> simulations(List<Named> specs, SimulationSettings settings)
      throws IOException {
    WorldFile stated = worldFile == null ? WorldFile.NONE : WorldFile.read(worldFile);
    CausalBoundSet bounds = boundsFile == null ? null : BoundsFile.read(boundsFile);
    List<Simulation> simulations = new ArrayList<>();
    for (Named named : specs) {
      CompiledSpec compiled = named.spec();
      PeopleFile people = peopleFile == null ? null : PeopleFile.read(peopleFile, compiled.spec());
      World world = World.of(compiled.spec(), stated, people);
      CausalBoundSet own = wants(compiled, bounds) ? bounds : null;
      simulations.add(new Simulation(compiled, world, settings, own));
    }
    if (bounds != null && specs.stream().noneMatch(it -> wants(it.spec(), bounds))) {
      throw new WorldException(
          "--bounds "
              + boundsFile
              + " has the set "
              + bounds.name()
              + ", which no spec names in policy.causal-bounds");
    }
    return simulations;
  }

  /** Returns whether a spec uses a set of this name; a set that it then cannot use is an error. */
  private boolean wants(CompiledSpec compiled, @Nullable CausalBoundSet bounds) {
    CausalBoundsSpec wanted = compiled.spec().policy().causalBounds();
    if (bounds == null || wanted == null || !wanted.name().equals(bounds.name())) {
      return false;
    }
    BoundsValidator validator = new BoundsValidator(BoundsRegistry.of(bounds));
    if (validator.check(bounds, compiled) instanceof ValidatedBounds.Refused refused) {
      throw new WorldException(
          "spec "
              + compiled.spec().name()
              + " cannot use --bounds "
              + boundsFile
              + ": "
              + refused.why()
              + "; compute it with the verb bounds and this spec");
    }
    return true;
  }

  private void report(SimulationSettings settings, List<Named> specs, List<Simulation> simulations)
      throws IOException {
    List<SimulationRun> runs = runs(settings, simulations);
    List<SimulationResult> results = new ArrayList<>();
    for (int place = 0; place < simulations.size(); place++) {
      Simulation simulation = simulations.get(place);
      results.add(
          new SimulationResult(
              specs.get(place).label(specs),
              simulation.spec(),
              CheckReport.warnings(
                  specs.get(place).spec(), People.of(specs.get(place).spec().spec())),
              simulation.bounds(),
              simulation.groups(),
              runs.subList(place * seeds, (place + 1) * seeds)));
    }
    SimulationReport report = new SimulationReport(settings, world(), results);
    print(report.lines(), report.json(), json);
    if (html != null) {
      report.write(html);
    }
  }

  private String world() {
    return (worldFile == null ? "no effect of any arm or attribute" : "effects of " + worldFile)
        + (peopleFile == null ? ", generated people" : ", people of " + peopleFile);
  }

  /** Returns the runs of the first spec, then those of the next. */
  private List<SimulationRun> runs(SimulationSettings settings, List<Simulation> simulations) {
    int thousands =
        Math.toIntExact((long) simulations.size() * seeds * settings.decisions() / 1000);
    try (ProgressBar bar = Progress.bar("simulate (1,000 decisions)", thousands)) {
      return runs(simulations, done -> bar.stepBy(done / 1000));
    }
  }

  private List<SimulationRun> runs(List<Simulation> simulations, IntConsumer progress) {
    try {
      return Parallel.trials(
          simulations.size() * seeds,
          threads,
          trial -> simulations.get(trial / seeds).run(firstSeed + trial % seeds, progress),
          () -> {});
    } catch (IllegalStateException e) {
      if (e.getCause() instanceof WorldException fault) {
        throw fault;
      }
      throw e;
    }
  }
}
