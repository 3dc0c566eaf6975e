package io.equipoise.job.check;

import io.equipoise.causal.DistributionException;
import io.equipoise.cli.InputFile;
import io.equipoise.cli.JsonOutput;
import io.equipoise.job.check.CheckpointBudget.Load;
import io.equipoise.job.control.CatalogLimit;
import io.equipoise.job.options.Checkpointing;
import io.equipoise.job.options.JobOptions;
import io.equipoise.segment.state.CompiledSpec;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.SpecFault;
import io.equipoise.segmentspec.SpecFiles;
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
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The verb {@code check}. */
@Command(
    name = "check",
    mixinStandardHelpOptions = true,
    description = {
      "Checks spec files and prints what follows from them: cells, whether "
          + "each sensitive attribute's effect is identified, bounds on regret, the "
          + "size of a checkpoint.",
      "Exit code 1 if there is a fault in any file; all are listed."
    })
public final class CheckCommand implements Callable<Integer> {
  private static final double BYTES_A_MEGABYTE = 1e6;

  @Spec private CommandSpec command = CommandSpec.create();
  @Mixin private JsonOutput json = new JsonOutput();

  @Parameters(
      arity = "1..*",
      paramLabel = "SPEC",
      description = "Files of segment specs, or directories of them.")
  private List<Path> paths = new ArrayList<>();

  @Option(
      names = "--rate",
      defaultValue = "100",
      description = "Decisions a second in each segment. Default: ${DEFAULT-VALUE}.")
  private double rate;

  @Option(
      names = "--segments",
      defaultValue = "1",
      description = "Segments under each spec. Default: ${DEFAULT-VALUE}.")
  private int segments;

  @Option(
      names = "--rounds",
      defaultValue = "1000000",
      description = "Rounds that regret is bounded for. Default: ${DEFAULT-VALUE}.")
  private long rounds;

  @Option(
      names = "--write-rate",
      defaultValue = "100",
      description = "MB a second that checkpoints are written with. Default: ${DEFAULT-VALUE}.")
  private double writeRate;

  @Option(
      names = "--correlations",
      paramLabel = "CSV",
      converter = InputFile.class,
      description =
          "Rows of people under a header of variables. Also prints the "
              + "correlation of each context variable with the sensitive ones, and what "
              + "naive drops for it.")
  private @Nullable Path table;

  @Option(
      names = "--at",
      paramLabel = "R",
      defaultValue = "0.3",
      description =
          "The correlation beyond which linucb-unaware drops a variable. Default:"
              + " ${DEFAULT-VALUE}.")
  private double beyond;

  @Option(
      names = "--interval",
      paramLabel = "MILLIS",
      description = "The checkpoint interval planned. Default: that of the job.")
  private long intervalMillis = Checkpointing.INTERVAL.toMillis();

  @Option(
      names = "--max-record-bytes",
      paramLabel = "BYTES",
      description = "The job's option of this name; decisions must fit. Default: that of the job.")
  private int maxRecordBytes =
      Math.toIntExact(JobOptions.MAX_RECORD_BYTES.defaultValue().getBytes());

  private void refuseImpossible() {
    String fault =
        !(rate >= 0 && rate < Double.POSITIVE_INFINITY)
            ? "--rate is a number from 0"
            : !(writeRate > 0 && writeRate < Double.POSITIVE_INFINITY)
                ? "--write-rate is a number above 0"
                : segments < 0 || rounds < 0
                    ? "--segments and --rounds are not below 0"
                    : !(beyond >= 0 && beyond <= 1) ? "--at is from 0 to 1" : null;
    if (fault != null) {
      throw new ParameterException(command.commandLine(), fault);
    }
  }

  /** Returns the exit code. */
  @Override
  public Integer call() throws IOException {
    refuseImpossible();
    Load load = new Load(rate, segments, writeRate * BYTES_A_MEGABYTE);
    Duration interval = Duration.ofMillis(intervalMillis);
    CatalogLimit limit = new CatalogLimit(maxRecordBytes);
    List<String> faults = new ArrayList<>();
    List<CheckReport> reports = new ArrayList<>();
    SpecFiles.Found<CompiledSpec> found =
        SpecFiles.read(paths, spec -> limit.compiled(spec, CompiledSpec::of));
    found.faults().stream().map(SpecFault::toString).forEach(faults::add);
    for (CompiledSpec compiled : found.specs()) {
      SegmentSpec spec = compiled.spec();
      try {
        CheckReport report = new CheckReport(spec, compiled.bandit(), load, rounds, interval);
        reports.add(report);
        if (table != null) {
          report.correlations(Correlations.of(spec, table), beyond);
        }
      } catch (DistributionException e) {
        faults.add(spec.name() + ": " + e.getMessage());
      }
    }
    print(reports, faults);
    return faults.isEmpty() ? 0 : 1;
  }

  private void print(List<CheckReport> reports, List<String> faults) {
    PrintWriter out = command.commandLine().getOut();
    PrintWriter err = command.commandLine().getErr();
    PrintWriter text = json.takesStandardOutput() ? err : out;
    reports.forEach(report -> report.lines().forEach(text::println));
    text.flush();
    faults.forEach(fault -> err.println("FAULT " + fault));
    err.flush();
    Map<String, Object> result = new LinkedHashMap<>();
    result.put("specs", reports.stream().map(CheckReport::json).toList());
    result.put("faults", faults);
    json.write(result, out);
  }
}
