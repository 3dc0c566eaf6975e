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
import io.equipoise.cli.JsonOutput;
import io.equipoise.job.control.PublishedControls;
import io.equipoise.job.options.JobConfig;
import io.equipoise.job.options.KeyOption;
import io.equipoise.job.options.StartRefusedException;
import io.equipoise.job.start.Launch;
import io.equipoise.job.topics.Brokers;
import io.equipoise.privacy.KeyRing;
import io.equipoise.privacy.UnusableKeyException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The verb {@code audit verify}. */
@Command(
    name = "verify",
    mixinStandardHelpOptions = true,
    description = {
      "Judges nine invariants of a deployment's committed topics and names the first offender of"
          + " each: nothing lost, nothing doubled, every reward counted once, the model what a"
          + " replay of the log makes of it.",
      "May run while the job runs, and writes nothing. It checks what is "
          + "committed when it starts. For a job that was stopped for good, use "
          + "--final to check everything.",
      "If a deployment hides sensitive values, I3, I5 and the bytes of I7 " + "need --key.",
      "Exit code 0 if every requested check passes, 1 if one is violated, 2 "
          + "if one could not be checked."
    })
public final class VerifyCommand implements Callable<Integer> {
  private static final int VIOLATED = 1;
  private static final int NOT_JUDGED = 2;

  @Spec private CommandSpec command = CommandSpec.create();
  @Mixin private TimeoutOption timeout = new TimeoutOption();
  @Mixin private MemoryOption memory = new MemoryOption();
  @Mixin private Launch launch = new Launch();
  @Mixin private JsonOutput json = new JsonOutput();
  @Mixin private KeyOption key = new KeyOption();

  @Option(
      names = "--final",
      description =
          "The job was stopped for good: contexts that nothing has read yet are unanswered ones.")
  private boolean isFinal;

  @Option(
      names = "--from",
      paramLabel = "SAVEPOINT",
      description =
          "Starts from the state in this canonical savepoint of the job and "
              + "checks everything after it. For topics that have lost their beginning.")
  private @Nullable String from;

  @Option(
      names = "--to",
      paramLabel = "TOPIC/PARTITION=OFFSET",
      description =
          "Judges a partition up to this offset, exclusive. May be repeated. Default: where it ends"
              + " at the start.")
  private Map<String, Long> cuts = new LinkedHashMap<>();

  @Option(
      names = "--isolated-segments",
      paramLabel = "N",
      defaultValue = "100",
      description = "How many segments are replayed alone too (I5). Default: ${DEFAULT-VALUE}.")
  private int mostAlone;

  @Option(
      names = "--fault",
      paramLabel = "INSTANT",
      description =
          "When something was killed, as 2026-01-05T08:00:00Z. May be repeated; asks for I8.")
  private List<Instant> faults = new ArrayList<>();

  @Option(
      names = "--recovery",
      paramLabel = "SECONDS",
      defaultValue = "15",
      description =
          "What the first answer to contexts sent after a fault may take. Default:"
              + " ${DEFAULT-VALUE}.")
  private long recoverySeconds;

  @Option(
      names = "--witness",
      paramLabel = "FILE",
      description = "What `audit observe` wrote while the job ran; asks for I9.")
  private @Nullable Path witness;

  /** Returns the exit code. */
  @Override
  public Integer call() throws InterruptedException {
    PrintWriter err = command.commandLine().getErr();
    try {
      return check();
    } catch (InconclusiveException
        | StartRefusedException
        | UnusableKeyException
        | IllegalArgumentException e) {
      err.println("equipoise audit verify: cannot judge: " + e.getMessage());
    } catch (UncheckedIOException e) {
      err.println("equipoise audit verify: cannot judge: " + e.getMessage() + ": " + e.getCause());
    } catch (KafkaException e) {
      err.println("equipoise audit verify: cannot judge, Kafka says: " + e.getMessage());
    }
    err.flush();
    return NOT_JUDGED;
  }

  private int check() throws InterruptedException {
    Instant asked = Clock.systemUTC().instant();
    JobConfig config = JobConfig.from(launch.configuration());
    KeyRing keys = key.keys();
    Savepoint savepoint = from == null ? null : Savepoint.open(from);
    Brokers.check(config.kafka());
    CommittedLog whole =
        new ProgressLog(
            KafkaLog.open(config, cuts, timeout.duration()), command.commandLine().getErr());
    CommittedLog log =
        savepoint == null
            ? whole
            : new LaterLog(whole, savepoint.inputOffsets(), savepoint.location());
    StartState startState = savepoint == null ? StartState.NOTHING : savepoint::segments;
    PublishedControls controls = PublishedControls.read(config);
    VerifyOptions verifyOptions =
        new VerifyOptions(
            isFinal,
            config.allowedSkew(),
            memory.bytes(),
            mostAlone,
            faults,
            Duration.ofSeconds(recoverySeconds),
            witness,
            overdue(config, asked));
    Auditor auditor = new Auditor(log, SpecCatalog.of(controls), verifyOptions, startState, keys);
    List<Finding> findings = auditor.check();
    PrintWriter out = command.commandLine().getOut();
    VerifyReport report = new VerifyReport(findings, auditor.unasked());
    PrintWriter text = json.takesStandardOutput() ? command.commandLine().getErr() : out;
    report.lines().forEach(text::println);
    text.flush();
    json.write(report.json(), out);
    return report.isViolated() ? VIOLATED : report.isChecked() ? 0 : NOT_JUDGED;
  }

  /**
   * What the job wrote longer ago than transactions may stay open is committed or aborted. Of a job
   * that was stopped no input is on its way; of a past that was chosen nobody knows.
   */
  private @Nullable Instant overdue(JobConfig config, Instant asked) {
    return isFinal || !cuts.isEmpty() ? null : asked.minus(config.transactionTimeout());
  }
}
