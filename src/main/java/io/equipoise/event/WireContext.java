package io.equipoise.event;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A context as producers write it: the fields of {@code avro/ContextEvent.avsc}, nothing else. */
public record WireContext(
    String decisionId,
    String segment,
    long eventTime,
    Map<String, Object> attributes,
    @Nullable List<CandidateArm> candidates,
    @Nullable Long deadline) {

  public WireContext {
    attributes = NameMap.copyOf(attributes);
    candidates = candidates == null ? null : List.copyOf(candidates);
  }
}
