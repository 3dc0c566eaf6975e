package io.equipoise.segment;

import io.equipoise.event.CandidateArm;
import io.equipoise.event.ContextEvent;
import io.equipoise.event.ControlCharacters;
import io.equipoise.event.ErrorCode;
import io.equipoise.event.InputDecoder;
import io.equipoise.event.InputFault;
import io.equipoise.policy.Request.Candidate;
import io.equipoise.policy.features.Profile;
import io.equipoise.segment.state.CompiledSpec;
import io.equipoise.segment.state.SegmentHeader;
import io.equipoise.segmentspec.Encoded;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The arms that a request brings, encoded, or why it cannot be answered with them.
 *
 * @param candidates null where the request brings none, which means those of the spec
 */
public record RequestCandidates(@Nullable List<Candidate> candidates, @Nullable InputFault fault) {
  /** Bounds what one request may cost. */
  static final int MOST = 10_000;

  /**
   * Arms that a segment knows before those of requests that it was never given stay out: each one
   * chosen stays in its state for good. Arms of specs come in beyond that.
   */
  static final int MOST_KNOWN = 10_000;

  /** Of a request that brings none. */
  static final RequestCandidates NONE = new RequestCandidates(null, null);

  private static final int MAX_ID_LENGTH = InputDecoder.MAX_ARM_CHARS;

  static RequestCandidates of(ContextEvent event, CompiledSpec spec) {
    List<CandidateArm> given = event.candidates();
    if (given == null) {
      return NONE;
    }
    if (!spec.policy().takesCandidates()) {
      return refused(
          ErrorCode.CANDIDATES_UNSUPPORTED,
          "the policy of this segment has no model of a request's own candidates");
    }
    if (given.isEmpty() || given.size() > MOST) {
      return refused(
          ErrorCode.CANDIDATES_INVALID,
          given.size() + " candidates; send 1 to " + MOST + ", or none for the arms of the spec");
    }
    List<Candidate> candidates = new ArrayList<>();
    Set<String> ids = new HashSet<>();
    for (CandidateArm arm : given) {
      String which = "candidate " + candidates.size();
      if (arm.id().isEmpty()
          || arm.id().length() > MAX_ID_LENGTH
          || ControlCharacters.areIn(arm.id())
          || !ids.add(arm.id())) {
        return refused(
            ErrorCode.CANDIDATES_INVALID,
            "the id of %s is empty, longer than %d, there twice or has a control character"
                .formatted(which, MAX_ID_LENGTH));
      }
      Encoded encoded = spec.encoder().encodeArm(arm.attributes());
      if (!encoded.isValid()) {
        return new RequestCandidates(null, ReadingFaults.of(which + ": ", encoded));
      }
      Candidate candidate =
          new Candidate(arm.id(), -1, new Profile(encoded.levels(), encoded.numbers()));
      if (spec.specArms().stream().anyMatch(own -> isAnotherOfOneId(own, candidate))) {
        return refused(
            ErrorCode.CANDIDATES_INVALID,
            which
                + " has the id of an arm of the spec, but sets what that does not; send what"
                + " the spec's arm sets, or another id");
      }
      candidates.add(candidate);
    }
    return new RequestCandidates(candidates, null);
  }

  /** A reward that names the arm shown is learned with what the spec's arm of that id sets. */
  private static boolean isAnotherOfOneId(Candidate known, Candidate given) {
    return known.id().equals(given.id())
        && !(Arrays.equals(known.arm().levels(), given.arm().levels())
            && Arrays.equals(known.arm().numbers(), given.arm().numbers()));
  }

  /** Leaves out what the segment has no room to remember; refuses the request if that is all. */
  RequestCandidates rememberedBy(SegmentHeader head) {
    if (candidates == null || head.arms.size() < MOST_KNOWN) {
      return this;
    }
    List<Candidate> known =
        candidates.stream().filter(candidate -> head.find(candidate.id()) >= 0).toList();
    return known.isEmpty()
        ? refused(
            ErrorCode.TOO_MANY_ARMS,
            "none of the candidates was given before, and the segment knows "
                + head.arms.size()
                + " arms already")
        : new RequestCandidates(known, null);
  }

  /** Leaves out what a decision was not taken among. */
  public RequestCandidates among(List<String> shown) {
    if (candidates == null) {
      return this;
    }
    Set<String> ids = new HashSet<>(shown);
    return new RequestCandidates(
        candidates.stream().filter(candidate -> ids.contains(candidate.id())).toList(), null);
  }

  private static RequestCandidates refused(ErrorCode code, String message) {
    return new RequestCandidates(null, new InputFault(code, message));
  }
}
