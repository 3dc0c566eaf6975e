package io.equipoise.event;

import java.util.Map;

/**
 * An arm that one request may be given.
 *
 * @param attributes String, Long, Double or Boolean by name; copied
 */
public record CandidateArm(String id, Map<String, Object> attributes) {
  public CandidateArm {
    attributes = NameMap.copyOf(attributes);
  }
}
