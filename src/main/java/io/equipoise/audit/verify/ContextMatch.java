package io.equipoise.audit.verify;

import io.equipoise.event.ContextEvent;
import io.equipoise.event.Decision;
import io.equipoise.join.CompiledSpec;
import io.equipoise.join.FeaturesOfContext;
import io.equipoise.join.OracleMismatchException;
import io.equipoise.join.disclosure.Discloser;
import io.equipoise.join.disclosure.Disclosure;
import io.equipoise.join.disclosure.Revealer;
import io.equipoise.join.disclosure.SealedException;
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
  private final Texts texts;
  private final Docket docket;
  private final Revealer revealer;
  private final Discloser dropping;

  ContextMatch(Texts texts, Docket docket, Revealer revealer) {
    this.texts = texts;
    this.docket = docket;
    this.revealer = revealer;
    this.dropping = new Discloser(Disclosure.REDACT, null, 1, texts::spec);
  }

  /** Judges a decision that tells features; that its context is another by its ids, others tell. */
  void judge(Change change, Decision decision, ContextEvent context) {
    CompiledSpec spec = texts.specs().byHash(String.valueOf(decision.specHash()));
    boolean isOfContext =
        context.decisionId().equals(decision.decisionId())
            && context.segment().equals(decision.segment());
    if (spec != null && isOfContext && !isOn(decision, context, spec)) {
      docket.violated(
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
    } catch (OracleMismatchException e) {
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
      return revealer.reveal(told);
    } catch (SealedException e) {
      return null; // I3 tells
    }
  }
}
