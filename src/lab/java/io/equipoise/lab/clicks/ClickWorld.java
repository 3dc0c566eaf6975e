package io.equipoise.lab.clicks;

import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.SpecParser;
import io.equipoise.tools.simulate.World;
import io.equipoise.tools.simulate.WorldFile;

/**
 * Defines a click world: a spec as a user would write it, without its policy, and the truth about
 * its people and arms. {@code equipoise simulate} plays the same world from both texts, but for
 * arms that come and go.
 *
 * @param head the spec up to its policy
 * @param features the value of {@code policy.features}
 * @param tau the limit of effects, in clicks a decision
 * @param truth the text of the file of {@code --world}
 * @param delay rounds until the reward of a decision is learned; 0 for at once
 * @param live how many arms are offered at a time; all without a change
 * @param stay rounds until the arm that was offered longest leaves and the next comes; 0 for never
 */
public record ClickWorld(
    String name,
    String head,
    String features,
    double tau,
    String truth,
    int delay,
    int live,
    int stay) {
  private static final String ANY_POLICY = "name: linucb, model: shared";

  /**
   * Returns the text of a spec.
   *
   * @param policy keys of the section {@code policy} in flow style without braces, as {@code name:
   *     linucb, alpha: 0.1}; the features of the world are added unless it has its own
   */
  public String spec(String policy) {
    return spec(policy, "");
  }

  /**
   * Returns the text of a spec.
   *
   * @param fairness more keys of the section {@code fairness}, in flow style; empty for none
   */
  public String spec(String policy, String fairness) {
    String own = policy.contains("features:") ? "" : ", features: " + features;
    return head
        + "reward: "
        + (delay == 0 ? "{range: [0, 1]}" : "{range: [0, 1], default: {value: 0}}")
        + "\npolicy: {"
        + policy
        + own
        + "}\nfairness: {tau: "
        + tau
        + (fairness.isEmpty() ? "" : ", " + fairness)
        + "}\njoin: {reward-window: "
        + Math.max(1, delay)
        + "s, dedup-window: 1d}\n";
  }

  /** Draws people and the truth about each. Equal seeds give equal rounds. */
  public ClickRounds rounds(long seed, int decisions) {
    SegmentSpec spec = SpecParser.parse(spec(ANY_POLICY));
    return new ClickRounds(
        this, spec, World.of(spec, WorldFile.parse(name, truth), null), seed, decisions);
  }

  /**
   * Returns the place of an arm among those of the spec.
   *
   * @param round from 0
   * @param place among the offered arms
   */
  int offered(int round, int place, int arms) {
    return stay == 0 ? place : (round / stay + place) % arms;
  }
}
