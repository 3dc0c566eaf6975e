package io.equipoise.audit.verify;

import io.equipoise.event.ContextEvent;
import io.equipoise.event.Decision;
import io.equipoise.privacy.CiphertextException;
import io.equipoise.privacy.Redactor;
import io.equipoise.privacy.SensitiveValues;
import io.equipoise.privacy.Unredactor;
import io.equipoise.segment.replay.FeaturesOfContext;
import io.equipoise.segment.replay.ReplayMismatchException;
import io.equipoise.segment.state.CompiledSpec;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Judges whether decisions rest on the attributes of the contexts that they answer (I1): on the
 * features, and those of candidates, that the spec which a decision names makes of them. Of
 * decisions that hide features without the key here, the others are compared.
 *
 * <p>A replay believes the features that a decision tells, so nobody else would know. Where a
 * decision leaves them off, the replay takes them from the context by itself.
 */
final class ContextMatch {
  private final SpecCatalog specCatalog;
  private final FindingsCollector findingsCollector;
  private final Unredactor unredactor;
  private final Redactor dropping;

  ContextMatch(
      SpecCatalog specCatalog, FindingsCollector findingsCollector, Unredactor unredactor) {
    this.specCatalog = specCatalog;
    this.findingsCollector = findingsCollector;
    this.unredactor = unredactor;
    this.dropping = new Redactor(SensitiveValues.REDACT, null, 1, specCatalog::spec);
  }

  /** Judges a decision that tells features; that its context is another by its ids, others tell. */
  void check(Change change, Decision decision, ContextEvent context) {
    CompiledSpec spec = specCatalog.specs().byHash(String.valueOf(decision.specHash()));
    boolean isOfContext =
        context.decisionId().equals(decision.decisionId())
            && context.segment().equals(decision.segment());
    if (spec != null && isOfContext && !isOn(decision, context, spec)) {
      findingsCollector.violated(
          Invariant.I1,
          "decision_id %s of segment %s (%s)"
              .formatted(decision.decisionId(), decision.segment(), change.at().place()),
          "it rests on other features than the context at its origin %s/%d/%d has"
              .formatted(
                  decision.contextTopic(), decision.contextPartition(), decision.contextOffset()));
    }
  }

  private boolean isOn(Decision told, ContextEvent context, CompiledSpec spec) {
    Decision plain = plain(told);
    Decision due;
    try {
      due = FeaturesOfContext.in(plain == null ? told : plain, context, spec);
    } catch (ReplayMismatchException e) {
      return false; // it could not have been answered so
    }
    return plain == null ? areAlike(told, dropping.of(due)) : areAlike(plain, due);
  }

  private static boolean areAlike(Decision one, Decision other) {
    return Objects.equals(one.features(), other.features())
        && Objects.equals(one.candidateFeatures(), other.candidateFeatures());
  }

  /** Returns what a decision hides, or null where that cannot be had. */
  private @Nullable Decision plain(Decision told) {
    try {
      return unredactor.reveal(told);
    } catch (CiphertextException e) {
      return null; // I3 tells
    }
  }
}
