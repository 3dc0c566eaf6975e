package io.equipoise.gateway;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.io.SerializedString;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.JsonSerializable;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.jsontype.TypeSerializer;
import com.fasterxml.jackson.databind.node.POJONode;
import io.equipoise.client.GatewayClient.Effect;
import io.equipoise.event.Decision;
import io.equipoise.event.DecisionReason;
import io.equipoise.event.ErrorCode;
import io.equipoise.event.FairnessAudit;
import io.equipoise.event.WireContext;
import io.equipoise.http.Json;
import io.equipoise.segment.log.SegmentWithoutSpec;
import io.equipoise.segment.state.CompiledSpec;
import io.equipoise.segment.state.SpecRegistry;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Answers a caller's question for a decision id.
 *
 * @param eventTime of the context, epoch ms
 * @param arm null if the context was refused and the spec has no fallback arm
 * @param candidates ids; empty if no policy chose
 * @param propensities of the candidates, in their order
 * @param specVersion null if no spec covers the segment
 * @param code why the context was refused, a name of {@link ErrorCode}; null if it was not
 * @param change the decision that a policy took; null if none did
 * @param fairness the comparisons of the decision; null if they are not asked for, or not known
 */
record Answer(
    String segment,
    String decisionId,
    long eventTime,
    @Nullable String arm,
    List<String> candidates,
    List<Double> propensities,
    DecisionReason reason,
    @Nullable Long specVersion,
    @Nullable String code,
    @Nullable Change change,
    @Nullable List<Effect> fairness)
    implements JsonSerializable {

  /** Names that each candidate repeats, encoded once. */
  private static final SerializedString ARM = new SerializedString("arm");

  private static final SerializedString PROPENSITY = new SerializedString("propensity");

  private static final long BYTES = 600;
  private static final long BYTES_OF_CANDIDATE = 100;
  private static final long BYTES_OF_EFFECT = 500;
  private static final long CHARACTER = 2;

  Answer {
    candidates = List.copyOf(candidates);
    propensities = List.copyOf(propensities);
    fairness = fairness == null ? null : List.copyOf(fairness);
  }

  /** Locates a decision in its segment; its audits have the same writer epoch and seq. */
  record Change(int writerEpoch, long seq, String specHash) {
    boolean isOf(FairnessAudit audit) {
      return audit.writerEpoch() == writerEpoch && audit.seq() == seq;
    }
  }

  /** Returns the comparison of an audit as the client reads it. */
  static Effect effect(FairnessAudit audit) {
    return new Effect(
        audit.effect().attribute(),
        audit.effect().kind(),
        audit.effect().factual(),
        audit.effect().counterfactual(),
        audit.effect().estimate(),
        audit.effect().lower(),
        audit.effect().upper(),
        audit.threshold(),
        audit.conclusion().unit(),
        audit.verdict());
  }

  /**
   * Returns the answer of a decision on the topic. A rejection that no segment's state records
   * names no arm; its answer has the fallback arm of the spec that covers the segment.
   *
   * @param specs if they do not contain the spec of the decision, the candidates are left out
   *     unless the decision lists them
   */
  static Answer of(Decision decision, SpecRegistry specs) {
    CompiledSpec spec = specs.byHash(String.valueOf(decision.specHash()));
    String arm = decision.arm();
    if (arm == null && SegmentWithoutSpec.isAnswer(decision)) {
      CompiledSpec covering = specs.select(decision.segment());
      arm = covering == null ? null : covering.spec().join().fallbackArm();
    }
    List<String> candidates = List.of();
    if (decision.isChosen()) {
      boolean areOwn = !decision.candidates().isEmpty();
      candidates = areOwn ? decision.candidates() : spec == null ? List.of() : spec.armIds();
    }
    return new Answer(
        decision.segment(),
        decision.decisionId(),
        decision.eventTime(),
        arm,
        candidates,
        candidates.isEmpty() ? List.of() : decision.propensitiesOf(candidates),
        decision.reason(),
        decision.specVersion(),
        decision.errorCode(),
        decision.isChosen() && decision.specHash() != null
            ? new Change(decision.writerEpoch(), decision.seq(), decision.specHash())
            : null,
        null);
  }

  /** Returns the answer when the deadline ends first: the fallback arm of the spec. */
  static Answer late(WireContext context, CompiledSpec spec) {
    return new Answer(
        context.segment(),
        context.decisionId(),
        context.eventTime(),
        spec.spec().join().fallbackArm(),
        List.of(),
        List.of(),
        DecisionReason.DEADLINE_EXCEEDED,
        spec.spec().version(),
        ErrorCode.DEADLINE_EXCEEDED.name(),
        null,
        null);
  }

  /** Returns the answer with the comparisons of its decision. */
  Answer with(List<Effect> fairness) {
    return new Answer(
        segment,
        decisionId,
        eventTime,
        arm,
        candidates,
        propensities,
        reason,
        specVersion,
        code,
        change,
        fairness);
  }

  /** Returns about how many bytes of memory it occupies, at most. */
  long bytes() {
    long bytes = BYTES + CHARACTER * (segment.length() + decisionId.length());
    for (String candidate : candidates) {
      bytes += BYTES_OF_CANDIDATE + CHARACTER * candidate.length();
    }
    return bytes + (fairness == null ? 0 : BYTES_OF_EFFECT * fairness.size());
  }

  /** Returns a node that writes the answer; a tree of many candidates would cost more memory. */
  JsonNode json() {
    return new POJONode(this);
  }

  @Override
  public void serialize(JsonGenerator json, SerializerProvider unused) throws IOException {
    json.writeStartObject();
    json.writeStringField("decisionId", decisionId);
    json.writeStringField("segment", segment);
    json.writeStringField("arm", arm);
    json.writeArrayFieldStart("candidates");
    for (int place = 0; place < candidates.size(); place++) {
      json.writeStartObject();
      json.writeFieldName(ARM);
      json.writeString(candidates.get(place));
      json.writeFieldName(PROPENSITY);
      json.writeNumber(propensities.get(place));
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeStringField("reason", reason.name());
    json.writePOJOField("specVersion", specVersion);
    if (code != null) {
      json.writeStringField("code", code);
    }
    if (fairness != null) {
      json.writePOJOField("fairness", Json.node(fairness));
    }
    json.writeEndObject();
  }

  @Override
  public void serializeWithType(
      JsonGenerator json, SerializerProvider provider, TypeSerializer unused) throws IOException {
    serialize(json, provider);
  }
}
