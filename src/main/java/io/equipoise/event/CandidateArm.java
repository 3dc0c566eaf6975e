package io.equipoise.event;

import java.util.Map;

/**
 * A candidate of one request.
 *
 * @param attributes String, Long, Double or Boolean by name; copied
 */
public record CandidateArm(String id, Map<String, Object> attributes) {
  public CandidateArm {
    attributes = NameMap.copyOf(attributes);
  }
}
