package io.equipoise.event;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Decodes the bytes of an input topic into inputs or dead letters. Never throws because of them;
 * time and memory are bounded by their number. Thread-safe.
 */
public final class InputDecoder {
  /** Maximum length of a decision id, reward id and segment, in bytes of UTF-8. */
  public static final int MAX_ID_BYTES = 128;

  /** Maximum length of an arm's id, in characters. */
  public static final int MAX_ARM_CHARS = 256;

  /** The smallest record limit that a job accepts, in bytes. */
  public static final int LEAST_MAX_BYTES = 1 << 10;

  private static final int MAX_UTF8_BYTES_PER_CHAR = 3;

  private static final long MILLIS_A_SECOND = 1000;
  private static final long START_OF_2100 = Instant.parse("2100-01-01T00:00:00Z").toEpochMilli();

  /** Earlier times are seconds mistaken for milliseconds, or clocks that were never set. */
  static final long START_OF_TIME = Instant.parse("2000-01-01T00:00:00Z").toEpochMilli();

  private static final long END_OF_TIME = Instant.parse("9999-12-31T23:59:59.999Z").toEpochMilli();

  private final int maxBytes;
  private final WriterSchemas writers;

  /** Makes a decoder that rejects values of more than {@code maxBytes} bytes. */
  public InputDecoder(int maxBytes) {
    this(maxBytes, WriterSchemas.NONE);
  }

  /** Makes a decoder that also reads Confluent's wire format; inputs keep their original bytes. */
  public InputDecoder(int maxBytes, WriterSchemas writers) {
    this.maxBytes = maxBytes;
    this.writers = writers;
  }

  /** Decodes one record without a lower limit of its event time. */
  public Decoded decode(
      LogTopic kind,
      byte @Nullable [] key,
      byte @Nullable [] value,
      Origin origin,
      long latestAllowedEventTime) {
    return decode(kind, key, value, origin, Long.MIN_VALUE, latestAllowedEventTime);
  }

  /**
   * Decodes one record. A record whose time is out of bounds or whose numbers are not finite is
   * Good with an error, because every context with valid ids gets a decision.
   *
   * @param kind of the record, an input
   * @param key of the record, only passed on
   * @param earliestAllowedEventTime epoch ms; earlier event times are EVENT_TIME_TOO_OLD
   * @param latestAllowedEventTime epoch ms; later event times are EVENT_TIME_IN_FUTURE
   */
  public Decoded decode(
      LogTopic kind,
      byte @Nullable [] key,
      byte @Nullable [] value,
      Origin origin,
      long earliestAllowedEventTime,
      long latestAllowedEventTime) {
    if (value == null) {
      return bad(new InputFault(ErrorCode.TOMBSTONE, "The value is null"), origin, key, null);
    }
    if (value.length == 0) {
      return bad(new InputFault(ErrorCode.EMPTY, "The value has no bytes"), origin, key, value);
    }
    if (value.length > maxBytes) {
      String fact =
          "The value has " + value.length + " bytes; at most " + maxBytes + " are allowed";
      return bad(InputFault.ofSize(ErrorCode.OVERSIZED, fact, maxBytes), origin, key, value);
    }
    Times times =
        new Times(earliestAllowedEventTime, Math.min(latestAllowedEventTime, END_OF_TIME));
    try {
      return kind == LogTopic.CONTEXTS
          ? context(writers.decode(Wire.CONTEXT, value), key, value, origin, times)
          : reward(writers.decode(Wire.REWARD, value), key, value, origin, times);
    } catch (WireException e) {
      return bad(new InputFault(e.code(), e.fact()), origin, key, value);
    }
  }

  private Decoded context(
      WireContext wire, byte @Nullable [] key, byte[] value, Origin origin, Times times) {
    @Nullable String idFault = faultOfIds(wire.decisionId(), wire.segment(), null, null);
    if (idFault != null) {
      return badId(idFault, wire.decisionId(), wire.segment(), key, value, origin);
    }
    InputFault fault = times.faultOf(wire.eventTime());
    if (fault == null) {
      fault = Faults.ofContext(wire, maxBytes);
    }
    return new Decoded.Good(
        new ContextEvent(
            wire.decisionId(),
            wire.segment(),
            wire.eventTime(),
            wire.attributes(),
            wire.candidates(),
            wire.deadline(),
            origin,
            value,
            fault,
            key));
  }

  private static Decoded reward(
      WireReward wire, byte @Nullable [] key, byte[] value, Origin origin, Times times) {
    @Nullable String idFault =
        faultOfIds(wire.decisionId(), wire.segment(), wire.rewardId(), wire.shownArm());
    if (idFault != null) {
      return badId(idFault, wire.decisionId(), wire.segment(), key, value, origin);
    }
    InputFault fault = times.faultOf(wire.eventTime());
    if (fault == null) {
      fault = Faults.ofReward(wire);
    }
    return new Decoded.Good(
        new RewardEvent(
            wire.decisionId(),
            wire.rewardId(),
            wire.segment(),
            wire.eventTime(),
            wire.reward(),
            wire.mediators(),
            wire.shownArm(),
            origin,
            value,
            fault,
            key));
  }

