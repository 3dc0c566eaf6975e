package io.equipoise.console.report;

import io.equipoise.audit.log.InconclusiveException;
import io.equipoise.cli.OptionValues.AtLeastOne;
import io.equipoise.cli.OutputFile;
import io.equipoise.cli.Verb;
import io.equipoise.job.options.JobConfig;
import io.equipoise.job.options.StartRefusedException;
import io.equipoise.job.start.Launch;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Writes the fairness report of a segment: the verb {@code report}. */
@Command(
    name = "report",
    mixinStandardHelpOptions = true,
    description = {
      "Writes the fairness report of a segment for a period as one HTML page to read and print: what"
          + " was decided, effects and verdicts, outcomes by group, violations, overrides and data"
          + " quality.",
      "Reads the committed topics only. Exit code 1 if they cannot be read or the period has no"
          + " record of the segment, 2 if an option is invalid."
    })
public final class FairnessReportCommand extends Verb {
  private static final long MEGABYTE = 1 << 20;
  private static final int NOT_READ = 1;

  @Mixin private Launch launch = new Launch();

  @Option(
      names = "--segment",
      paramLabel = "NAME",
      required = true,
      description = "The segment to report.")
  private String segment = "";

  @Option(
      names = "--from",
      paramLabel = "TIME",
      required = true,
      description = "Beginning of the period, like 2026-11-01T00:00:00Z.")
  private Instant from = Instant.EPOCH;

  @Option(
      names = "--to",
      paramLabel = "TIME",
      description = "End of the period, which does not belong to it. Default: now.")
  private @Nullable Instant to;

  @Option(
      names = "--out",
      paramLabel = "FILE",
      required = true,
      converter = OutputFile.OrStandardOutput.class,
      description = "The file to write; - for standard output.")
  private Path file = Path.of("report.html");

  @Option(
      names = "--memory",
      paramLabel = "MB",
      converter = AtLeastOne.class,
      defaultValue = "256",
      description =
          "Memory for the audited decisions of the period, some 120 bytes each. Default:"
              + " ${DEFAULT-VALUE}.")
  private long megabytes;

  private Period period(long now) {
    try {
      return new Period(from.toEpochMilli(), to == null ? now : to.toEpochMilli());
    } catch (IllegalArgumentException e) {
      throw refused(e.getMessage());
    }
  }

  @Override
  public Integer call() throws InterruptedException, IOException {
    try {
      long now = Clock.systemUTC().millis();
      Period period = period(now);
      JobConfig config = JobConfig.from(launch.configuration());
      FairnessReport report = new FairnessReport(config, megabytes * MEGABYTE);
      ReportFigures figures = report.figures(segment, period);
      String absence = figures.absence();
      if (absence != null) {
        return failed(NOT_READ, "equipoise report: " + absence);
      }
      String page = report.page(figures, now);
      if (!figures.hasDecisions()) {
        warn(
            "equipoise report: no decision of segment %s in the period; check --segment and --from"
                .formatted(segment));
      }
      if (file.equals(OutputFile.STANDARD_OUTPUT)) {
        say(page);
      } else {
        OutputFile.write(file, out -> out.write(page));
        say("Wrote " + file);
      }
      return 0;
    } catch (InconclusiveException
        | StartRefusedException
        | IllegalArgumentException
        | KafkaException e) {
      return failed(NOT_READ, "equipoise report: " + launch.message(e));
    }
  }
}
