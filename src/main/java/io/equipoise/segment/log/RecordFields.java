package io.equipoise.segment.log;

import io.equipoise.event.ArmEstimate;
import io.equipoise.event.Propensities;
import io.equipoise.event.Versions;
import io.equipoise.policy.Choice;
import io.equipoise.policy.Request;
import io.equipoise.policy.Request.Candidate;
import io.equipoise.policy.features.Profile;
import io.equipoise.segment.state.CompiledSpec;
import io.equipoise.segment.state.PendingPropensities;
import io.equipoise.segment.state.SegmentContext;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Converts values of the library to the fields that records have. */
public final class RecordFields {
  /** Most propensities are 0 or 1: one shared object for each. */
  private static final Double ZERO = 0.0;

  private static final Double ONE = 1.0;

  private static final double[] NO_NUMBERS = {};

  private RecordFields() {}

  /** Returns a number of a choice, or null if it is NaN: the policy has none. */
  static @Nullable Double known(double value) {
    return Double.isNaN(value) ? null : (Double) value;
  }

  /** Returns what the policy computed of the arm that it chose, or null. */
  static @Nullable ArmEstimate estimate(Choice choice) {
    return ArmEstimate.of(known(choice.index()), known(choice.mean()), known(choice.width()));
  }

  /** Returns the ids of a request's candidates, in its order. */
  public static List<String> candidates(Request request, CompiledSpec compiled) {
    return request.isSpecArms()
        ? compiled.armIds()
        : request.candidates().stream().map(Candidate::id).toList();
  }

  /** Returns levels and, where the policy reads them, the values of numeric variables. */
  public static List<Double> features(Profile person, CompiledSpec compiled) {
    return all(
        person.levels(), compiled.policy().takesCandidates() ? person.numbers() : NO_NUMBERS);
  }

  public static List<List<Double>> features(List<Candidate> candidates) {
    return candidates.stream()
        .map(Candidate::arm)
        .map(arm -> all(arm.levels(), arm.numbers()))
        .toList();
  }

  /** Returns the levels of a context as the log has them. */
  static List<Double> levels(int[] context) {
    return all(context, NO_NUMBERS);
  }

  private static List<Double> all(int[] levels, double[] numbers) {
    Double[] all = new Double[levels.length + numbers.length];
    for (int i = 0; i < levels.length; i++) {
      all[i] = (double) levels[i];
    }
    for (int i = 0; i < numbers.length; i++) {
      all[levels.length + i] = numbers[i];
    }
    return List.of(all);
  }

  /** Returns the spec and the causal bounds that are active in a segment. */
  static Versions versions(SegmentContext segmentContext, @Nullable String fingerprint) {
    @Nullable CompiledSpec spec = segmentContext.spec;
    return new Versions(
        spec == null ? null : spec.spec().hash(),
        spec == null ? null : (Long) spec.spec().version(),
        segmentContext.head.boundsHash,
        segmentContext.boundsVersion(),
        fingerprint);
  }

  /** Returns propensities as the log has them. */
  static Propensities logged(PendingPropensities known) {
    return known.equals(PendingPropensities.SURE)
        ? Propensities.SURE
        : new Propensities(
            known.kind(),
            boxed(known.values()),
            Arrays.stream(known.runs()).boxed().toList(),
            known.draws() == 0 ? null : (Integer) known.draws());
  }

  private static List<Double> boxed(double[] values) {
    Double[] boxed = new Double[values.length];
    for (int i = 0; i < boxed.length; i++) {
      double value = values[i];
      boxed[i] = value == 1 ? ONE : Double.doubleToRawLongBits(value) == 0 ? ZERO : (Double) value;
    }
    return List.of(boxed);
  }
}
