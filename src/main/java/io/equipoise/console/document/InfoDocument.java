package io.equipoise.console.document;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.equipoise.console.state.Limits;
import io.equipoise.console.state.TimeAxis;
import io.equipoise.job.options.JobConfig;
import io.equipoise.segmentspec.SegmentSpec;

/** What the console is connected to. */
public final class InfoDocument {
  private InfoDocument() {}

  /** Makes the document without the state of the reader. */
  public static ObjectNode of(JobConfig config, TimeAxis axis, String version, long now) {
    Limits limits = Limits.DEFAULT;
    return Json.object(
        "deployment",
        config.topics().deployment(),
        "version",
        version,
        "delivery",
        config.delivery().toString(),
        "now",
        now,
        "privacy",
        Json.object(
            "sensitiveValues",
            config.privacy().sensitive().toString(),
            "minGroupSize",
            config.privacy().minimumCount()),
        "historyMillis",
        axis.historyMillis(),
        "bucketMillis",
        axis.bucketMillis(),
        "limits",
        Json.object(
            "segments",
            limits.segments(),
            "armsPerSegment",
            limits.arms(),
            "pairsPerSegment",
            limits.pairs(),
            "recentBytes",
            limits.recentBytes()));
  }

  /** Makes the document of a spec's text. */
  public static ObjectNode spec(SegmentSpec spec) {
    return Json.object(
        "hash", spec.hash(), "name", spec.name(), "version", spec.version(), "text", spec.text());
  }
}
