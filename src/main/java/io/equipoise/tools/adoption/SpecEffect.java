package io.equipoise.tools.adoption;

import io.equipoise.event.AbortReason;
import io.equipoise.event.SegmentEvent;
import io.equipoise.event.SpecAdoption;
import io.equipoise.segment.upgrade.SpecUpgrade;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Predicts the effect of another spec on a segment's model, policy state and pending decisions.
 *
 * @param kind whether the model continues
 * @param reset parts of the state that start empty, as in {@code segment-events}
 * @param extended variables that have other levels
 * @param abort why a running experiment ends, null if it continues
 * @param reason why the model cannot continue, null if it does or if that is not known
 */
public record SpecEffect(
    EffectOfChange kind,
    List<String> reset,
    List<String> extended,
    @Nullable AbortReason abort,
    @Nullable String reason) {

  /** What makes a rejected spec acceptable. */
  public static final String REMEDY =
      "Change the spec, or set on-incompatible-change: reset, so that models start empty";

  /** Classifies the effect of a spec on a segment and its model. */
  public enum EffectOfChange {
    UNCHANGED("the same text; nothing changes"),
    KEPT("model kept; pending decisions continue"),
    MIGRATED("model migrated; pending decisions are translated when they are settled"),
    RESET(
        "model and audit start empty; rewards of pending decisions go to the dead letter as"
            + " MODEL_CHANGED"),
    REJECTED(
        "rejected (SPEC_REJECTED): on-incompatible-change is reject; the running spec and its"
            + " pending decisions continue"),
    FIRST("starts empty"),
    UNCOVERED(
        "no spec takes over; these segments continue as they are, and new segments are"
            + " rejected with UNKNOWN_SEGMENT"),
    UNKNOWN(
        "cannot be compared: the running spec's text is not on the topic; the job compares it with"
            + " the text in its state");

    private final String words;

    EffectOfChange(String words) {
      this.words = words;
    }
  }

  public SpecEffect {
    reset = List.copyOf(reset);
    extended = List.copyOf(extended);
  }

  /** Returns an effect without details. */
  public static SpecEffect of(EffectOfChange kind) {
    return new SpecEffect(kind, List.of(), List.of(), null, null);
  }

  /** Returns the effect on a segment that had no spec. */
  public static SpecEffect first() {
    return of(EffectOfChange.FIRST);
  }

  /** Returns the effect of an adoption that a segment event reports. */
  public static SpecEffect of(SegmentEvent adopted) {
    SpecAdoption adoption = Objects.requireNonNull(adopted.adoption());
    EffectOfChange kind =
        adoption.stateReset().contains("model")
            ? EffectOfChange.RESET
            : adoption.extendedVariables().isEmpty()
                ? EffectOfChange.KEPT
                : EffectOfChange.MIGRATED;
    return new SpecEffect(
        kind, adoption.stateReset(), adoption.extendedVariables(), adopted.abortReason(), null);
  }

  /** Returns whether the model continues with all that it has learned. */
  public boolean isModelKept() {
    return kind == EffectOfChange.KEPT || kind == EffectOfChange.MIGRATED;
  }

  /** Returns the same with why the model cannot continue. */
  public SpecEffect because(String why) {
    return new SpecEffect(kind, reset, extended, abort, why);
  }

  /** Returns the {@link #line}, and what to do where a segment rejects the spec. */
  public List<String> details() {
    return kind == EffectOfChange.REJECTED ? List.of(line(), REMEDY) : List.of(line());
  }

  /** Returns one line for people. */
  public String line() {
    StringBuilder line = new StringBuilder(kind.words);
    if (kind == EffectOfChange.MIGRATED) {
      line.append("; other levels: ").append(String.join(", ", extended));
    }
    List<String> empty = reset.stream().filter(it -> !it.equals(SpecUpgrade.SPLIT)).toList();
    if (kind != EffectOfChange.RESET && !empty.isEmpty()) {
      line.append("; starts empty: ").append(String.join(", ", empty));
    }
    if (reset.contains(SpecUpgrade.SPLIT)) {
      line.append("; the live split ends or starts again, with its delta: what it counted is lost");
    }
    if (reason != null) {
      line.append("; because ").append(reason);
    }
    if (abort != null) {
      line.append("; a running experiment ends (").append(abort).append(')');
    }
    return line.toString();
  }

  public Map<String, @Nullable Object> json() {
    Map<String, @Nullable Object> json = new LinkedHashMap<>();
    json.put("effect", kind.name());
    json.put("stateReset", reset);
    json.put("extendedVariables", extended);
    json.put("abortReason", abort == null ? null : abort.name());
    json.put("reason", reason);
    return json;
  }
}
