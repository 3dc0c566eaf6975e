package io.equipoise.join;

import io.equipoise.bandit.Request.Offer;
import io.equipoise.bandit.features.Profile;
import io.equipoise.event.CandidateArm;
import io.equipoise.event.ContextEvent;
import io.equipoise.event.ErrorCode;
import io.equipoise.spec.Encoded;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The arms that a request brings, encoded, or why it cannot be answered with them.
 *
 * @param offers null where the request brings none, which means those of the spec
 */
record OwnArms(@Nullable List<Offer> offers, @Nullable ErrorCode fault, String message) {
  /** Bounds what one request may cost. */
  static final int MOST = 10_000;

  private static final int MAX_ID_LENGTH = 256;

  static OwnArms of(ContextEvent event, CompiledSpec spec) {
    List<CandidateArm> given = event.candidates();
    if (given == null) {
      return new OwnArms(null, null, "");
    }
    if (!spec.bandit().takesOffers()) {
      return refused(
          ErrorCode.CANDIDATES_UNSUPPORTED,
          "the policy of this segment has no model of a request's own candidates");
    }
    if (given.isEmpty() || given.size() > MOST) {
      return refused(
          ErrorCode.CANDIDATES_INVALID,
          given.size() + " candidates; send 1 to " + MOST + ", or none for the arms of the spec");
    }
    List<Offer> offers = new ArrayList<>();
    Set<String> ids = new HashSet<>();
    for (CandidateArm arm : given) {
      if (arm.id().isEmpty() || arm.id().length() > MAX_ID_LENGTH || !ids.add(arm.id())) {
        return refused(
            ErrorCode.CANDIDATES_INVALID,
            "a candidate's id is empty, longer than " + MAX_ID_LENGTH + " or there twice");
      }
      Encoded encoded = spec.encoder().encodeArm(arm.attributes());
      if (!encoded.isValid()) {
        return refused(Faults.code(encoded), "a candidate: " + Faults.message(encoded));
      }
      offers.add(new Offer(arm.id(), -1, new Profile(encoded.levels(), encoded.numbers())));
    }
    return new OwnArms(offers, null, "");
  }

  private static OwnArms refused(ErrorCode code, String message) {
    return new OwnArms(null, code, message);
  }
}
