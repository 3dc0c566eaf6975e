package io.equipoise.audit;

import io.equipoise.audit.log.CommittedLog;
import io.equipoise.audit.log.InconclusiveException;
import io.equipoise.audit.log.KafkaLog;
import io.equipoise.audit.log.LaterLog;
import io.equipoise.audit.savepoint.Savepoint;
import io.equipoise.audit.verify.Auditor;
import io.equipoise.audit.verify.Finding;
import io.equipoise.audit.verify.SpecCatalog;
import io.equipoise.audit.verify.StartState;
import io.equipoise.audit.verify.VerifyOptions;
import io.equipoise.cli.Failures;
import io.equipoise.cli.InputFile;
import io.equipoise.cli.JsonOutput;
import io.equipoise.cli.OptionValues.AtLeastOne;
import io.equipoise.cli.OptionValues.Count;
import io.equipoise.cli.Verb;
import io.equipoise.job.control.PublishedControls;
import io.equipoise.job.options.JobConfig;
import io.equipoise.job.options.KeyOption;
import io.equipoise.job.options.StartRefusedException;
import io.equipoise.job.start.Launch;
import io.equipoise.job.topics.Brokers;
import io.equipoise.privacy.KeyRing;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Checks the invariants of a deployment's topics: {@code audit verify}. */
@Command(
    name = "verify",
    mixinStandardHelpOptions = true,
    description = {
      "Checks nine invariants of a deployment's committed topics and reports the first violation of"
          + " each: nothing is lost or doubled, every reward is applied once, and a replay of the"
          + " log gives the same model.",
      "May run while the job runs, and writes nothing. It checks what is committed when it starts."
          + " For a job that was stopped for good, use --final to check everything.",
      "If a deployment redacts sensitive values, I3, I5 and the bytes of I7 need --key.",
      "Exit code 0 if every requested check passes, 1 if one is violated, 2 if one could not be"
          + " checked."
    })
public final class VerifyCommand extends Verb {
  private static final int VIOLATED = 1;
  private static final int NOT_CHECKED = 2;

  @Mixin private TimeoutOption timeout = new TimeoutOption();
  @Mixin private MemoryOption memory = new MemoryOption();
  @Mixin private Launch launch = new Launch();
  @Mixin private JsonOutput json = new JsonOutput();
  @Mixin private KeyOption key = new KeyOption();

  @Option(
      names = "--final",
      description = "The job was stopped for good: contexts without a decision are violations.")
  private boolean isFinal;

  @Option(
      names = "--from",
      paramLabel = "SAVEPOINT",
      description =
          "Starts from the state in this canonical savepoint of the job and checks everything after"
              + " it. Use it if retention has removed the beginning of the topics.")
  private @Nullable String from;

  @Option(
      names = "--to",
      paramLabel = "TOPIC/PARTITION=OFFSET",
      description =
          "Checks a partition up to this offset, exclusive. May be repeated. Default: its end when"
              + " the command starts.")
  private Map<String, Long> cuts = new LinkedHashMap<>();

  @Option(
      names = "--isolated-segments",
      paramLabel = "N",
      converter = Count.class,
      defaultValue = "100",
      description = "How many segments are also replayed alone (I5). Default: ${DEFAULT-VALUE}.")
  private int mostIsolated;

  @Option(
      names = "--fault",
      paramLabel = "INSTANT",
      description =
          "Time of a failure, for example 2026-01-05T08:00:00Z. May be repeated; enables I8.")
  private List<Instant> faults = new ArrayList<>();

  @Option(
      names = "--recovery",
      paramLabel = "SECONDS",
      converter = AtLeastOne.class,
      defaultValue = "15",
      description =
          "Maximum time until the first decision on a context sent after a fault. Default:"
              + " ${DEFAULT-VALUE}.")
  private long recoverySeconds;

  @Option(
      names = "--witness",
      paramLabel = "FILE",
      converter = InputFile.class,
      description = "A file that `audit observe` wrote while the job ran; enables I9.")
  private @Nullable Path witness;

  @Override
  public Integer call() throws InterruptedException {
    try {
      return check();
    } catch (InconclusiveException
        | StartRefusedException
        | IllegalArgumentException
        | KafkaException e) {
      return notChecked(launch.message(e));
    } catch (UncheckedIOException e) {
      return notChecked(Failures.line(e));
    }
  }

  private int notChecked(@Nullable String why) {
    return failed(NOT_CHECKED, "equipoise audit verify: cannot check: " + why);
  }

  private int check() throws InterruptedException {
    Instant started = Clock.systemUTC().instant();
    JobConfig config = JobConfig.from(launch.configuration());
    KeyRing keys = key.keys();
    Savepoint savepoint = from == null ? null : Savepoint.open(from);
    Brokers.connect(config, config.topics().controls()).close();
    CommittedLog whole = new ProgressLog(KafkaLog.open(config, cuts, timeout.duration()), err());
    CommittedLog log =
        savepoint == null
            ? whole
            : new LaterLog(whole, savepoint.inputOffsets(), savepoint.location());
    StartState startState = savepoint == null ? StartState.NOTHING : savepoint::segments;
    PublishedControls controls = PublishedControls.read(config);
    VerifyOptions verifyOptions =
        new VerifyOptions(
            isFinal,
            config.maxClockSkew(),
            memory.bytes(),
            mostIsolated,
            faults,
            Duration.ofSeconds(recoverySeconds),
            witness,
            overdue(config, started));
    Auditor auditor = new Auditor(log, SpecCatalog.of(controls), verifyOptions, startState, keys);
    List<Finding> findings = auditor.check();
    VerifyReport report = new VerifyReport(findings, auditor.unasked());
    print(report.lines(), report.json(), json);
    return report.isViolated() ? VIOLATED : report.isChecked() ? 0 : NOT_CHECKED;
  }

  /**
   * Outputs older than the transaction timeout are committed or aborted. Returns null for a stopped
   * job, which has no outstanding inputs, and for chosen ends.
   */
  private @Nullable Instant overdue(JobConfig config, Instant started) {
    return isFinal || !cuts.isEmpty() ? null : started.minus(config.transactionTimeout());
  }
}
