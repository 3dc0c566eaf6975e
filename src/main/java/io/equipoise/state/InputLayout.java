package io.equipoise.state;

import io.equipoise.event.CandidateArm;
import io.equipoise.event.ContextEvent;
import io.equipoise.event.ErrorCode;
import io.equipoise.event.Input;
import io.equipoise.event.InputFault;
import io.equipoise.event.NameMap;
import io.equipoise.event.Origin;
import io.equipoise.event.RewardEvent;
import io.equipoise.event.Source;
import io.equipoise.layout.LayoutException;
import io.equipoise.layout.LayoutReader;
import io.equipoise.layout.LayoutWriter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Serializes an input as a part of other layouts: between operators, and of early rewards.
 *
 * <pre>
 *   kind (u8: 0 context, 1 reward)
 *   decision id, segment (strings)      event time (i64)
 *   origin: topic (string), partition (i32), offset (i64), append time (i64)
 *   key, raw value (i32 length, -1 for null, and bytes)
 *   error code (string or null)         of an error: message (string)   limit (i32, -1 for none)
 *            variables: i32 count, each a string
 *   context: attributes                 candidates (i32, -1 for null), each: id (string), attributes
 *            deadline (u8 present, i64)         traceparent (string or null)
 *   reward:  reward id (string or null) reward (f64, {@link #NO_REWARD} for null)  mediators   arm shown (string or null)
 *   attributes, mediators: i32 count, each by ascending name: name (string), type (u8), value
 * </pre>
 */
final class InputLayout {
  private static final int CONTEXT = 0;
  private static final int REWARD = 1;
  private static final int NO_LIMIT = -1;

  /** One of the NaNs; a reward is finite. */
  private static final long NO_REWARD = 0x7ff8_6e6f_6e65_0000L;

  private static final int MIN_ATTRIBUTE_BYTES = Integer.BYTES + 2;
  private static final int MIN_CANDIDATE_BYTES = 2 * Integer.BYTES;

  private InputLayout() {}

  static void write(Input input, LayoutWriter out) throws IOException {
    out.writeByte(input instanceof ContextEvent ? CONTEXT : REWARD);
    out.writeString(input.decisionId());
    out.writeString(input.segment());
    out.writeLong(input.eventTime());
    out.writeString(input.origin().topic());
    out.writeInt(input.origin().partition());
    out.writeLong(input.origin().offset());
    out.writeLong(input.origin().appendTime());
    out.writeBytes(input.key());
    out.writeBytes(input.raw());
    writeFault(input.fault(), out);
    if (input instanceof ContextEvent context) {
      writeContext(context, out);
    } else {
      writeReward((RewardEvent) input, out);
    }
  }

  static Input read(LayoutReader in) throws IOException {
    boolean isReward = in.readBoolean();
    String decisionId = in.readString();
    String segment = in.readString();
    long eventTime = in.readLong();
    Source source = new Source(in.readString(), in.readInt(), in.readLong());
    long appendTime = in.readLong();
    byte @Nullable [] key = in.readNullableBytes();
    byte[] raw = in.readBytes();
    InputFault fault = readFault(in);
    if (!isReward) {
      Map<String, Object> attributes = readAttributes(in);
      List<CandidateArm> candidates = readCandidates(in);
      Long deadline = in.readBoolean() ? (Long) in.readLong() : null;
      return new ContextEvent(
          decisionId,
          segment,
          eventTime,
          attributes,
          candidates,
          deadline,
          origin(source, appendTime, in.readNullableString()),
          raw,
          fault,
          key);
    }
    String rewardId = in.readNullableString();
    double reward = in.readDouble();
    Double value = Double.doubleToRawLongBits(reward) == NO_REWARD ? null : (Double) reward;
    Map<String, Object> mediators = readAttributes(in);
    String shownArm = in.readNullableString();
    return new RewardEvent(
        decisionId,
        rewardId,
        segment,
        eventTime,
        value,
        mediators,
        shownArm,
        origin(source, appendTime, null),
        raw,
        fault,
        key);
  }

  private static Origin origin(Source of, long appendTime, @Nullable String traceParent) {
    return new Origin(of.topic(), of.partition(), of.offset(), appendTime, traceParent);
  }

  private static void writeFault(@Nullable InputFault fault, LayoutWriter out) throws IOException {
    out.writeString(fault == null ? null : fault.code().name());
    if (fault != null) {
      out.writeString(fault.message());
      out.writeInt(Objects.requireNonNullElse(fault.limitBytes(), NO_LIMIT));
      out.writeInt(fault.variables().size());
      for (String variable : fault.variables()) {
        out.writeString(variable);
      }
    }
  }

  private static @Nullable InputFault readFault(LayoutReader in) throws IOException {
    String code = in.readNullableString();
    if (code == null) {
      return null;
    }
    String message = in.readString();
    int limit = in.readInt();
    int count = in.readCount(Integer.BYTES);
    List<String> variables = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      variables.add(in.readString());
    }
    return new InputFault(
        ErrorCode.valueOf(code), message, variables, limit == NO_LIMIT ? null : (Integer) limit);
  }

  private static void writeContext(ContextEvent context, LayoutWriter out) throws IOException {
    writeAttributes(context.attributes(), out);
    List<CandidateArm> candidates = context.candidates();
    out.writeInt(candidates == null ? LayoutWriter.NULL_LENGTH : candidates.size());
    if (candidates != null) {
      for (CandidateArm candidate : candidates) {
        out.writeString(candidate.id());
        writeAttributes(candidate.attributes(), out);
      }
    }
    Long deadline = context.deadline();
    out.writeByte(deadline == null ? 0 : 1);
    if (deadline != null) {
      out.writeLong(deadline);
    }
    out.writeString(context.origin().traceParent());
  }

  private static void writeReward(RewardEvent reward, LayoutWriter out) throws IOException {
    out.writeString(reward.rewardId());
    Double value = reward.reward();
    out.writeDouble(value == null ? Double.longBitsToDouble(NO_REWARD) : value);
    writeAttributes(reward.mediators(), out);
    out.writeString(reward.shownArm());
  }

  private static @Nullable List<CandidateArm> readCandidates(LayoutReader in) throws IOException {
    int count = in.readNullableCount(MIN_CANDIDATE_BYTES);
    if (count == LayoutWriter.NULL_LENGTH) {
      return null;
    }
    List<CandidateArm> candidates = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      candidates.add(new CandidateArm(in.readString(), readAttributes(in)));
    }
    return candidates;
  }

  private static void writeAttributes(Map<String, Object> attributes, LayoutWriter out)
      throws IOException {
    out.writeInt(attributes.size());
    for (Map.Entry<String, Object> attribute : attributes.entrySet()) {
      out.writeString(attribute.getKey());
      Object value = attribute.getValue();
      if (value instanceof String text) {
        out.writeByte('s');
        out.writeString(text);
      } else if (value instanceof Long number) {
        out.writeByte('l');
        out.writeLong(number);
      } else if (value instanceof Double number) {
        out.writeByte('d');
        out.writeDouble(number);
      } else if (value instanceof Boolean truth) {
        out.writeByte('b');
        out.writeByte(truth ? 1 : 0);
      } else {
        throw new IllegalStateException(
            "attribute " + attribute.getKey() + " is a " + value.getClass().getName());
      }
    }
  }

  private static Map<String, Object> readAttributes(LayoutReader in) throws IOException {
    int count = in.readCount(MIN_ATTRIBUTE_BYTES);
    String[] names = new String[count];
    Object[] values = new Object[count];
    for (int i = 0; i < count; i++) {
      names[i] = in.readString();
      byte type = in.readByte();
      values[i] =
          switch (type) {
            case 's' -> in.readString();
            case 'l' -> in.readLong();
            case 'd' -> in.readDouble();
            case 'b' -> in.readBoolean();
            default -> throw new LayoutException("unknown attribute type " + type);
          };
    }
    return NameMap.ofAscending(names, values);
  }
}
