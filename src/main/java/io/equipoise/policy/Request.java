package io.equipoise.policy;

import io.equipoise.policy.features.Profile;
import java.util.List;

/**
 * Asks for a decision for a person among candidates.
 *
 * @param candidates at least one; no two with the same id
 * @param isSpecArms whether the candidates are the spec's arms in their order
 * @param known how many positions the segment's arm dictionary has: the next arm that is chosen for
 *     the first time gets this one
 */
public record Request(Profile person, List<Candidate> candidates, boolean isSpecArms, int known) {
  /** Copies the list. */
  public Request {
    candidates = List.copyOf(candidates);
  }

  /**
   * Offers an arm to a decision.
   *
   * @param position place of the arm in the segment's arm dictionary; -1 for one that was never
   *     chosen
   */
  public record Candidate(String id, int position, Profile arm) {}
}
