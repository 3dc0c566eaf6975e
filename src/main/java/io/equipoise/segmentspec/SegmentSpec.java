package io.equipoise.segmentspec;

import io.equipoise.causal.CausalGraph;
import io.equipoise.causal.KnownDistributions;
import io.equipoise.causal.Subgraph;
import io.equipoise.event.AuditEffectKind;
import io.equipoise.event.EffectUnit;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Defines a segment before its first event: variables, arms, policy, fairness and join. Immutable,
 * validated and self-contained.
 *
 * @param name part of the key on the specs topic
 * @param version grows with every version; an older one is rejected
 * @param hash lower-case hexadecimal SHA-256 of the text in UTF-8
 * @param text the parsed text; it refers to no file
 * @param distributions P(node | parents) over the disclosed levels, in the order of the variables,
 *     so a level's index is the same in both; empty if the spec gives none
 * @param idleState when its segments are passivated, never if null
 * @param metricsEvery decisions between two metrics snapshots
 */
public record SegmentSpec(
    String name,
    long version,
    String hash,
    String text,
    SegmentMatch match,
    long seed,
    Variables variables,
    CausalGraph graph,
    Arms arms,
    KnownDistributions distributions,
    RewardRule reward,
    PolicySpec policy,
    FairnessSpec fairness,
    JoinSpec join,
    @Nullable IdleStateSpec idleState,
    long metricsEvery,
    OnIncompatibleChange onIncompatibleChange) {
  /**
   * Returns one line with the meaning of the reward that a model learns: its range, how several
   * rewards become one, when it is learned, and the default reward. If there is a default reward,
   * or several rewards become one, the line also has the reward window. Models with another line
   * must not share statistics.
   */
  public String rewardMeaning() {
    StringBuilder meaning = new StringBuilder("reward ");
    meaning.append(reward.range()).append(reward.bounded() ? " bounded " : " unbounded ");
    meaning.append(join.aggregate().wire()).append(' ').append(join.learn().wire());
    if (hasWindowedReward()) {
      meaning.append(' ').append(join.rewardWindow()).append(' ').append(join.earlyRewardTimeout());
    }
    DefaultReward silence = reward.byDefault();
    if (silence == null || join.shown() != ShownRule.ASSUMED) {
      return meaning.append(" no-default").toString();
    }
    meaning.append(" default ").append(silence.value());
    new TreeMap<>(silence.mediators())
        .forEach(
            (name, level) -> {
              for (String text : List.of(name, level)) {
                meaning.append(' ').append(text.length()).append(':').append(text);
              }
            });
    return meaning.toString();
  }

  /**
   * Returns whether the reward of a decision depends on the length of the reward window: a missing
   * reward has a value, or all rewards of the window become one.
   */
  public boolean hasWindowedReward() {
    boolean hasDefault = reward.byDefault() != null && join.shown() == ShownRule.ASSUMED;
    return hasDefault || join.aggregate() != Aggregate.FIRST;
  }

  /** Returns whether tau allows every effect, because rewards differ by less. */
  public boolean isEveryEffectFair() {
    return fairness.unit() == EffectUnit.REWARD && fairness.least() >= reward.range().width();
  }

  /**
   * Returns the mediators that change in a direct effect because they follow the decision: of a
   * regression those between the attribute and the reward around features and arm; none over cells.
   *
   * @param attribute a name, or several joined by *
   */
  public List<String> followers(String attribute) {
    if (policy.family().kinds().contains(AuditEffectKind.TOTAL)) {
      return List.of();
    }
    List<String> changed = List.of(attribute.split("\\*", -1));
    List<String> fixed =
        variables.all().stream()
            .filter(it -> it.role().isFeature() || it.role() == VariableRole.ACTION)
            .map(SpecVariable::name)
            .filter(it -> graph.contains(it) && !changed.contains(it))
            .toList();
    Subgraph free = graph.whole().cutOutOf(graph.bits(fixed));
    Set<String> after =
        graph.named(
            free.descendants(graph.bits(changed.stream().filter(graph::contains).toList())));
    Set<String> before =
        graph.named(free.ancestors(graph.bits(List.of(variables.reward().name()))));
    return variables.mediators().stream()
        .map(SpecVariable::name)
        .filter(it -> after.contains(it) && before.contains(it))
        .toList();
  }

  /** Returns the key of its record on the specs topic: the name, a slash, and the hash. */
  public String key() {
    return name + "/" + hash;
  }

  /** Two specs are equal iff their texts are. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof SegmentSpec that && text.equals(that.text);
  }

  @Override
  public int hashCode() {
    return text.hashCode();
  }

  @Override
  public String toString() {
    return name + " number " + version + " (" + hash.substring(0, 12) + ")";
  }
}
