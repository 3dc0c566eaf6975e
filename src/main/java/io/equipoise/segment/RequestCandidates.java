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
 * Encodes the arms that a request brings, or finds the fault that rejects them.
 *
 * @param candidates null if the request brings none: then the arms of the spec are meant
 */
public record RequestCandidates(@Nullable List<Candidate> candidates, @Nullable InputFault fault) {
  /** Maximum number of candidates of a request, which bounds its cost. */
  static final int MOST = 10_000;

  /**
   * Number of known arms from which on a segment ignores unknown candidates of requests, since
   * every chosen arm stays in its state. Arms of specs do not count against this limit.
   */
  static final int MOST_KNOWN = 10_000;

  /** Stands for a request that brings no candidates. */
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

  /**
   * Returns whether a candidate has the id of a spec's arm but sets other levels. Such an id is
   * ambiguous: the reward of a shown arm is learned with what the spec's arm of that id sets.
   */
  private static boolean isAnotherOfOneId(Candidate known, Candidate given) {
    return known.id().equals(given.id())
        && !(Arrays.equals(known.arm().levels(), given.arm().levels())
            && Arrays.equals(known.arm().numbers(), given.arm().numbers()));
  }

  /**
   * Drops candidates that the segment has no room to remember; rejects the request if none is left.
   */
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

  /** Keeps the candidates that a decision was made among. */
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
