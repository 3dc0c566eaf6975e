package io.equipoise.watch;

import io.equipoise.event.Decision;
import io.equipoise.segment.replay.ShadowReplay.Shadow;
import io.equipoise.segment.state.CompiledSpec;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;

/**
 * A decision that waits for its reward.
 *
 * @param offset of the decision in its partition
 * @param spec that it was made under
 * @param levels of the spec's features
 * @param numbers of its numeric features; none if the log lacks them
 * @param propensities of the spec's arms
 * @param arm the decided one
 * @param shadows how the challengers that count the row would have chosen
 */
@SuppressWarnings("ArrayRecordComponent") // compared by nobody
record WatchedRow(
    long offset,
    CompiledSpec spec,
    int[] levels,
    double[] numbers,
    double[] propensities,
    int arm,
    boolean isCertified,
    Map<ChallengerWatch, Shadow> shadows) {

  static WatchedRow of(
      Decision decision, long offset, CompiledSpec spec, Map<ChallengerWatch, Shadow> shadows) {
    List<Double> features = Objects.requireNonNull(decision.features());
    int levels = spec.features().size();
    return new WatchedRow(
        offset,
        spec,
        IntStream.range(0, levels).map(place -> features.get(place).intValue()).toArray(),
        features.stream().skip(levels).mapToDouble(it -> it).toArray(),
        decision.propensitiesOf(spec.armIds()).stream().mapToDouble(it -> it).toArray(),
        spec.armIds().indexOf(decision.arm()),
        decision.certified(),
        shadows);
  }

  String armId() {
    return spec.armIds().get(arm);
  }
}
