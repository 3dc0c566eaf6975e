package io.equipoise.segment;

import io.equipoise.event.Decision;
import io.equipoise.event.ExperimentSample;
import io.equipoise.event.Origin;
import io.equipoise.policy.AuditedChoice;
import io.equipoise.policy.Choice;
import io.equipoise.policy.PublishedChoice;
import io.equipoise.policy.Request;
import io.equipoise.segment.log.RecordFields;
import io.equipoise.segment.state.CompiledSpec;
import io.equipoise.segment.state.SpecRegistry;
import io.equipoise.segment.upgrade.SpecTranslation;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Restores a policy's choice from the record of its decision. */
final class RecoveredChoice {
  private RecoveredChoice() {}

  /**
   * Returns whether the policy can learn from the recovered arm as if it chose it now: the request
   * is the same, the statistics of the model mean the same, and the arms set the same levels. A
   * decision with redacted features never qualifies. One that leaves its features off qualifies
   * only if it was made for the same input record.
   *
   * @param origin where the request was read
   * @param spec the one adopted
   * @param book finds the spec of the decision; if it does not, the result is false
   */
  static boolean isOf(
      Decision given, Request request, Origin origin, CompiledSpec spec, SpecRegistry book) {
    return given.redaction() == null
        && spec.fingerprint().equals(given.versions().modelFingerprint())
        && (request.isSpecArms() ? List.of() : RecordFields.candidates(request, spec))
            .equals(given.candidates())
        && RecordFields.candidates(request, spec).contains(given.arm())
        && (given.lacksFeatures()
            ? origin.source().equals(given.source())
            : areAlike(given, request, spec))
        && (!request.isSpecArms() || areArmsAlike(given, spec, book));
  }

  private static boolean areAlike(Decision given, Request request, CompiledSpec spec) {
    return RecordFields.features(request.person(), spec).equals(given.features())
        && (request.isSpecArms()
            ? given.candidateFeatures() == null
            : RecordFields.features(request.candidates()).equals(given.candidateFeatures()));
  }

  /** Returns whether the spec's arms set the same levels as under the spec of the decision. */
  private static boolean areArmsAlike(Decision given, CompiledSpec spec, SpecRegistry book) {
    String hash = given.specHash();
    if (hash == null || hash.equals(spec.spec().hash())) {
      return hash != null;
    }
    CompiledSpec before = book.byHash(hash);
    return before != null
        && before.armIds().equals(spec.armIds())
        && SpecTranslation.specArms(before.spec()).equals(SpecTranslation.specArms(spec.spec()));
  }

  /**
   * Returns the choice.
   *
   * @param candidates the ids of all candidates
   * @throws IllegalArgumentException if its arm is not one of them, not all have a propensity, or
   *     no policy chose it
   */
  static PublishedChoice of(Decision given, List<String> candidates) {
    int arm = candidates.indexOf(given.arm());
    if (arm < 0) {
      throw new IllegalArgumentException(
          "seq %d of segment %s gives arm %s, which is none of its candidates"
              .formatted(given.seq(), given.segment(), given.arm()));
    }
    if (!given.reason().isChoice()) {
      throw new IllegalArgumentException(
          "seq %d of segment %s has reason %s, which is not a policy's"
              .formatted(given.seq(), given.segment(), given.reason()));
    }
    ExperimentSample sample = given.sample();
    Integer type = sample == null ? null : sample.type();
    Integer draws = given.propensities().draws();
    return new PublishedChoice(
        new Choice(
            arm,
            given.reason(),
            number(given.index()),
            number(given.mean()),
            number(given.width()),
            given.propensities().kind(),
            draws == null ? 0 : draws,
            given.propensitiesOf(candidates).stream().mapToDouble(Double::doubleValue).toArray(),
            given.certified(),
            given.fairSetSize() == null ? -1 : given.fairSetSize(),
            null,
            false),
        type == null ? null : new AuditedChoice.Sample(sample.phase(), type));
  }

  private static double number(@Nullable Double value) {
    return value == null ? Double.NaN : value;
  }
}
