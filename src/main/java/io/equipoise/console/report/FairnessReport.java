package io.equipoise.console.report;

import io.equipoise.audit.log.KafkaLog;
import io.equipoise.console.topics.ControlCatalog;
import io.equipoise.event.LogTopic;
import io.equipoise.job.control.WatchLedger;
import io.equipoise.job.options.JobConfig;
import io.equipoise.segmentspec.SegmentSpec;
import java.time.Duration;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * Makes fairness reports from the topics of a deployment.
 *
 * @param memoryBytes limit of the memory for audited decisions
 */
public record FairnessReport(JobConfig config, long memoryBytes) {
  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final Set<LogTopic> READ =
      EnumSet.of(
          LogTopic.DECISIONS,
          LogTopic.AUDIT,
          LogTopic.SEGMENT_EVENTS,
          LogTopic.METRICS,
          LogTopic.DEAD_LETTER);

  /**
   * Returns the figures of a segment.
   *
   * @throws io.equipoise.audit.log.InconclusiveException if the topics cannot be read, or the
   *     period needs too much memory
   */
  public ReportFigures figures(String segment, Period period) throws InterruptedException {
    Map<String, LogTopic> topics = new HashMap<>();
    READ.forEach(topic -> topics.put(config.topics().of(topic), topic));
    KafkaLog whole = KafkaLog.open(config.kafka(), topics, Map.of(), TIMEOUT);
    ReportFigures figures =
        ReportFigures.of(
            new PeriodLog(whole, config, period.from()),
            segment,
            period,
            config.privacy().minimumCount(),
            memoryBytes);
    figures.watched.addAll(WatchLedger.read(config, period.to()).of(segment));
    if (!figures.versions.isEmpty()) {
      String hash = figures.versions.lastKey().specHash();
      figures.newest = new ControlCatalog(config).spec(hash);
    }
    return figures;
  }

  /**
   * Returns the page.
   *
   * @param madeAt epoch ms
   */
  public String page(ReportFigures figures, long madeAt) {
    SegmentSpec spec = figures.newest;
    Double delta = spec == null ? null : (Double) spec.fairness().delta();
    return ReportPage.of(figures, config.topics().deployment(), delta, madeAt);
  }
}
