package io.equipoise.console;

import com.fasterxml.jackson.databind.JsonNode;
import io.equipoise.audit.log.InconclusiveException;
import io.equipoise.cli.Version;
import io.equipoise.console.document.DecisionDocument;
import io.equipoise.console.document.DecisionRecords;
import io.equipoise.console.document.HealthDocument;
import io.equipoise.console.document.OverviewDocument;
import io.equipoise.console.document.SegmentDocument;
import io.equipoise.console.report.FairnessReport;
import io.equipoise.console.report.Period;
import io.equipoise.console.report.ReportFigures;
import io.equipoise.console.state.Aggregator;
import io.equipoise.console.state.Limits;
import io.equipoise.console.state.Names;
import io.equipoise.console.state.SegmentHistory;
import io.equipoise.console.state.StoredRecord;
import io.equipoise.console.topics.ControlCatalog;
import io.equipoise.console.topics.DecisionSearch;
import io.equipoise.console.topics.DecisionSearch.FoundContext;
import io.equipoise.console.topics.DecisionSearch.FoundRecords;
import io.equipoise.console.topics.InputWatch;
import io.equipoise.console.topics.JobWatch;
import io.equipoise.console.topics.OutputFollower;
import io.equipoise.console.topics.WatchCatalog;
import io.equipoise.event.CausalBoundSet;
import io.equipoise.event.Decision;
import io.equipoise.event.SegmentMetrics;
import io.equipoise.http.HttpCode;
import io.equipoise.http.Json;
import io.equipoise.http.Problem;
import io.equipoise.http.ProblemException;
import io.equipoise.job.options.JobConfig;
import io.equipoise.job.options.KafkaErrors;
import io.equipoise.segmentspec.SegmentSpec;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;

