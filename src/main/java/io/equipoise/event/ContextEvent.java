package io.equipoise.event;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Requests an arm for one person. The fields up to {@code deadline} are those of {@code
 * avro/ContextEvent.avsc}; the others describe its origin. Byte arrays are not copied.
 *
 * @param attributes String, Long, Double or Boolean by name; copied
 * @param candidates null for all arms of the spec; copied
 * @param deadline time after which the decision is useless, by the clock of the job, epoch ms
 */
@SuppressWarnings("ArrayRecordComponent") // equals, hashCode and toString below handle arrays
public record ContextEvent(
    String decisionId,
    String segment,
    long eventTime,
    Map<String, Object> attributes,
    @Nullable List<CandidateArm> candidates,
    @Nullable Long deadline,
    Origin origin,
    byte[] raw,
    @Nullable InputFault fault,
    byte @Nullable [] key)
    implements Input {

  public ContextEvent {
    attributes = NameMap.copyOf(attributes);
    candidates = candidates == null ? null : List.copyOf(candidates);
  }

  /** Creates a context without an error and without a key. */
  public ContextEvent(
      String decisionId,
      String segment,
      long eventTime,
      Map<String, Object> attributes,
      @Nullable List<CandidateArm> candidates,
      @Nullable Long deadline,
      Origin origin,
      byte[] raw) {
    this(decisionId, segment, eventTime, attributes, candidates, deadline, origin, raw, null, null);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof ContextEvent that
        && decisionId.equals(that.decisionId)
        && segment.equals(that.segment)
        && eventTime == that.eventTime
        && attributes.equals(that.attributes)
        && Objects.equals(candidates, that.candidates)
        && Objects.equals(deadline, that.deadline)
        && origin.equals(that.origin)
        && Arrays.equals(raw, that.raw)
        && Objects.equals(fault, that.fault)
        && Arrays.equals(key, that.key);
  }

  @Override
  public int hashCode() {
    return 31 * Objects.hash(decisionId, segment, eventTime, origin) + Arrays.hashCode(raw);
  }

  /** Contains the origin only, because the text may be logged. */
  @Override
  public String toString() {
    return "ContextEvent[" + origin + (fault == null ? "]" : ", " + fault.code() + "]");
  }
}
