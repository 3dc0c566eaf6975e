package io.equipoise.console;

import io.equipoise.console.state.Aggregator;
import io.equipoise.console.state.SegmentHistory;
import io.equipoise.event.ArmCertificate;
import io.equipoise.event.SegmentMetrics;
import io.prometheus.metrics.core.metrics.CounterWithCallback;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Exports figures of segments to Prometheus: those of each segment's newest record on {@code
 * metrics}, which {@code avro/SegmentMetrics.avsc} describes. They are committed and exact, and as
 * old as that record. A negative count, which only a foreign writer can make, is left out.
 */
record ConsoleMetrics(
    PrometheusRegistry registry,
    Aggregator aggregator,
    int most,
    Function<@Nullable String, @Nullable Long> published) {

  /**
   * Registers the figures.
   *
   * @param most segments with figures, the first by name; 0 registers nothing
   * @param published returns when the spec with a hash was published, epoch ms, or null
   */
  static void register(
      PrometheusRegistry registry,
      Aggregator aggregator,
      int most,
      Function<@Nullable String, @Nullable Long> published) {
    if (most > 0) {
      new ConsoleMetrics(registry, aggregator, most, published).register();
    }
  }

  private void register() {
    var unused =
        GaugeWithCallback.builder()
            .name("equipoise_segments_left_out")
            .help("Segments without figures here; console.metrics-segments limits them.")
            .callback(
                out -> out.call(Math.max(0, aggregator.read(it -> it.segments().size()) - most)))
            .register(registry);
    counter("decisions", "Contexts that a policy decided.", it -> it.contexts().decided());
    counter("rejected_contexts", "Contexts that were rejected.", it -> it.contexts().rejected());
    counter(
        "settled_decisions",
        "Decisions whose reward, or aggregate of rewards, was learned; not their default.",
        it -> it.decisions().settled());
    counter("late_rewards", "Rewards after their window.", it -> it.rewards().late());
    counter("orphan_rewards", "Rewards without a decision.", it -> it.rewards().orphan());
    counter("timed_out_decisions", "Windows without a reward.", it -> it.decisions().timedOut());
    counter("fallbacks", "Decisions without an eligible arm.", it -> it.fairness().fallbacks());
    counter(
        "violations",
        "Decisions with an estimated effect beyond the limit.",
        it -> it.fairness().violations());
    counter(
        "unfair_verdicts",
        "Audited pairs whose whole interval is beyond the limit.",
        it -> it.fairness().verdicts().unfair());
    counter(
        "certified_verdicts",
        "Audited pairs that are certified fair.",
        it -> it.fairness().verdicts().certifiedFair());
    gauge("pending_decisions", "Decisions that wait.", it -> (double) it.decisions().awaiting());
    gauge("early_rewards", "Rewards that wait.", it -> (double) it.rewards().heldEarly());
    gauge(
        "dedup_entries",
        "Ids that are remembered after their decision ended.",
        it -> (double) it.dedupEntries());
    gauge(
        "no_overlap_share",
        "Share of audited pairs without data on the counterfactual side.",
        it -> it.fairness().noOverlapShare());
    gauge(
        "group_gap",
        "Difference of the mean rewards of groups, in units of the reward.",
        it -> it.groups().difference());
    gauge(
        "spec_version",
        "Version of the spec in force.",
        it -> it.specVersion() == null ? null : (Double) (double) it.specVersion());
    gauge(
        "spec_published_timestamp_seconds",
        "Time at which the spec in force was published; nothing if its text is not on the topic.",
        it -> {
          Long time = published.apply(it.specHash());
          return time == null ? null : (Double) (time / 1000.0);
        });
    gauge(
        "metrics_timestamp_seconds",
        "Event time of the record that has these figures.",
        it -> it.eventTime() / 1000.0);
    ofArms(
        "rewards_to_certificate",
        "Rewards until the arm can be certified; nothing if it is decided or unknown.",
        it ->
            it.rewardsToCertificate() == null ? null : (Double) (double) it.rewardsToCertificate());
    ofArms(
        "locked_in",
        "1 if the arm may pay more and nothing will bring it back.",
        it -> it.lockedIn() ? 1.0 : 0.0);
  }

  private void counter(String name, String help, ToLongFunction<SegmentMetrics> figure) {
    var unused =
        CounterWithCallback.builder()
            .name("equipoise_segment_" + name + "_total")
            .help(help)
            .labelNames("segment")
            .callback(
                out ->
                    newest()
                        .filter(it -> figure.applyAsLong(it) >= 0)
                        .forEach(it -> out.call((double) figure.applyAsLong(it), it.segment())))
            .register(registry);
  }

  private void gauge(String name, String help, Function<SegmentMetrics, @Nullable Double> figure) {
    var unused =
        GaugeWithCallback.builder()
            .name("equipoise_segment_" + name)
            .help(help)
            .labelNames("segment")
            .callback(
                out ->
                    newest()
                        .forEach(
                            it -> {
                              Double value = figure.apply(it);
                              if (value != null) {
                                out.call(value, it.segment());
                              }
                            }))
            .register(registry);
  }

  private void ofArms(String name, String help, Function<ArmCertificate, @Nullable Double> figure) {
    var unused =
        GaugeWithCallback.builder()
            .name("equipoise_segment_" + name)
            .help(help)
            .labelNames("segment", "arm", "attribute")
            .callback(
                out ->
                    newest()
                        .forEach(
                            it ->
                                it.fairness()
                                    .certificates()
                                    .forEach(
                                        arm -> {
                                          Double value = figure.apply(arm);
                                          if (value != null) {
                                            out.call(
                                                value, it.segment(), arm.arm(), arm.attribute());
                                          }
                                        })))
            .register(registry);
  }

  private Stream<SegmentMetrics> newest() {
    List<SegmentMetrics> found =
        aggregator.read(
            all ->
                all.segments().stream()
                    .sorted(Comparator.comparing(SegmentHistory::name))
                    .limit(most)
                    .map(SegmentHistory::snapshot)
                    .filter(Objects::nonNull)
                    .map(SegmentHistory.Snapshot::metrics)
                    .toList());
    return found.stream();
  }
}