  private static Decoded bad(
      InputFault fault, Origin origin, byte @Nullable [] key, byte @Nullable [] value) {
    return new Decoded.Bad(DeadLetter.undecodable(fault, origin, key, value));
  }

  /** Keeps the well-formed ids; the others are in the original bytes. */
  private static Decoded badId(
      String fault,
      String decisionId,
      String segment,
      byte @Nullable [] key,
      byte[] value,
      Origin origin) {
    return new Decoded.Bad(
        DeadLetter.of(
            new InputFault(ErrorCode.INVALID_ID, fault),
            origin,
            isId(segment) ? segment : null,
            isId(decisionId) ? decisionId : null,
            key,
            value));
  }

  /** Describes the first invalid id of a record; null if all are valid. */
  private static @Nullable String faultOfIds(
      String decisionId, String segment, @Nullable String rewardId, @Nullable String shownArm) {
    @Nullable String which =
        !isId(decisionId)
            ? "decision id"
            : !isId(segment) ? "segment" : rewardId != null && !isId(rewardId) ? "reward id" : null;
    if (which != null) {
      return "The "
          + which
          + " is empty, has more than "
          + MAX_ID_BYTES
          + " bytes or a control character";
    }
    return shownArm != null
            && (shownArm.isEmpty()
                || shownArm.length() > MAX_ARM_CHARS
                || ControlCharacters.areIn(shownArm))
        ? "The arm shown is empty, has more than "
            + MAX_ARM_CHARS
            + " characters or a control character"
        : null;
  }

  private static boolean isId(String id) {
    if (id.isEmpty() || id.length() > MAX_ID_BYTES || ControlCharacters.areIn(id)) {
      return false;
    }
    return id.length() * MAX_UTF8_BYTES_PER_CHAR <= MAX_ID_BYTES
        || id.getBytes(StandardCharsets.UTF_8).length <= MAX_ID_BYTES;
  }

  /** Limits event times to a range, epoch ms. */
  private record Times(long earliest, long latest) {
    @Nullable InputFault faultOf(long eventTime) {
      if (eventTime > latest) {
        return new InputFault(
            ErrorCode.EVENT_TIME_IN_FUTURE,
            "The event time is " + shown(eventTime) + "; at most " + shown(latest) + " is allowed");
      }
      if (eventTime < START_OF_TIME) {
        return new InputFault(
            ErrorCode.TIME_OUT_OF_RANGE, "The event time is " + eventTime + unitOf(eventTime));
      }
      return eventTime < earliest
          ? new InputFault(
              ErrorCode.EVENT_TIME_TOO_OLD,
              "The event time is "
                  + shown(eventTime)
                  + "; at least "
                  + shown(earliest)
                  + " is allowed")
          : null;
    }
  }

  /** Returns a time as it was sent, and as people read it. */
  private static String shown(long time) {
    return time + " (" + Instant.ofEpochMilli(time) + ")";
  }

  /** Returns a hint if a time is plausible in seconds. */
  private static String unitOf(long eventTime) {
    boolean isInSeconds =
        eventTime >= START_OF_TIME / MILLIS_A_SECOND && eventTime < START_OF_2100 / MILLIS_A_SECOND;
    return isInSeconds
        ? ", which is " + Instant.ofEpochSecond(eventTime) + " in seconds; multiply it by 1000"
        : "";
  }

  /** Checks records with valid ids; messages name variables and no values. */
  private static final class Faults {
    private Faults() {}

    static @Nullable InputFault ofContext(WireContext context, int maxBytes) {
      InputFault fault = ofNumbers("attribute", context.attributes());
      List<CandidateArm> candidates = context.candidates();
      if (candidates != null) {
        for (int i = 0; i < candidates.size() && fault == null; i++) {
          fault = ofNumbers("attribute of candidate " + i + ",", candidates.get(i).attributes());
        }
        fault = fault == null ? ofAnswer(candidates, maxBytes) : fault;
      }
      return fault;
    }

    /** A decision lists its candidates, so its record must not exceed the topic's limit. */
    private static @Nullable InputFault ofAnswer(List<CandidateArm> candidates, int maxBytes) {
      long bytes = 0;
      for (CandidateArm arm : candidates) {
        bytes += AnswerSize.ofArm(arm.id());
        for (Object value : arm.attributes().values()) {
          bytes += value instanceof Number ? 2 * Double.BYTES : Double.BYTES; // level and number
        }
      }
      return bytes <= AnswerSize.most(maxBytes)
          ? null
          : AnswerSize.tooLarge(candidates.size(), bytes, maxBytes);
    }

    static @Nullable InputFault ofReward(WireReward reward) {
      Double value = reward.reward();
      return value == null || Double.isFinite(value)
          ? ofNumbers("mediator", reward.mediators())
          : new InputFault(ErrorCode.NOT_FINITE, "The reward is not finite");
    }

    private static @Nullable InputFault ofNumbers(String what, Map<String, Object> numbers) {
      for (Map.Entry<String, Object> entry : numbers.entrySet()) {
        if (entry.getValue() instanceof Double number && !Double.isFinite(number)) {
          String name = InputFault.brief(entry.getKey());
          return new InputFault(
              ErrorCode.NOT_FINITE, "The " + what + " " + name + " is not finite", List.of(name));
        }
      }
      return null;
    }
  }
}
