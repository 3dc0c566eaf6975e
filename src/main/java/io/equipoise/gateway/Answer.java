package io.equipoise.gateway;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.equipoise.event.Decision;
import io.equipoise.event.DecisionReason;
import io.equipoise.event.ErrorCode;
import io.equipoise.segment.state.CompiledSpec;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a caller gets for a decision id.
 *
 * @param arm null if the context was refused and the spec has no fallback arm
 * @param candidates ids; empty if no policy chose
 * @param propensities of the candidates, in their order
 * @param specVersion null if no spec covers the segment
 * @param code why the context was refused, a name of {@link ErrorCode}; null if it was not
 */
record Answer(
    String segment,
    String decisionId,
    @Nullable String arm,
    List<String> candidates,
    List<Double> propensities,
    DecisionReason reason,
    @Nullable Long specVersion,
    @Nullable String code) {

  Answer {
    candidates = List.copyOf(candidates);
    propensities = List.copyOf(propensities);
  }

  /**
   * Returns the answer of a decision on the topic.
   *
   * @param spec the spec of the decision; null if it is unknown, then the candidates are left out
   *     unless the decision lists them
   */
  static Answer of(Decision decision, @Nullable CompiledSpec spec) {
    List<String> candidates = List.of();
    if (decision.isChosen()) {
      boolean areOwn = !decision.candidates().isEmpty();
      candidates = areOwn ? decision.candidates() : spec == null ? List.of() : spec.armIds();
    }
    return new Answer(
        decision.segment(),
        decision.decisionId(),
        decision.arm(),
        candidates,
        candidates.isEmpty() ? List.of() : decision.propensitiesOf(candidates),
        decision.reason(),
        decision.specVersion(),
        decision.errorCode());
  }

  /** Returns the answer when the deadline ends first: the fallback arm of the spec. */
  static Answer late(String segment, String decisionId, CompiledSpec spec) {
    return new Answer(
        segment,
        decisionId,
        spec.spec().join().fallbackArm(),
        List.of(),
        List.of(),
        DecisionReason.DEADLINE_EXCEEDED,
        spec.spec().version(),
        ErrorCode.DEADLINE_EXCEEDED.name());
  }

  ObjectNode json() {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("decisionId", decisionId);
    json.put("segment", segment);
    json.put("arm", arm);
    ArrayNode all = json.putArray("candidates");
    for (int place = 0; place < candidates.size(); place++) {
      all.addObject().put("arm", candidates.get(place)).put("propensity", propensities.get(place));
    }
    json.put("reason", reason.name());
    json.put("specVersion", specVersion);
    if (code != null) {
      json.put("code", code);
    }
    return json;
  }
}
