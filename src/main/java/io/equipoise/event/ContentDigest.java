package io.equipoise.event;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Digests the content of an input without its ids, origin and encoding. The digest distinguishes
 * equal content under one identity (DUPLICATE_REWARD) from other content (CONFLICTING_REWARD).
 *
 * <p>The digest is the first 8 bytes, big-endian, of SHA-256 over a layout that state depends on
 * and that must not change. It is big-endian. Texts are a byte count (i32) and UTF-8. Values follow
 * a tag of their type. Maps are a count (i32) and entries in the order of their names. Absent
 * values are byte 0, present ones follow byte 1. Doubles are compared by value: -0.0 equals 0.0,
 * and all NaNs are equal.
 *
 * <pre>
 *   context: 'C'  eventTime (i64)  attributes  candidates?: count, per arm: id, attributes  deadline? (i64)
 *   reward:  'R'  eventTime (i64)  reward (f64)  mediators  shownArm?
 * </pre>
 */
public final class ContentDigest {
  private ContentDigest() {}

  /** Digests event time, attributes, candidates in their order, and deadline. */
  public static long of(ContextEvent context) {
    DigestInput out = DigestInput.begin();
    out.put('C');
    out.put(context.eventTime());
    named(context.attributes(), out);
    List<CandidateArm> candidates = context.candidates();
    if (isPresent(candidates, out)) {
      out.put(candidates.size());
      for (CandidateArm arm : candidates) {
        out.put(arm.id());
        named(arm.attributes(), out);
      }
    }
    Long deadline = context.deadline();
    if (isPresent(deadline, out)) {
      out.put(deadline.longValue());
    }
    return out.digest();
  }

  /**
   * Digests event time, reward, mediators and shownArm; of a confirmation only the last, because
   * several clients may confirm the same at different times.
   */
  public static long of(RewardEvent reward) {
    DigestInput out = DigestInput.begin();
    Double value = reward.reward();
    out.put(value == null ? 'S' : 'R');
    if (value != null) {
      out.put(reward.eventTime());
      out.put(value + 0.0); // -0.0 becomes 0.0
      named(reward.mediators(), out);
    }
    String shownArm = reward.shownArm();
    if (isPresent(shownArm, out)) {
      out.put(shownArm);
    }
    return out.digest();
  }

  private static boolean isPresent(@Nullable Object value, DigestInput out) {
    out.put(value != null);
    return value != null;
  }

  private static void named(Map<String, Object> values, DigestInput out) {
    NameMap<Object> sorted = NameMap.copyOf(values);
    out.put(sorted.size());
    for (int at = 0; at < sorted.size(); at++) {
      out.put(sorted.name(at));
      value(sorted.value(at), out);
    }
  }

  private static void value(Object value, DigestInput out) {
    if (value instanceof String text) {
      out.put('s');
      out.put(text);
    } else if (value instanceof Long number) {
      out.put('l');
      out.put(number.longValue());
    } else if (value instanceof Double number) {
      out.put('d');
      out.put(number + 0.0); // -0.0 becomes 0.0
    } else if (value instanceof Boolean truth) {
      out.put('b');
      out.put(truth.booleanValue());
    } else {
      throw new IllegalArgumentException("no attribute type: " + value.getClass().getName());
    }
  }
}
