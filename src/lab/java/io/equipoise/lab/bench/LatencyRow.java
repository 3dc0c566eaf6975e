package io.equipoise.lab.bench;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.equipoise.cli.TextTable;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Summarizes the waits of the contexts of one phase of a job, ms: from the broker's log-append time
 * of the context, or from RUNNING if that is later, until a poll of a consumer returned its
 * decision.
 *
 * @param delivery the job's delivery guarantee, as its option names it
 * @param rate contexts per second
 * @param contexts that were measured
 * @param firstAnswer time from RUNNING to the first decision, ms; null in the warm phase
 */
record LatencyRow(
    String delivery,
    int rate,
    JobRun.Job job,
    Phase phase,
    int contexts,
    double p50,
    double p99,
    double p999,
    double max,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Long firstAnswer) {

  /** Separates contexts by the phase in which they were appended. */
  enum Phase {
    /** In the first seconds after RUNNING, when the load begins. */
    COLD,
    /** In the first seconds after RUNNING or before it, under a load that began before the job. */
    BACKLOG,
    /** After the warm-up. */
    WARM
  }

  /**
   * Summarizes waits.
   *
   * @throws IllegalStateException if there are none
   */
  static LatencyRow of(
      String delivery,
      int rate,
      JobRun.Job job,
      Phase phase,
      List<Long> waits,
      @Nullable Long firstAnswer) {
    if (waits.isEmpty()) {
      throw new IllegalStateException("no context of the " + phase + " phase was measured");
    }
    return new LatencyRow(
        delivery,
        rate,
        job,
        phase,
        waits.size(),
        Series.quantile(waits, Long::doubleValue, .5),
        Series.quantile(waits, Long::doubleValue, .99),
        Series.quantile(waits, Long::doubleValue, .999),
        Series.quantile(waits, Long::doubleValue, 1),
        firstAnswer);
  }

  static TextTable table(List<LatencyRow> rows) {
    TextTable table =
        new TextTable(
            "delivery",
            "contexts/s",
            "job",
            "phase",
            "contexts",
            "p50 ms",
            "p99 ms",
            "p99.9 ms",
            "max ms",
            "first answer ms");
    for (LatencyRow row : rows) {
      table.row(
          row.delivery,
          Integer.toString(row.rate),
          row.job.toString().toLowerCase(Locale.ROOT),
          row.phase.toString().toLowerCase(Locale.ROOT),
          Integer.toString(row.contexts),
          millis(row.p50),
          millis(row.p99),
          millis(row.p999),
          millis(row.max),
          row.firstAnswer == null ? "" : Long.toString(row.firstAnswer));
    }
    return table;
  }

  private static String millis(double value) {
    return String.format(Locale.ROOT, "%.0f", value);
  }
}
