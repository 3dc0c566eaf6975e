package io.equipoise.policy;

import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.SpecVariable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Takes over the state that a segment has learned under an earlier spec.
 *
 * <p>Equal {@linkplain #fingerprint fingerprints}: the statistics go on as they are, and {@link
 * #succeed} drops what only the earlier policy could use. Otherwise, if there is an {@linkplain
 * #extensionOf extension}: {@link #extend} carries the statistics over first, and what pending
 * decisions remember is {@link #translated}. Otherwise the segment starts empty, and the {@code
 * refusal} methods say why.
 */
public interface Migration {
  /** The part of the state that means something only under one policy's settings. */
  String POLICY_STATE = "policy-state";

  /** Returns what was compiled. */
  SegmentSpec spec();

  /**
   * Returns a hash of what the statistics mean. Two specs with the same fingerprint can go on with
   * the same {@link ModelState}.
   */
  String fingerprint();

  /**
   * Returns the fingerprint of this policy's settings over the variables and arms of an earlier
   * spec; null if statistics never go on under more levels.
   */
  default @Nullable String fingerprintOver(SegmentSpec earlier) {
    return null;
  }

  /**
   * Returns where the levels of the spec before stand in this one, if statistics of that other
   * fingerprint go on under this one because it only has more levels, or fewer of an action; null
   * if they mean something else.
   */
  default @Nullable LevelMap extensionOf(Policy before) {
    boolean isAlike =
        getClass() == before.getClass()
            && before.fingerprint().equals(fingerprintOver(before.spec()));
    return isAlike && SpecDifference.ofGoneLevels(before, this) == null
        ? LevelMap.of(before.spec().variables(), spec().variables(), this::refusalOfLevels)
        : null;
  }

  /** Carries blocks over from a policy that this one is an extension of. Costs a pass over them. */
  default void extend(Policy before, LevelMap levels, ModelState modelState) {}

  /** Returns what a decision was remembered with, by the levels of this spec. */
  default double[] translated(double[] inputs, LevelMap levels) {
    return inputs;
  }

  /**
   * Drops from blocks of an equal fingerprint the parts that have a meaning only under the earlier
   * policy. If a part starts empty, the rest is a function of the blocks and of this policy: the
   * log records the empty part, and not the spec under which it grew.
   *
   * @param before null where the spec that went before is not known any more; then all of that is
   *     dropped
   * @return the parts that start empty, of which {@value #POLICY_STATE} is one
   */
  default List<String> succeed(@Nullable Policy before, ModelState modelState) {
    return List.of();
  }

  /**
   * Returns why statistics mean something else where a variable has more levels, or the same in
   * another order, for people; null where they go on.
   *
   * @param variable of this policy's spec
   */
  default @Nullable String refusalOfLevels(SpecVariable variable) {
    return "%s keeps statistics by its levels".formatted(spec().policy().name().wire());
  }

  /**
   * Returns why statistics do not go on where an action has fewer levels, of which no arm set one,
   * for people; null where they do.
   *
   * @param variable of this policy's spec
   */
  default @Nullable String refusalOfRemoval(SpecVariable variable) {
    return "%s keeps statistics by its levels".formatted(spec().policy().name().wire());
  }

  /**
   * Returns whether learning a reward needs the level that its decision's arm set, so that a level
   * cannot go while a decision awaits one.
   *
   * @param variable of this policy's spec
   */
  default boolean needsLevel(SpecVariable variable) {
    return false;
  }

  /**
   * Drops what is known of an arm that left: a level that it set is gone. Asked only where {@link
   * #refusalOfRemoval} returned null.
   *
   * @param position that the arm had, which none gets again
   */
  default void forgetArm(ModelState modelState, int position) {}

  /**
   * Returns why statistics mean something else with other arms, for people; null if they do not.
   */
  default @Nullable String refusalOfArms() {
    return null;
  }

  /** Returns what statistics depend on besides variables, arms and rewards, for people. */
  default String dependsOn() {
    return "the settings in the section policy";
  }
}
