package io.equipoise.audit;

import io.equipoise.audit.log.CommittedLog;
import io.equipoise.audit.log.InconclusiveException;
import io.equipoise.audit.log.KafkaLog;
import io.equipoise.audit.log.LaterLog;
import io.equipoise.audit.savepoint.Savepoint;
import io.equipoise.audit.verify.Auditor;
import io.equipoise.audit.verify.Finding;
import io.equipoise.audit.verify.Finding.Verdict;
import io.equipoise.audit.verify.Invariant;
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
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code audit verify}. */
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
    } catch (InconclusiveException | StartRefusedException | IllegalArgumentException e) {
      return notChecked(": " + e.getMessage());
    } catch (UncheckedIOException e) {
      return notChecked(": " + Failures.line(e));
    } catch (KafkaException e) {
      return notChecked(", Kafka reports: " + e.getMessage());
    }
  }

  private int notChecked(String why) {
    return failed(NOT_CHECKED, "equipoise audit verify: cannot check" + why);
  }

  private int check() throws InterruptedException {
    Instant started = Clock.systemUTC().instant();
    JobConfig config = JobConfig.from(launch.configuration());
    KeyRing keys = key.keys();
    Savepoint savepoint = from == null ? null : Savepoint.open(from);
    Brokers.check(config.kafka());
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
    Auditor auditor = new Auditor(log, controls, verifyOptions, startState, keys);
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

  /** The findings of an audit as text lines and as JSON. */
  private record VerifyReport(List<Finding> findings, Set<Invariant> unasked) {
    boolean isViolated() {
      return findings.stream().anyMatch(finding -> finding.verdict() == Verdict.VIOLATED);
    }

    /** Returns whether all requested checks were done. */
    boolean isChecked() {
      return findings.stream()
          .noneMatch(
              finding ->
                  finding.verdict() == Verdict.NOT_CHECKED
                      && !unasked.contains(finding.invariant()));
    }

    List<String> lines() {
      List<String> lines = new ArrayList<>();
      for (Finding finding : findings) {
        lines.add(
            String.format(
                Locale.ROOT,
                "%s  %-10s  %,12d  %s",
                finding.invariant(),
                unasked.contains(finding.invariant()) ? "not asked" : finding.verdict(),
                finding.checked(),
                finding.invariant().sentence()));
        if (finding.why() != null && !unasked.contains(finding.invariant())) {
          lines.add("      " + reason(finding));
        }
      }
      lines.add(
          isViolated()
              ? "VIOLATED"
              : isChecked() ? "All requested checks passed." : "Some checks could not be done.");
      return lines;
    }

    private static String reason(Finding finding) {
      String offender = finding.offender() == null ? "" : finding.offender() + ": ";
      String more = finding.violations() > 1 ? " (and %,d more)" : "";
      return offender + finding.why() + String.format(Locale.ROOT, more, finding.violations() - 1);
    }

    Map<String, Object> json() {
      List<Map<String, Object>> invariants = new ArrayList<>();
      for (Finding finding : findings) {
        Map<String, @Nullable Object> one = new LinkedHashMap<>();
        one.put("name", finding.invariant().name());
        one.put("sentence", finding.invariant().sentence());
        one.put("verdict", finding.verdict().name());
        one.put("asked", !unasked.contains(finding.invariant()));
        one.put("checked", finding.checked());
        one.put("violations", finding.violations());
        one.put("offender", finding.offender());
        one.put("why", finding.why());
        invariants.add(one);
      }
      Map<String, Object> result = new LinkedHashMap<>();
      result.put("invariants", invariants);
      result.put("verdict", isViolated() ? "VIOLATED" : isChecked() ? "OK" : "NOT_CHECKED");
      return result;
    }
  }
}
