package io.equipoise.policy.bestarm;

import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Records what the end of a phase decided.
 *
 * @param before the arms that were left before
 * @param fair F, the arms within E by the paper's band, which certifies nothing; empty in other
 *     stages than a joint one
 * @param leader H, the arm with the greatest Yhat that sets the bar; -1 if there is none
 * @param eliminated every reason found against an arm; empty while the gate is closed
 * @param after the arms that are left
 * @param isGateClosed whether nothing could be dropped because F is empty
 */
public record SearchVerdict(
    Phase phase,
    BitSet before,
    BitSet fair,
    int leader,
    List<Elimination> eliminated,
    BitSet after,
    boolean isGateClosed,
    @Nullable Conclusion conclusion) {
  public SearchVerdict {
    eliminated = List.copyOf(eliminated);
  }

  /** Returns how the search ended, if this phase ended it. */
  public Optional<Conclusion> end() {
    return Optional.ofNullable(conclusion);
  }
}
