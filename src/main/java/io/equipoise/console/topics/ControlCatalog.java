package io.equipoise.console.topics;

import io.equipoise.event.CausalBoundSet;
import io.equipoise.job.control.PublishedControls;
import io.equipoise.job.options.JobConfig;
import io.equipoise.segment.state.BoundsRegistry;
import io.equipoise.segmentspec.SegmentSpec;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the specs and causal bounds of a deployment by hash. Reads the control topics when it is
 * asked for a hash that it does not know, at most once in a few seconds. Thread-safe.
 */
public final class ControlCatalog {
  private static final Logger LOG = LoggerFactory.getLogger(ControlCatalog.class);
  private static final Duration PAUSE = Duration.ofSeconds(5);

  private final JobConfig config;
  private final Map<String, SegmentSpec> specs = new HashMap<>();
  private final Map<String, Long> published = new HashMap<>();
  private BoundsRegistry bounds = BoundsRegistry.NONE;
  private @Nullable Long readAt;

  public ControlCatalog(JobConfig config) {
    this.config = config;
  }

  /** Returns a spec, null if its text is not on the topic. */
  public synchronized @Nullable SegmentSpec spec(@Nullable String hash) {
    if (hash != null && !specs.containsKey(hash)) {
      refresh();
    }
    return specs.get(hash);
  }

  /** Returns when a spec was published, epoch ms; null if its text is not on the topic. */
  public synchronized @Nullable Long published(@Nullable String hash) {
    return spec(hash) == null ? null : published.get(hash);
  }

  /** Returns a set of bounds, null if it is not on the topic. */
  public synchronized @Nullable CausalBoundSet bounds(@Nullable String hash) {
    if (hash == null) {
      return null;
    }
    if (bounds.byHash(hash) == null) {
      refresh();
    }
    return bounds.byHash(hash);
  }

  private void refresh() {
    long now = System.nanoTime();
    if (readAt != null && now - readAt < PAUSE.toNanos()) {
      return;
    }
    readAt = now;
    try {
      PublishedControls controls = PublishedControls.read(config);
      controls.all().forEach(compiled -> specs.put(compiled.spec().hash(), compiled.spec()));
      controls.published().forEach(published::putIfAbsent);
      bounds = controls.causalBounds();
    } catch (KafkaException e) {
      LOG.warn("The console cannot read specs and causal bounds: {}", e.getMessage());
    }
  }
}
