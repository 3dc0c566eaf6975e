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
 * Checks that decisions use the attributes of their contexts (I1): that features and candidate
 * features equal those that the decision's spec derives from the context. If features are redacted
 * and the key is not available, only the others are compared.
 *
 * <p>A replay takes the features from the decision, so no other check covers them. If a decision
 * omits its features, the replay derives them from the context itself.
 */
final class ContextMatch {
  private final SpecCatalog specCatalog;
  private final FindingsCollector findings;
  private final Unredactor unredactor;
  private final Redactor dropping;

  ContextMatch(SpecCatalog specCatalog, FindingsCollector findings, Unredactor unredactor) {
    this.specCatalog = specCatalog;
    this.findings = findings;
    this.unredactor = unredactor;
    this.dropping = new Redactor(SensitiveValues.REDACT, null, 1, specCatalog::spec);
  }

  /** Checks a decision that contains features; other checks report a context with other ids. */
  void check(Change change, Decision decision, ContextEvent context) {
    CompiledSpec spec = specCatalog.specs().byHash(String.valueOf(decision.specHash()));
    boolean isOfContext =
        context.decisionId().equals(decision.decisionId())
            && context.segment().equals(decision.segment());
    if (spec != null && isOfContext && !isOn(decision, context, spec)) {
      findings.violated(
          Invariant.I1,
          Change.decision(decision.decisionId(), decision.segment(), change.at().place()),
          "its features differ from those of the context at its origin " + decision.source());
    }
  }

  private boolean isOn(Decision logged, ContextEvent context, CompiledSpec spec) {
    Decision plain = plain(logged);
    Decision due;
    try {
      due = FeaturesOfContext.in(plain == null ? logged : plain, context, spec);
    } catch (ReplayMismatchException e) {
      return false; // the context cannot have this decision
    }
    return plain == null ? areAlike(logged, dropping.of(due)) : areAlike(plain, due);
  }

  private static boolean areAlike(Decision one, Decision other) {
    return Objects.equals(one.features(), other.features())
        && Objects.equals(one.candidateFeatures(), other.candidateFeatures());
  }

  /** Returns a decision without redaction, or null if it cannot be opened. */
  private @Nullable Decision plain(Decision logged) {
    try {
      return unredactor.reveal(logged);
    } catch (CiphertextException e) {
      return null; // I3 reports it
    }
  }
}
