package io.equipoise.lab.bench;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.equipoise.cli.TextTable;
import java.util.List;
import java.util.Locale;

/**
 * Measures one job with a number of segments.
 *
 * @param inputs records read
 * @param inputsPerSecond from the first to the last output record
 * @param stateBytes of the checkpoint after the last input; includes everything that does not
 *     depend on segments
 * @param checkpointMillis duration of that checkpoint
 * @param startMillis time from the submission of the job without state until every task runs
 * @param restoreMillis the same for a job with the state of the checkpoint
 */
record ScaleRow(
    int segments,
    int parallelism,
    int inputs,
    double inputsPerSecond,
    long stateBytes,
    long checkpointMillis,
    long startMillis,
    long restoreMillis) {

  /** Returns the state of the checkpoint divided by the segments, also in JSON. */
  @JsonProperty
  double stateBytesPerSegment() {
    return (double) stateBytes / segments;
  }

  static TextTable table(List<ScaleRow> rows) {
    TextTable table =
        new TextTable(
            "segments",
            "parallelism",
            "inputs/s",
            "state bytes",
            "bytes/segment",
            "checkpoint ms",
            "start ms",
            "restore ms");
    for (ScaleRow row : rows) {
      table.row(
          String.format(Locale.ROOT, "%,d", row.segments),
          Integer.toString(row.parallelism),
          String.format(Locale.ROOT, "%,.0f", row.inputsPerSecond),
          String.format(Locale.ROOT, "%,d", row.stateBytes),
          String.format(Locale.ROOT, "%,.0f", row.stateBytesPerSegment()),
          Long.toString(row.checkpointMillis),
          Long.toString(row.startMillis),
          Long.toString(row.restoreMillis));
    }
    return table;
  }
}
