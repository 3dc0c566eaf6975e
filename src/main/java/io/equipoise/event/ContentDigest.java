package io.equipoise.event;

import io.equipoise.spec.Sha256;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Digests what an input says, without its ids, origin and encoding, so that the same identity with
 * equal content (DUPLICATE) can be told from one with other content (CONFLICT).
 *
 * <p>The digest is the first 8 bytes, big-endian, of SHA-256 over a layout that state depends on
 * and that must not change: big-endian, texts as byte count (i32) and UTF-8, values behind a tag
 * that tells their type, maps as count (i32) and entries in the order of their names, what is
 * absent as byte 0 and what is present behind byte 1. Doubles count by their bits: 0.0 is not -0.0,
 * and every NaN is the same.
 *
 * <pre>
 *   context: 'C'  eventTime (i64)  attributes  candidates?: count, per arm: id, attributes  answerBy? (i64)
 *   reward:  'R'  eventTime (i64)  reward (f64)  mediators  shownArm?
 * </pre>
 */
public final class ContentDigest {
  private static final int TYPICAL_BYTES = 256;

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream(TYPICAL_BYTES);
  private final DataOutputStream out = new DataOutputStream(bytes);

  private ContentDigest() {}

  /** Digests event time, attributes, candidates in their order, and answerBy. */
  public static long of(ContextEvent context) {
    ContentDigest digest = new ContentDigest();
    try {
      digest.add(context);
    } catch (IOException e) {
      throw new UncheckedIOException("an array of bytes failed to grow", e);
    }
    return digest.value();
  }

  /** Digests event time, reward, mediators and shownArm. */
  public static long of(RewardEvent reward) {
    ContentDigest digest = new ContentDigest();
    try {
      digest.add(reward);
    } catch (IOException e) {
      throw new UncheckedIOException("an array of bytes failed to grow", e);
    }
    return digest.value();
  }

  private void add(ContextEvent context) throws IOException {
    out.writeByte('C');
    out.writeLong(context.eventTime());
    named(context.attributes());
    List<CandidateArm> candidates = context.candidates();
    if (isPresent(candidates)) {
      out.writeInt(candidates.size());
      for (CandidateArm arm : candidates) {
        text(arm.id());
        named(arm.attributes());
      }
    }
    Long answerBy = context.answerBy();
    if (isPresent(answerBy)) {
      out.writeLong(answerBy);
    }
  }

  private void add(RewardEvent reward) throws IOException {
    out.writeByte('R');
    out.writeLong(reward.eventTime());
    out.writeDouble(reward.reward());
    named(reward.mediators());
    String shownArm = reward.shownArm();
    if (isPresent(shownArm)) {
      text(shownArm);
    }
  }

  private boolean isPresent(@Nullable Object value) throws IOException {
    out.writeBoolean(value != null);
    return value != null;
  }

  private void named(Map<String, Object> values) throws IOException {
    NameMap<Object> sorted = NameMap.copyOf(values);
    out.writeInt(sorted.size());
    for (Map.Entry<String, Object> entry : sorted.entrySet()) {
      text(entry.getKey());
      value(entry.getValue());
    }
  }

  private void value(Object value) throws IOException {
    if (value instanceof String text) {
      out.writeByte('s');
      text(text);
    } else if (value instanceof Long number) {
      out.writeByte('l');
      out.writeLong(number);
    } else if (value instanceof Double number) {
      out.writeByte('d');
      out.writeDouble(number);
    } else if (value instanceof Boolean truth) {
      out.writeByte('b');
      out.writeBoolean(truth);
    } else {
      throw new IllegalArgumentException("no attribute is a " + value.getClass().getName());
    }
  }

  private void text(String text) throws IOException {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    out.writeInt(utf8.length);
    out.write(utf8);
  }

  private long value() {
    return ByteBuffer.wrap(Sha256.of(bytes.toByteArray())).getLong();
  }
}
