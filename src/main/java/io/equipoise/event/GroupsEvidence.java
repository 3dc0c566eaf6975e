package io.equipoise.event;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reports the tests of a group monitor. {@code avro/WatchRecord.avsc} documents the meaning and
 * unit of every component. Lists are copied.
 */
public record GroupsEvidence(
    List<GroupTest> tests, double logChange, long changeAlarms, @Nullable Long changeSince) {
  public GroupsEvidence {
    tests = List.copyOf(tests);
  }
}
