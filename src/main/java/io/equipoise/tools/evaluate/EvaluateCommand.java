package io.equipoise.tools.evaluate;

import io.equipoise.audit.log.InconclusiveException;
import io.equipoise.audit.log.KafkaLog;
import io.equipoise.cli.InputFile;
import io.equipoise.cli.JsonOutput;
import io.equipoise.cli.NumberLimit;
import io.equipoise.cli.OptionValues.AtLeastOne;
import io.equipoise.cli.Verb;
import io.equipoise.event.Counted;
import io.equipoise.event.LogTopic;
import io.equipoise.job.check.CertificatePlan.People;
import io.equipoise.job.check.CheckReport;
import io.equipoise.job.check.SpecPaths;
import io.equipoise.job.options.JobConfig;
import io.equipoise.job.options.StartRefusedException;
import io.equipoise.job.start.Launch;
import io.equipoise.job.topics.Brokers;
import io.equipoise.segment.SpecTrial;
import io.equipoise.segment.state.CompiledSpec;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.SpecException;
import io.equipoise.segmentspec.SpecFiles;
import io.equipoise.tools.evaluate.TargetReplay.Counts;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.flink.configuration.Configuration;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Estimates the reward of a spec on logged decisions: the verb {@code evaluate}. */
@Command(
    name = "evaluate",
    mixinStandardHelpOptions = true,
    description = {
      "Estimates what a spec would have earned on logged decisions, overall and by group, and how"
          + " many of its decisions its audit would have certified.",
      "Reads the topics of a deployment, given by --config or -D, or a CSV file.",
      "Exit code 0 with an estimate, 1 if the estimate is refused because the log shows too little,"
          + " or if the spec is rejected; 2 if an option, a file or the topics cannot be used."
    })
public final class EvaluateCommand extends Verb {
  private static final int REFUSED = 1;
  private static final int UNUSABLE = 2;

  @Mixin private Launch launch = new Launch();
  @Mixin private JsonOutput json = new JsonOutput();

  @Parameters(paramLabel = "SPEC", description = "File of the segment spec to evaluate.")
  private Path spec = Path.of("");

  @Option(
      names = "--input",
      paramLabel = "CSV",
      converter = InputFile.class,
      description =
          "Logged decisions with a header: a column for each context and sensitive variable, and"
              + " arm, propensity, reward. Instead of the topics of a deployment.")
  private @Nullable Path input;

  @Option(
      names = "--from",
      paramLabel = "INSTANT",
      description = "Event time of the first context, such as 2026-01-05T08:00:00Z.")
  private Instant from = Instant.MIN;

  @Option(names = "--to", paramLabel = "INSTANT", description = "Event time, exclusive.")
  private Instant to = Instant.MAX;

  @Option(
      names = "--segment",
      paramLabel = "NAME",
      description =
          "Evaluates the decisions of this segment. Can be repeated. Default: the segments that the"
              + " spec selects.")
  private List<String> segments = new ArrayList<>();

  @Option(
      names = "--confidence",
      paramLabel = "C",
      defaultValue = "0.95",
      description = "Confidence of the intervals. Default: ${DEFAULT-VALUE}.")
  private double confidence;

  @Option(
      names = "--min-effective",
      paramLabel = "N",
      defaultValue = "10",
      description = "Refuses an estimate from fewer effective rows. Default: ${DEFAULT-VALUE}.")
  private double minEffective;

  @Option(
      names = "--max-unsupported",
      paramLabel = "SHARE",
      defaultValue = "0.05",
      description =
          "Refuses an estimate if a larger share of the spec's choices are arms that the log cannot"
              + " show. Default: ${DEFAULT-VALUE}.")
  private double maxUnsupported;

  @Option(
      names = "--timeout",
      paramLabel = "SECONDS",
      converter = AtLeastOne.class,
      defaultValue = "60",
      description =
          "How long to wait for open transactions and silent brokers. Default: ${DEFAULT-VALUE}.")
  private long timeoutSeconds;

  @Override
  public Integer call() throws IOException, InterruptedException {
    checkOptions();
    try {
      return evaluate();
    } catch (SpecException e) {
      SpecPaths.print(e.faults(), err());
      return REFUSED;
    } catch (InconclusiveException
        | StartRefusedException
        | EvaluationException
        | KafkaException e) {
      return failed(UNUSABLE, "equipoise evaluate: " + launch.message(e));
    }
  }

  private void checkOptions() {
    String fault =
        !NumberLimit.CONFIDENCE.admits(confidence)
            ? NumberLimit.CONFIDENCE.fault("--confidence", confidence)
            : !(minEffective >= 2 && minEffective < Double.POSITIVE_INFINITY)
                ? "--min-effective must be at least 2"
                : !(maxUnsupported >= 0 && maxUnsupported < 1)
                    ? "--max-unsupported must be at least 0 and below 1"
                    : !from.isBefore(to)
                        ? "--from must be before --to"
                        : input == null ? null : ofTopicsOnly();
    refuse(fault);
  }

  /** Returns the error of an option of the topics that is given with a file, or null. */
  private @Nullable String ofTopicsOnly() {
    return Stream.of("--config", "-D", "--segment", "--timeout")
        .filter(command().commandLine().getParseResult()::hasMatchedOption)
        .findFirst()
        .map(it -> it + " is of the topics of a deployment; leave it or --input out")
        .orElse(null);
  }

