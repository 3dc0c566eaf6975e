package io.equipoise.event;

import java.util.Map;

/**
 * Describes a candidate of one request by its id and attributes.
 *
 * @param attributes String, Long, Double or Boolean by name; copied
 */
public record CandidateArm(String id, Map<String, Object> attributes) {
  public CandidateArm {
    attributes = NameMap.copyOf(attributes);
  }
}
