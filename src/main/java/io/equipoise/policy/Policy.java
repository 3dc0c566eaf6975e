package io.equipoise.policy;

import io.equipoise.event.DecisionReason;
import io.equipoise.policy.features.Profile;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Chooses arms under a spec, audits the choices and learns from rewards.
 *
 * <p>Immutable and safe for use by many threads; all that is learned lives in {@link ModelState}. A
 * choice is a function of blocks, request, t and draw. What becomes of the state under another spec
 * is in {@link Migration}.
 */
public interface Policy extends Migration {
  /** The remembered inputs of a model that needs only the person's levels. */
  double[] NO_INPUTS = {};

  /** Returns whether a request may bring arms of its own. */
  default boolean takesCandidates() {
    return false;
  }

  /**
   * Chooses among what a request offers, and audits the choice: one finding for each sensitive
   * attribute and counterfactual value, or for each ordered pair of values where it is undisclosed.
   * May change blocks that hold the policy's own state.
   *
   * <p>A choice that was published before its state was lost does not change: blocks change as if
   * it was chosen now, and it is audited by what is known now. After a restart from a checkpoint,
   * contexts and rewards may come in another order, and the policy would choose another arm.
   *
   * @param t decisions served so far, this one included, so at least 1
   * @param given the choice that was published before its state was lost; null if none was
   * @return the choice as it is to be recorded: a given one as it was shown, but for a sample that
   *     an experiment has no room for any more, which is then none
   * @throws UnusableRequestException if the request cannot be computed with; nothing has changed
   */
  AuditedChoice decide(
      ModelState modelState,
      Request request,
      long t,
      SeededRandom seededRandom,
      ClippedIndex clip,
      @Nullable PublishedChoice given);

  /** Chooses, where no choice was published before. */
  default AuditedChoice decide(
      ModelState modelState,
      Request request,
      long t,
      SeededRandom seededRandom,
      ClippedIndex clip) {
    return decide(modelState, request, t, seededRandom, clip, null);
  }

  /**
   * Returns whether a reward with these mediators can be learned: level indices in the order of the
   * mediators, -1 where one was not observed. None is ever imputed.
   */
  default boolean canLearn(int[] mediators) {
    return true;
  }

  /**
   * Returns whether the reward that a decision without one is taken to have earned can be learned
   * with these mediators.
   */
  default boolean canLearnDefault(int[] mediators, double reward) {
    return canLearn(mediators);
  }

  /** Returns why a finite reward cannot be learned, for people, or null if it can. */
  default @Nullable String refusalOf(double reward) {
    return null;
  }

  /** Returns the names of the mediators whose levels {@link #canLearn} asks for. */
  default List<String> mediatorsNeeded() {
    return List.of();
  }

  /** Returns what {@link #canLearn} asks for, for people. */
  default String needsOfMediators() {
    return "mediators are not read";
  }

  /**
   * Returns what a decision must be remembered with so that its reward can be learned, besides the
   * person's levels; at most a few numbers, none for a tabular model.
   */
  default double[] inputs(Request request, int candidate) {
    return NO_INPUTS;
  }

  /** Returns what a decision must be remembered with, a sample of an experiment by its type. */
  default double[] inputs(Request request, AuditedChoice audited) {
    return inputs(request, audited.choice().arm());
  }

  /**
   * Returns what a decision would have been remembered with, had an arm of the catalog, or one that
   * it had before, been shown instead of the one that was chosen.
   *
   * @param inputs of the decision
   * @param arm that arm's action variables
   */
  default double[] inputsOfArm(double[] inputs, Profile arm) {
    return inputs;
  }

  /** Returns what was remembered of the person besides levels: numeric variables, in order. */
  default double[] numbers(double[] inputs) {
    return NO_INPUTS;
  }

  /**
   * Learns a reward, which must be finite; {@link #canLearn} must hold.
   *
   * @param t decisions served so far
   * @throws UnusableRequestException if it cannot be computed with; nothing has changed
   */
  void learn(ModelState modelState, Experience experience, long t);

  /**
   * Takes note that a decision, of those that are {@linkplain DecisionReason#isLearned learned},
   * will bring nothing to learn any more.
   *
   * @param inputs that it was remembered with
   */
  default void lose(ModelState modelState, double[] inputs) {}

  /**
   * Takes note that a learned decision waits for no reward any more though no reward of its arm was
   * learned: another arm was shown, or nothing will come.
   *
   * @param arm place of its arm in the catalog; -1 for one that is not there
   * @param position of its arm in the segment's arm dictionary
   */
  default void end(ModelState modelState, int arm, int position) {}

  /**
   * Returns the causal bounds about a person and the catalog that what was learned excludes at the
   * spec's delta and that were not known to be refuted, in the order of the arms; empty for
   * policies that take none.
   */
  default List<Refutation> refuted(
      ModelState modelState, Request request, long t, CausalBoundTable boundsTable, BitSet known) {
    return List.of();
  }

  /**
   * Returns how many effects an audit has for each comparison of an attribute: one for each kind of
   * effect with a limit.
   *
   * @param attribute its place, or the number of a set of attributes
   */
  default int effectsOf(int attribute) {
    return 1;
  }

  /** Returns the groups of several attributes that the policy balances; empty if it does not. */
  default List<JointGroup> jointGroups(ModelState modelState) {
    return List.of();
  }

  /**
   * Returns what each arm of the spec lacks to be certified for each sensitive attribute, ordered
   * by arm and attribute; empty for policies without a forecast. A function of blocks and traffic
   * that changes nothing.
   */
  default List<CertificateOutlook> outlook(ModelState modelState, SegmentTraffic traffic) {
    return List.of();
  }

  /** Returns the bytes of a segment's blocks once all of them are there, with their keys. */
  double modelBytes();

  /** Returns the bytes that every arm beside the spec's adds at most, once it was rewarded. */
  default double bytesOfOwnArm() {
    return 0;
  }

  /** Returns what an operator should know of a sound spec. */
  List<String> warnings();
}