  private int evaluate() throws IOException, InterruptedException {
    CompiledSpec compiled = compiled();
    List<String> notes = new ArrayList<>();
    List<LoggedDecision> rows =
        input == null
            ? ofTopics(compiled.spec(), notes)
            : ofFile(new CsvLog(compiled.spec(), input), notes);
    if (rows.isEmpty()) {
      throw new EvaluationException(
          "the log has no decision to evaluate"
              + (notes.isEmpty() ? "" : ": " + String.join("; ", notes))
              + "; "
              + (input == null
                  ? "check --from, --to and --segment"
                  : input + " has no row" + times()));
    }
    OffPolicy method =
        new OffPolicy(compiled.spec().reward().range(), confidence, minEffective, maxUnsupported);
    Evaluation evaluation = Evaluation.of(compiled, rows, method);
    Counts counts = evaluation.counts();
    int invalid = Counts.sum(counts.invalid);
    note(notes, invalid, "are invalid under the spec" + first(counts.invalid));
    note(
        notes,
        Counts.sum(counts.unknownArms),
        "have an arm that the spec lacks, so it weighs 0 and teaches nothing"
            + first(counts.unknownArms));
    note(
        notes,
        counts.outOfRange,
        "have a reward outside reward.range, which the job would refuse (REWARD_OUT_OF_RANGE); it is"
            + " left out");
    note(
        notes,
        Counts.sum(counts.unlearnable),
        "have a reward that the spec cannot learn; the estimates count it"
            + first(counts.unlearnable));
    if (counts.learned == 0 && evaluation.answered() > 0) {
      notes.add(
          "the spec learned NO reward: every estimate is of its start; a join.reward-window that is"
              + " longer than the log closes no window");
    }
    note(
        notes,
        evaluation.logged() - invalid - counts.outOfRange - evaluation.answered(),
        "have no reward; the estimates assume that this does not depend on its value");
    notes.addAll(CheckReport.meaningless(compiled.spec(), People.of(compiled.spec())));
    EvaluationReport report = new EvaluationReport(evaluation, confidence, notes);
    print(report.lines(), report.json(), json);
    return evaluation.snips().value() == null ? REFUSED : 0;
  }

  private String times() {
    return from.equals(Instant.MIN) && to.equals(Instant.MAX) ? "" : " from --from to --to";
  }

  private CompiledSpec compiled() {
    List<CompiledSpec> specs = SpecFiles.load(List.of(spec), SpecTrial::passed);
    if (specs.size() != 1) {
      throw new EvaluationException(
          spec + ": contains " + Counted.of(specs.size(), "specs") + "; name the file of one");
    }
    return specs.get(0);
  }

  private List<LoggedDecision> ofFile(CsvLog log, List<String> notes) throws IOException {
    List<LoggedDecision> rows = log.read();
    if (!log.hasTimes() && !times().isEmpty()) {
      throw refused(
          "--from and --to need a column %s, and %s has none".formatted(CsvLog.TIME, input));
    }
    if (!log.ignored().isEmpty()) {
      notes.add("columns " + log.ignored() + " are ignored: the spec has no such variable");
    }
    return rows.stream().filter(this::isInTime).toList();
  }

  private boolean isInTime(LoggedDecision row) {
    Instant time = Instant.ofEpochMilli(row.time());
    return !time.isBefore(from) && time.isBefore(to);
  }

  private List<LoggedDecision> ofTopics(SegmentSpec target, List<String> notes)
      throws InterruptedException {
    Configuration configuration = launch.configuration();
    if (configuration.keySet().isEmpty()) {
      throw refused("give --input CSV, or the deployment by --config or -D");
    }
    JobConfig config = JobConfig.from(configuration);
    Brokers.check(config.kafka());
    Map<String, LogTopic> topics = new HashMap<>();
    for (LogTopic topic : List.of(LogTopic.CONTEXTS, LogTopic.DECISIONS, LogTopic.SEGMENT_EVENTS)) {
      topics.put(config.topics().of(topic), topic);
    }
    KafkaLog log =
        KafkaLog.open(config.kafka(), topics, Map.of(), Duration.ofSeconds(timeoutSeconds));
    Predicate<String> wanted = segments.isEmpty() ? target.match()::matches : segments::contains;
    TopicLog topicLog = new TopicLog(log, wanted, from, to);
    List<LoggedDecision> rows = topicLog.read();
    Set<String> found = rows.stream().map(LoggedDecision::segment).collect(Collectors.toSet());
    List<String> absent = segments.stream().filter(it -> !found.contains(it)).toList();
    if (!absent.isEmpty() && !rows.isEmpty()) {
      throw new EvaluationException(
          "--segment " + absent.get(0) + ": the log has no decision of it; correct the name");
    }
    TopicLog.Counts counts = topicLog.counts();
    note(notes, counts.withoutContext, "are left out: retention removed their context");
    note(notes, counts.ofOwnCandidates, "are left out: their request brought its own arms");
    note(
        notes, counts.withoutArms, "are left out: the SPEC_ADOPTED event of their spec is missing");
    note(notes, counts.otherShown, "are left out: another arm was shown");
    note(notes, counts.estimated, "have estimated propensities, which bias the estimates");
    return rows;
  }

  private static String first(Map<String, Integer> counted) {
    return counted.isEmpty() ? "" : ", such as: " + counted.keySet().iterator().next();
  }

  private static void note(List<String> notes, int count, String what) {
    if (count > 0) {
      notes.add(Counted.of(count, "decisions " + what));
    }
  }
}