/** Builds the documents of the API from the console's state and the topics. */
record Documents(
    JobConfig config,
    Aggregator aggregator,
    OverviewDocument overview,
    OutputFollower follower,
    InputWatch inputs,
    WatchCatalog watches,
    JobWatch job,
    ControlCatalog controls,
    DecisionSearch search,
    Semaphore searches,
    Semaphore reports,
    Clock clock) {

  static final int MOST_SEARCHES = 2;
  private static final int RETRY_SECONDS = 2;
  private static final long REPORT_BYTES = 64 << 20;

  /** Limits the search for rewards after a decision of an unknown spec. */
  private static final Duration REWARD_WINDOW = Duration.ofMinutes(30);

  JsonNode info() {
    Json privacy =
        Json.of()
            .with("sensitiveValues", config.privacy().sensitive())
            .with("minGroupSize", config.privacy().minimumCount());
    return withReader(
        Json.of()
            .with("deployment", config.topics().deployment())
            .with("version", Version.current())
            .with("delivery", config.delivery().toString())
            .with("now", now())
            .with("privacy", privacy)
            .with("historyMillis", aggregator.axis().historyMillis())
            .with("bucketMillis", aggregator.axis().bucketMillis())
            .with("limits", Limits.DEFAULT));
  }

  JsonNode overview(OverviewDocument.Query query) {
    watches.refresh();
    return withReader(overview.json(query, now()));
  }

  JsonNode segment(String name) {
    watches.refresh();
    Decision newest = aggregator.read(all -> known(all, name).newest());
    SegmentSpec spec = newest == null ? null : controls.spec(newest.specHash());
    CausalBoundSet bounds = newest == null ? null : controls.bounds(newest.versions().boundsHash());
    long now = now();
    return withReader(
        aggregator.read(
            all ->
                new SegmentDocument(all, known(all, name), now)
                    .json(spec, bounds, config.privacy().minimumCount())));
  }

  private SegmentHistory known(Aggregator all, String name) {
    SegmentHistory segment = all.segment(name);
    if (segment == null) {
      throw new ProblemException(ConsoleProblem.UNKNOWN_SEGMENT.of("segment '" + name + "'"));
    }
    return segment;
  }

  JsonNode recent(@Nullable String segment, int limit) {
    return aggregator.read(all -> SegmentDocument.recent(all, segment, limit)).node();
  }

  /**
   * Returns the result of a request that must not run too often at the same time.
   *
   * @throws ProblemException with 429 if it does
   */
  static <T> T limited(Semaphore limit, String most, Supplier<T> request) {
    if (!limit.tryAcquire()) {
      throw new ProblemException(
          Problem.of(HttpCode.TOO_MANY_REQUESTS, "at most " + most).retryAfter(RETRY_SECONDS));
    }
    try {
      return request.get();
    } finally {
      limit.release();
    }
  }

  /**
   * Returns a decision from memory, or else from the topics. Each needs a consumer of its own, so
   * few run at a time. Of several decisions of an id, returns the one that was written nearest to a
   * time.
   *
   * @param near epoch ms; null for now
   */
  JsonNode decision(@Nullable String segment, String id, @Nullable Long near) {
    return limited(searches, MOST_SEARCHES + " searches", () -> search(segment, id, near));
  }

  private JsonNode search(@Nullable String segment, String id, @Nullable Long near) {
    List<String> segments = aggregator.read(all -> all.recent().segmentsOf(id));
    String first = segment != null || segments.isEmpty() ? segment : segments.get(0);
    List<StoredRecord> records =
        first == null ? List.of() : aggregator.read(all -> all.recent().find(first, id));
    List<DecisionRecords> all = DecisionRecords.of(records);
    long around = DecisionSearch.AROUND.toMillis();
    String foundIn = "MEMORY";
    if (all.stream().noneMatch(it -> near == null || Math.abs(it.time() - near) < around)) {
      long time = near == null ? now() - around : near;
      FoundRecords found = search.find(segment, id, time, rewardWindow(segment));
      if (!found.records().isEmpty()) {
        all = DecisionRecords.of(found.records());
        foundIn = found.isComplete() ? "TOPICS" : "TOPICS_INCOMPLETE";
      }
    }
    long wanted = near == null ? now() : near;
    DecisionRecords decoded =
        all.stream()
            .min(Comparator.comparingLong(it -> Math.abs(it.time() - wanted)))
            .orElseThrow(
                () ->
                    new ProblemException(
                        ConsoleProblem.UNKNOWN_DECISION.of("decision '" + id + "'")));
    List<DecisionRecords> others = new ArrayList<>(all);
    others.remove(decoded);
    Decision decision = decoded.decision();
    SegmentSpec spec = controls.spec(decision.specHash());
    FoundContext context = search.context(decision);
    SegmentMetrics snapshot = aggregator.read(it -> snapshot(it, decision.segment()));
    String own = Names.cut(decision.segment());
    return new DecisionDocument(decoded, decision, spec, snapshot)
        .json(foundIn, now(), context.context(), context.fault(), config.privacy().sensitive())
        .with("otherSegments", segments.stream().filter(it -> !it.equals(own)).toList())
        .with("otherTimes", others.stream().map(DecisionRecords::time).toList())
        .node();
  }

  private long rewardWindow(@Nullable String segment) {
    Decision newest =
        segment == null
            ? null
            : aggregator.read(
                all -> {
                  SegmentHistory known = all.segment(segment);
                  return known == null ? null : known.newest();
                });
    SegmentSpec spec = newest == null ? null : controls.spec(newest.specHash());
    return (spec == null ? REWARD_WINDOW : spec.join().rewardWindow()).toMillis();
  }

  private static @Nullable SegmentMetrics snapshot(Aggregator all, String segment) {
    SegmentHistory known = all.segment(segment);
    SegmentHistory.Snapshot snapshot = known == null ? null : known.snapshot();
    return snapshot == null ? null : snapshot.metrics();
  }

  JsonNode spec(String hash) {
    SegmentSpec spec = controls.spec(hash);
    if (spec == null) {
      throw new ProblemException(ConsoleProblem.UNKNOWN_SPEC.of("spec '" + hash + "'"));
    }
    return Json.of()
        .with("hash", spec.hash())
        .with("name", spec.name())
        .with("version", spec.version())
        .with("text", spec.text())
        .node();
  }

  JsonNode health() {
    return withReader(
        HealthDocument.of(
            aggregator, follower.status(), inputs.inputs(), job.state(), job.source(), now()));
  }

  /**
   * Returns the fairness report of a segment as HTML; one at a time.
   *
   * @param from epoch ms; null for the beginning of the window
   * @param to epoch ms; null for now
   */
  String report(String segment, @Nullable Long from, @Nullable Long to) {
    return limited(reports, "one report", () -> page(segment, from, to));
  }

  private String page(String segment, @Nullable Long from, @Nullable Long to) {
    try {
      long now = now();
      Period period =
          new Period(
              from == null ? now - aggregator.axis().historyMillis() : from, to == null ? now : to);
      FairnessReport report = new FairnessReport(config, REPORT_BYTES);
      ReportFigures figures = report.figures(segment, period);
      if (!figures.hasDecisions()) {
        aggregator.read(all -> known(all, segment));
      }
      return report.page(figures, now);
    } catch (IllegalArgumentException | InconclusiveException | KafkaException e) {
      throw new ProblemException(
          ConsoleProblem.NO_REPORT.of(String.valueOf(KafkaErrors.of(config).message(e))));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ProblemException(HttpCode.NOT_READY, "the console ends");
    }
  }

  private JsonNode withReader(Json document) {
    return document.with("reader", HealthDocument.reader(follower.status())).node();
  }

  long now() {
    return clock.millis();
  }
}
