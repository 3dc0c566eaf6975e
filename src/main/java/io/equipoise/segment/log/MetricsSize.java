package io.equipoise.segment.log;

import io.equipoise.event.GroupMean;
import io.equipoise.segmentspec.GroupSpec;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.SpecVariable;
import io.equipoise.segmentspec.VariableRole;
import io.equipoise.segmentspec.WorkBudget;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Computes the bytes that the groups of a spec take in a metrics record, so that a spec too large
 * for the topic can be rejected. {@link MetricsRecords} lists every level of every sensitive
 * variable, and every joint group that a policy balances.
 */
public final class MetricsSize {
  /** Bytes that Avro adds to two names: their lengths, a count and a mean. */
  private static final int BYTES_BESIDE_NAMES = 3 + 3 + 10 + Double.BYTES;

  private MetricsSize() {}

  /** Returns the maximum bytes of the groups of a spec; {@link Long#MAX_VALUE} on overflow. */
  public static long ofGroups(SegmentSpec spec) {
    long bytes = 0;
    for (SpecVariable variable : spec.variables().all()) {
      if (variable.role() == VariableRole.SENSITIVE) {
        long names = WorkBudget.product(levels(variable), BYTES_BESIDE_NAMES + nameBytes(variable));
        bytes = WorkBudget.sum(bytes, WorkBudget.sum(names, levelBytes(variable)));
      }
    }
    GroupSpec groups = spec.policy().family().groups();
    if (groups == null || groups.attributes().size() < 2) {
      return bytes;
    }
    List<SpecVariable> attributes =
        groups.attributes().stream().map(spec.variables()::named).toList();
    return WorkBudget.sum(bytes, ofJointGroups(attributes));
  }

  private static long ofJointGroups(List<SpecVariable> attributes) {
    long count = WorkBudget.product(attributes.stream().mapToLong(MetricsSize::levels).toArray());
    long beside = BYTES_BESIDE_NAMES + 2L * attributes.size(); // what joins names, and levels
    long bytes = 0;
    for (SpecVariable attribute : attributes) {
      beside += nameBytes(attribute);
      long each = count / levels(attribute);
      bytes = WorkBudget.sum(bytes, WorkBudget.product(each, levelBytes(attribute)));
    }
    return WorkBudget.sum(bytes, WorkBudget.product(count, beside));
  }

  private static long levels(SpecVariable variable) {
    return Math.max(variable.levels().size(), variable.undisclosed() + 1);
  }

  private static long nameBytes(SpecVariable variable) {
    return bytes(variable.name());
  }

  private static long levelBytes(SpecVariable variable) {
    return variable.levels().stream().mapToLong(MetricsSize::bytes).sum()
        + bytes(GroupMean.UNDISCLOSED);
  }

  private static long bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }
}
