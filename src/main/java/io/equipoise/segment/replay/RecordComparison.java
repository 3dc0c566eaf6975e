package io.equipoise.segment.replay;

import io.equipoise.event.AssumptionAudit;
import io.equipoise.event.Decision;
import io.equipoise.event.Digests;
import io.equipoise.event.RefutedBounds;
import io.equipoise.event.SegmentEvent;
import io.equipoise.event.SegmentMetrics;
import java.lang.reflect.RecordComponent;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Compares the records of a log with those of its replay, bit for bit. */
final class RecordComparison {
  /** Fields whose values an error message must not show if the record is redacted. */
  private static final Set<String> HIDDEN =
      Set.of(
          "features",
          "decision.features",
          "estimate",
          "estimate.index",
          "estimate.mean",
          "estimate.width",
          "sample",
          "sample.type",
          "digests",
          "digests.model",
          "digests.pending");

  private RecordComparison() {}

  /** Compares a decision with the one that a replay writes in its place, field by field. */
  static void check(Decision logged, @Nullable Decision replayed) {
    check(logged.segment(), logged.seq(), logged, replayed);
  }

  /**
   * Compares a segment event with the one that a replay writes in its place, field by field. Skips
   * features that are redacted and cannot be decrypted.
   */
  static void check(SegmentEvent logged, @Nullable SegmentEvent replayed) {
    check(
        logged.segment(),
        logged.seq(),
        withoutTexts(logged),
        replayed == null ? null : withoutTexts(asToldBy(logged, replayed)));
  }

  /** Compares the digests of a snapshot with those of the state that a replay reached. */
  static void checkDigests(SegmentMetrics logged, SegmentMetrics replayed) {
    Digests one = logged.digests();
    Digests other = replayed.digests();
    if (one == null || other == null) {
      check(logged.segment(), logged.seq(), "digests", one, other);
    } else {
      checkFields(logged.segment(), logged.seq(), "digests.", one, other);
    }
  }

  private static SegmentEvent asToldBy(SegmentEvent logged, SegmentEvent replayed) {
    return logged.redaction() == null
        ? replayed
        : replayed.with(
            logged.features(),
            logged.redaction(),
            hidden(logged, replayed),
            hiddenBounds(logged, replayed));
  }

  /** Removes texts for people, which are not compared. */
  private static SegmentEvent withoutTexts(SegmentEvent segmentEvent) {
    AssumptionAudit refuted = segmentEvent.assumption();
    return refuted == null
        ? segmentEvent
        : segmentEvent.with(
            segmentEvent.features(),
            segmentEvent.redaction(),
            refuted.withRemedy(""),
            segmentEvent.refutedBounds());
  }

  /**
   * Replaces the redacted parts of a refuted assumption, its cell and the cell's numbers, by the
   * logged ones.
   */
  private static @Nullable AssumptionAudit hidden(SegmentEvent logged, SegmentEvent replayed) {
    AssumptionAudit shown = logged.assumption();
    AssumptionAudit refuted = replayed.assumption();
    return shown == null || refuted == null
        ? refuted
        : refuted.with(shown.cell(), shown.logEvalue(), shown.observations());
  }

  /**
   * Returns the logged row of redacted bounds if arm and variables agree: only those are compared.
   */
  private static @Nullable RefutedBounds hiddenBounds(SegmentEvent logged, SegmentEvent told) {
    RefutedBounds shown = logged.refutedBounds();
    RefutedBounds refuted = told.refutedBounds();
    boolean isOfSameVariables =
        shown != null
            && refuted != null
            && shown.arm().equals(refuted.arm())
            && shown.context().keySet().equals(refuted.context().keySet());
    return isOfSameVariables ? shown : refuted;
  }

  /**
   * Compares two values.
   *
   * @throws ReplayMismatchException if they differ
   */
  static void check(
      String segment, long seq, String what, @Nullable Object logged, @Nullable Object replayed) {
    if (!Objects.equals(logged, replayed)) {
      String where = "%s at seq %d of segment %s: ".formatted(what, seq, segment);
      String values = where + "the log says %s, the replay %s".formatted(logged, replayed);
      throw new ReplayMismatchException(
          values, HIDDEN.contains(what) ? where + "the replay says something else" : values);
    }
  }

  private static void check(String segment, long seq, Record logged, @Nullable Record replayed) {
    if (replayed == null) {
      throw new ReplayMismatchException(
          "seq %d of segment %s: the replay finds no such change".formatted(seq, segment));
    }
    if (!logged.equals(replayed)) {
      checkFields(segment, seq, "", logged, replayed);
    }
  }

  /** Compares field by field, also in nested records, whose fields are named by their path. */
  private static void checkFields(
      String segment, long seq, String path, Record logged, Record replayed) {
    for (RecordComponent field : logged.getClass().getRecordComponents()) {
      String name = path + field.getName();
      Object one = value(field, logged);
      Object other = value(field, replayed);
      if (one instanceof Record nested && other instanceof Record again && !one.equals(other)) {
        checkFields(segment, seq, name + ".", nested, again);
      } else {
        check(segment, seq, name, one, other);
      }
    }
  }

  private static @Nullable Object value(RecordComponent field, Record record) {
    try {
      return field.getAccessor().invoke(record);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("no " + field + " in " + record.getClass(), e);
    }
  }
}
