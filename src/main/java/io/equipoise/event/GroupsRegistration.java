package io.equipoise.event;

import java.util.List;

/**
 * Registers a group monitor. {@code avro/WatchRecord.avsc} documents the meaning and unit of every
 * component. Lists are copied.
 */
public record GroupsRegistration(
    List<String> attributes,
    WatchedQuantity quantity,
    List<String> arms,
    double tolerance,
    double alpha,
    long rowsBetweenFalseAlarms,
    int partition,
    long startOffset,
    long registeredAt) {
  public GroupsRegistration {
    attributes = List.copyOf(attributes);
    arms = List.copyOf(arms);
  }
}
