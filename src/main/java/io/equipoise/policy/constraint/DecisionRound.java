package io.equipoise.policy.constraint;

import io.equipoise.event.DecisionReason;
import io.equipoise.event.PropensityKind;
import io.equipoise.fairness.AuditFinding;
import io.equipoise.policy.AuditedChoice;
import io.equipoise.policy.Choice;
import io.equipoise.policy.ExcludedArm;
import io.equipoise.policy.PublishedChoice;
import io.equipoise.policy.SeededRandom;
import io.equipoise.segmentspec.ExploreSpec;
import io.equipoise.segmentspec.PolicyName;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decides once, by the protocol that all families share: {@link #decide} and {@link #choose}, read
 * from top to bottom. A family encodes a request into a round of its own and fills in what its
 * model knows of the candidates; explorations and the record of the choice are here.
 *
 * <p>Arrays are by place among the candidates, and may be longer than their number. Mutable: the
 * scratch and the result of one decision at a time, for one thread.
 *
 * @param <C> an undecided effect, by which the family weighs rewards
 */
public abstract class DecisionRound<C> {
  /** No place. */
  public static final int NONE = -1;

  /** The number of candidates. */
  public int size;

  /** The model's mean reward. */
  public double[] mean = {};

  /** The optimistic mean reward, clipped into causal bounds if any. */
  public double[] index = {};

  /** The number that the rule compares: the index less the charge for effects. */
  public double[] score = {};

  /** The probability to be played. */
  public double[] propensity = {};

  /** The candidates that the constraint admits; all where it leaves nobody out. */
  public boolean[] isEligible = {};

  /** The number of admitted candidates; -1 where the constraint leaves nobody out. */
  public int fairSetSize;

  /** The place that is played. */
  public int chosen = NONE;

  /** The best of those that were left for their effects, if it is better than the chosen one. */
  public int excluded;

  public DecisionReason reason = DecisionReason.EXPLOIT;
  public PropensityKind kind = PropensityKind.DETERMINISTIC;

  /** The number of draws of which estimated propensities are shares. */
  public int draws;

  /** True if exploration replaced the place that the rule chose. */
  public boolean isExplored;

  /** True if that was no draw among fair candidates, so that no effect excluded anybody. */
  protected boolean isLeftByDraw;

  /** Starts a decision among candidates of which nothing is known. */
  protected final void begin(int candidates) {
    if (candidates > mean.length) {
      grow(Math.max(candidates, 2 * mean.length));
    }
    size = candidates;
    fairSetSize = -1;
    chosen = NONE;
    excluded = NONE;
    reason = DecisionReason.EXPLOIT;
    kind = PropensityKind.DETERMINISTIC;
    draws = 0;
    isExplored = false;
    isLeftByDraw = false;
    Arrays.fill(propensity, 0, candidates, 0);
    Arrays.fill(isEligible, 0, candidates, true);
  }

  /** Makes all arrays longer; their content is lost. */
  protected void grow(int length) {
    mean = new double[length];
    index = new double[length];
    score = new double[length];
    propensity = new double[length];
    isEligible = new boolean[length];
  }

  /**
   * Decides, audits, and stores what moves at a decision.
   *
   * @param given the choice that was published before its state was lost; null if none was
   */
  public final AuditedChoice decide(
      ExploreSpec explore, SeededRandom seededRandom, @Nullable PublishedChoice given) {
    choose(explore, seededRandom, given == null ? NONE : given.choice().arm());
    settle();
    List<AuditFinding> findings = audit(chosen);
    return given == null
        ? new AuditedChoice(toChoice(isCertified(findings)), findings, duals(), null, left())
        : new AuditedChoice(given.choice(), findings, duals(), null, null);
  }

  /**
   * Chooses a place.
   *
   * @param taken the place that is played whatever is chosen; {@link #NONE} if none is
   */
  public final void choose(ExploreSpec explore, SeededRandom seededRandom, int taken) {
    score();
    constrain();
    pick(seededRandom);
    if (explore.earns()) {
      earn(explore, seededRandom, taken);
    } else if (explore.share() > 0 && taken == NONE) {
      explore(explore, seededRandom);
    }
    chosen = taken == NONE ? chosen : taken;
  }

  /** Asks the model what each candidate pays: {@link #mean} and {@link #index}. */
  protected abstract void score();

  /**
   * Finds who may be chosen, and what effects are charged: this makes the choice fair. Logistic
   * policies do so in {@link #pick}, by a {@link SelectionRule}.
   */
  protected void constrain() {}

  /** Chooses the arm: the best score of the eligible, or a fallback where nobody is. */
  protected abstract void pick(SeededRandom seededRandom);

  /** Moves dual variables, and what else moves at a decision, by what is played. */
  protected void settle() {}

  /** Returns one finding for each comparison of a candidate. */
  protected abstract List<AuditFinding> audit(int place);

  /** Returns for each finding the dual variable that priced its effect; empty without prices. */
  protected List<Double> duals() {
    return List.of();
  }

  /** Returns what the audit finds of the excluded candidate, null if there is none. */
  protected @Nullable List<AuditFinding> left() {
    return excluded == NONE ? null : audit(excluded);
  }

  /** Returns whether every effect of what is played is certified. */
  protected boolean isCertified(List<AuditFinding> findings) {
    return Choice.isCertified(findings);
  }

  /** Fills in why the rule's place was chosen, and who was left for it. */
  protected final void explain() {
    boolean isBestPaid = true;
    for (int place = 0; place < size; place++) {
      boolean isAdmitted = isEligible[place] || fairSetSize == 0;
      isBestPaid &= !isAdmitted || mean[place] <= mean[chosen] + Scan.TIE;
    }
    excluded = bestBeyond(isEligible);
    reason =
        fairSetSize == 0
            ? DecisionReason.UNCERTIFIED
            : isBestPaid ? DecisionReason.EXPLOIT : DecisionReason.EXPLORE;
  }

  /** Returns the best place above the chosen one of those that it was not taken from, or NONE. */
  private int bestBeyond(boolean[] isTakenFrom) {
    double[] ranked = ranked();
    int best = chosen;
    for (int place = 0; place < size; place++) {
      boolean isLeft = !isTakenFrom[place] && place != chosen;
      if (isLeft && ranked[place] > ranked[best] + Scan.TIE) {
        best = place;
      }
    }
    return best == chosen ? NONE : best;
  }

  /** Returns what says whether somebody else would have been better. */
  protected double[] ranked() {
    return score;
  }

  /**
   * Plays for the share an arm drawn uniformly, from all or from the certified, so that the log can
   * evaluate other policies. One draw decides both whether and which.
   */
  private void explore(ExploreSpec explore, SeededRandom seededRandom) {
    boolean[] drawable = explore.overAll() ? null : certified();
    int drawables = 0;
    for (int place = 0; place < size; place++) {
      drawables += drawable == null || drawable[place] ? 1 : 0;
    }
    if (drawables == 0) {
      return;
    }
    double each = explore.share() / drawables;
    double u = seededRandom.uniform(SeededRandom.Purpose.EXPLORE) / each;
    int skip = u < drawables ? (int) u : -1;
    int drawn = chosen;
    for (int place = 0; place < size; place++) {
      propensity[place] *= 1 - explore.share();
      if (drawable == null || drawable[place]) {
        propensity[place] += each;
        drawn = skip-- == 0 ? place : drawn;
      }
    }
    kind = kind == PropensityKind.DETERMINISTIC ? PropensityKind.EXACT : kind;
    if (drawn != chosen) {
      chosen = drawn;
      isExplored = true;
      reason = DecisionReason.EXPLORE;
      isLeftByDraw = drawable == null;
      excluded = drawable == null ? NONE : bestBeyond(drawable);
    }
  }

  /** Returns what an operator should know of a policy that draws none. */
  public static String warningWithoutExploration(PolicyName policy) {
    return "without explore the log of "
        + policy.wire()
        + " cannot evaluate other policies: arms that its rule leaves out have propensity 0."
        + " policy.explore: {share: 0.1, over: all} plays that share at random";
  }

  /** Returns whose effects are all certified. */
  protected boolean[] certified() {
    throw new UnsupportedOperationException("a family without a fair set to explore over");
  }

  /** Plays by {@link EarnRule} in the place of the rule, and remembers what is played. */
  private void earn(ExploreSpec explore, SeededRandom seededRandom, int taken) {
    EarnState state = earning();
    EarnRound round = new EarnRound(size, terms(), state);
    List<@Nullable C> widest = new ArrayList<>(size);
    boolean[] isAllowed = allowed();
    for (int place = 0; place < size; place++) {
      widest.add(look(place, round));
      if (isAllowed[place]) {
        round.allow(place);
      }
    }
    new EarnRule(explore)
        .mix(
            state,
            round,
            chosen,
            propensity,
            place -> {
              C effect = widest.get(place);
              return effect == null ? EarnRule.ANY_WEIGHT : weight(place, effect);
            },
            seededRandom);
    kind = PropensityKind.EXACT;
    isLeftByDraw = round.chosen() != chosen;
    excluded = isLeftByDraw ? NONE : excluded;
    chosen = round.chosen();
    if (round.reason() != null) {
      reason = round.reason();
      isExplored = round.isExplored();
    }
    EarnRule.settle(state, round, taken == NONE ? chosen : taken);
    keep(state);
  }

  /** Returns whom the rule may play as certified for this person. */
  protected boolean[] allowed() {
    return fairSetSize > 0 ? isEligible : new boolean[size];
  }

  /** Returns what the forecast of certificates takes from the spec. */
  protected EarnRound.Terms terms() {
    throw new UnsupportedOperationException("a family that does not earn while certifying");
  }

  /**
   * Describes a candidate, what other levels would get more, and its effects; returns the undecided
   * effect with the widest interval, null if all are decided.
   */
  protected @Nullable C look(int place, EarnRound round) {
    throw new UnsupportedOperationException("a family that does not earn while certifying");
  }

  /** Returns the weight that a reward of this person would have in an undecided effect. */
  protected double weight(int place, C effect) {
    return EarnRule.ANY_WEIGHT;
  }

  /** Returns what {@link EarnRule} remembers. */
  protected EarnState earning() {
    return new EarnState();
  }

  /** Stores what {@link EarnRule} remembers. */
  protected void keep(EarnState earning) {}

  /** Returns the decision as a record of its own; there must have been a candidate. */
  protected final Choice toChoice(boolean isCertified) {
    if (chosen == NONE) {
      throw new IllegalStateException("nothing was chosen: there was no candidate");
    }
    return new Choice(
        chosen,
        reason,
        score[chosen],
        mean[chosen],
        score[chosen] - mean[chosen],
        kind,
        draws,
        Arrays.copyOf(propensity, size),
        isCertified,
        fairSetSize,
        excluded == NONE ? null : new ExcludedArm(excluded, paid(excluded)),
        isExplored);
  }

  /** Returns what a candidate might have paid, before any charge for its effects. */
  protected double paid(int place) {
    return index[place];
  }
}
