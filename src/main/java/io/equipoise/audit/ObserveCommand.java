package io.equipoise.audit;

import io.equipoise.audit.log.CommittedEnd;
import io.equipoise.audit.log.InconclusiveException;
import io.equipoise.audit.log.LogRecord;
import io.equipoise.audit.verify.WitnessLine;
import io.equipoise.cli.OptionValues.AtLeastOne;
import io.equipoise.cli.Verb;
import io.equipoise.job.options.JobConfig;
import io.equipoise.job.options.StartRefusedException;
import io.equipoise.job.start.Launch;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Records offsets and digests of the outputs as a reader sees them: {@code audit observe}. */
@Command(
    name = "observe",
    mixinStandardHelpOptions = true,
    description = {
      "Reads a deployment's committed outputs while the job runs and records their offsets and"
          + " digests, no values. `audit verify --witness` compares them with the topics later.",
      "Runs until it is interrupted. The file is complete up to then."
    })
public final class ObserveCommand extends Verb {
  @Mixin private Launch launch = new Launch();

  @Parameters(paramLabel = "FILE", description = "The file to write; it must not exist.")
  private Path file = Path.of("");

  @Option(
      names = "--from-beginning",
      description = "Starts with the earliest records instead of new ones.")
  private boolean isFromBeginning;

  @Option(
      names = "--for",
      paramLabel = "SECONDS",
      converter = AtLeastOne.class,
      description = "Stops after this long.")
  private @Nullable Long seconds;

  @Override
  public Integer call() throws IOException {
    try {
      JobConfig config = JobConfig.from(launch.configuration());
      try (CommittedEnd end = new CommittedEnd(config, isFromBeginning);
          BufferedWriter out = Files.newBufferedWriter(file, StandardOpenOption.CREATE_NEW)) {
        out.write(WitnessLine.HEADER + "\n");
        out.flush();
        say("reading; stop with Ctrl-C");
        copy(end, out);
      }
      return 0;
    } catch (InterruptException e) {
      return 0;
    } catch (InconclusiveException | StartRefusedException | KafkaException e) {
      return failed(1, "equipoise audit observe: " + launch.message(e));
    } catch (FileAlreadyExistsException e) {
      return failed(1, "equipoise audit observe: " + file + " exists; give another name");
    }
  }

  private void copy(CommittedEnd end, BufferedWriter out) throws IOException {
    long start = System.nanoTime();
    long most = seconds == null ? Long.MAX_VALUE : Duration.ofSeconds(seconds).toNanos();
    while (System.nanoTime() - start < most) {
      for (LogRecord record : end.poll()) {
        out.write(WitnessLine.of(record).text() + "\n");
      }
      out.flush();
    }
  }
}
