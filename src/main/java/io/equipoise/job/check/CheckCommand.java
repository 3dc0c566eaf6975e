package io.equipoise.job.check;

import io.equipoise.causal.DistributionException;
import io.equipoise.cli.InputFile;
import io.equipoise.cli.JsonOutput;
import io.equipoise.cli.NumberLimit;
import io.equipoise.cli.Printable;
import io.equipoise.client.PersonalizerRank;
import io.equipoise.job.check.CertificatePlan.People;
import io.equipoise.job.check.CheckpointBudget.Load;
import io.equipoise.job.control.CatalogLimit;
import io.equipoise.job.options.Checkpointing;
import io.equipoise.job.options.JobOptions;
import io.equipoise.segment.state.CompiledSpec;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.SpecFault;
import io.equipoise.segmentspec.SpecFiles;
import io.equipoise.segmentspec.SpecSchema;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Runs the verb {@code check}. */
@Command(
    name = "check",
    mixinStandardHelpOptions = true,
    description = {
      "Checks spec files and reports cells, whether each sensitive attribute's effect is "
          + "identified, bounds on regret, and the size of a checkpoint.",
      "Lists the errors of all specs. Exit code 0, 1 if a spec is rejected, 2 if an option or a file"
          + " is invalid."
    })
public final class CheckCommand implements Callable<Integer> {
  private static final double BYTES_A_MEGABYTE = 1e6;

  @Spec private CommandSpec command = CommandSpec.create();
  @Mixin private SpecPaths paths = new SpecPaths();
  @Mixin private JsonOutput json = new JsonOutput();

  @Option(
      names = "--schema",
      help = true,
      description =
          "Prints the JSON Schema of specs for editors, with the policies in policies/, and"
              + " checks nothing.")
  private boolean isSchemaWanted;

  @Option(
      names = "--rate",
      defaultValue = Load.RATE,
      description = "Decisions per second in each segment. Default: ${DEFAULT-VALUE}.")
  private double rate;

  @Option(
      names = "--segments",
      defaultValue = "1",
      description = "Segments under each spec. Default: ${DEFAULT-VALUE}.")
  private int segments;

  @Option(
      names = "--base-rate",
      paramLabel = "REWARD",
      description =
          "Mean reward that the forecast of certificates assumes. Default: the middle of"
              + " reward.range.")
  private @Nullable Double baseRate;

  @Option(
      names = "--rounds",
      defaultValue = "1000000",
      description = "Number of rounds for the regret bounds. Default: ${DEFAULT-VALUE}.")
  private long rounds;

  @Option(
      names = "--write-rate",
      defaultValue = "100",
      description = "Write rate of checkpoints in MB/s. Default: ${DEFAULT-VALUE}.")
  private double writeRate;

  @Option(
      names = "--correlations",
      paramLabel = "CSV",
      converter = InputFile.class,
      description =
          "Table of people with a header of variables. Reports the correlation of each "
              + "context variable with the sensitive ones, and which variables "
              + "linucb-unaware drops.")
  private @Nullable Path table;

  @Option(
      names = "--at",
      paramLabel = "R",
      defaultValue = "0.3",
      description =
          "Correlation above which linucb-unaware drops a variable. Default:"
              + " ${DEFAULT-VALUE}.")
  private double beyond;

  @Option(
      names = "--personalizer",
      paramLabel = "JSON",
      converter = InputFile.class,
      description =
          "Rank request of Azure Personalizer. Prints the attributes and candidates that a"
              + " gateway sends for it under each spec.")
  private @Nullable Path rankRequest;

  @Option(
      names = "--interval",
      paramLabel = "MILLIS",
      description = "Planned checkpoint interval. Default: that of the job.")
  private long intervalMillis = Checkpointing.INTERVAL.toMillis();

  @Option(
      names = "--max-record-bytes",
      paramLabel = "BYTES",
      description =
          "Limit for decisions, as the job's option of this name. Default: that of the job.")
  private int maxRecordBytes =
      Math.toIntExact(JobOptions.MAX_RECORD_BYTES.defaultValue().getBytes());

  /** Bytes a second. */
  private static final NumberLimit WRITE_RATE = new NumberLimit(1, 1e15);

  private void refuseImpossible() {
    String fault =
        !NumberLimit.RATE.admits(rate)
            ? NumberLimit.RATE.fault("--rate", rate)
            : !WRITE_RATE.admits(writeRate)
                ? WRITE_RATE.fault("--write-rate", writeRate)
                : segments < 1 || rounds < 1 || intervalMillis < 1 || maxRecordBytes < 1
                    ? "--segments, --rounds, --interval and --max-record-bytes must be at least 1"
                    : !(beyond >= 0 && beyond <= 1) ? "--at must be from 0 to 1" : null;
    if (fault != null) {
      throw new ParameterException(command.commandLine(), fault);
    }
  }

  /** Returns the exit code. */
  @Override
  public Integer call() throws IOException {
    if (isSchemaWanted) {
      JsonOutput.print(SpecSchema.installed(), command.commandLine().getOut());
      return 0;
    }
    refuseImpossible();
    Load load = new Load(rate, segments, writeRate * BYTES_A_MEGABYTE);
    Duration interval = Duration.ofMillis(intervalMillis);
    CatalogLimit limit = new CatalogLimit(maxRecordBytes);
    PersonalizerRank rank = rankRequest == null ? null : rank(rankRequest);
    List<String> faults = new ArrayList<>();
    List<CheckReport> reports = new ArrayList<>();
    SpecFiles.LoadedSpecs<CompiledSpec> found = SpecFiles.read(paths.list(), limit::compiled);
    found.faults().stream().map(SpecFault::toString).forEach(faults::add);
    for (CompiledSpec compiled : found.specs()) {
      SegmentSpec spec = compiled.spec();
      try {
        CheckReport report =
            new CheckReport(spec, compiled.policy(), people(spec), load, rounds, interval);
        reports.add(report);
        if (table != null) {
          report.correlations(correlations(spec, table), beyond);
        }
        if (rank != null) {
          report.personalizer(PersonalizerPreview.of(rank, compiled));
        }
      } catch (DistributionException e) {
        faults.add(spec.name() + ": " + e.getMessage());
      }
    }
    print(reports, faults);
    return faults.isEmpty() ? 0 : 1;
  }

  private People people(SegmentSpec spec) {
    try {
      return People.of(spec).withBaseRate(spec, baseRate);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(command.commandLine(), String.valueOf(e.getMessage()), e);
    }
  }

  private Correlations correlations(SegmentSpec spec, Path file) throws IOException {
    try {
      return Correlations.of(spec, file);
    } catch (DistributionException e) {
      throw new ParameterException(command.commandLine(), spec.name() + ": " + e.getMessage(), e);
    }
  }

  private PersonalizerRank rank(Path file) throws IOException {
    try {
      return PersonalizerPreview.read(file);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(command.commandLine(), String.valueOf(e.getMessage()), e);
    }
  }

  private void print(List<CheckReport> reports, List<String> faults) {
    PrintWriter out = command.commandLine().getOut();
    PrintWriter err = command.commandLine().getErr();
    PrintWriter text = json.takesStandardOutput() ? err : out;
    faults.forEach(fault -> err.println("FAULT " + fault));
    err.flush();
    reports.forEach(report -> Printable.lines(report.lines(), text));
    text.flush();
    Map<String, Object> result = new LinkedHashMap<>();
    result.put("specs", reports.stream().map(CheckReport::json).toList());
    result.put("faults", faults);
    json.write(result, out);
  }
}
