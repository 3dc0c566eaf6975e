package io.equipoise.event;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Holds a context as producers write it, with exactly the fields of {@code avro/ContextEvent.avsc}.
 */
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
