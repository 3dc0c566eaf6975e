package io.equipoise.watch;

import io.equipoise.event.Decision;
import io.equipoise.policy.features.Profile;
import io.equipoise.segment.replay.ShadowReplay.Shadow;
import io.equipoise.segment.state.CompiledSpec;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * A decision that waits for its reward.
 *
 * @param offset in its partition
 * @param person whom the decision was for; without numbers if the log lacks them
 * @param propensities of the spec's arms
 * @param shadows how the challengers that count the row would have chosen
 */
@SuppressWarnings("ArrayRecordComponent") // compared by nobody
record WatchedRow(
    long seq,
    long offset,
    CompiledSpec spec,
    Profile person,
    double[] propensities,
    int arm,
    boolean isCertified,
    Map<ChallengerWatch, Shadow> shadows) {

  static WatchedRow of(
      Decision decision, long offset, CompiledSpec spec, Map<ChallengerWatch, Shadow> shadows) {
    List<Double> features = Objects.requireNonNull(decision.features());
    return new WatchedRow(
        decision.seq(),
        offset,
        spec,
        Profile.ofLogged(features, spec.features().size()),
        decision.propensitiesOf(spec.armIds()).stream().mapToDouble(it -> it).toArray(),
        spec.armIds().indexOf(decision.arm()),
        decision.certified(),
        shadows);
  }
}
