package io.equipoise.lab.campaign;

import io.equipoise.event.AuditedEffect;
import io.equipoise.event.Decision;
import io.equipoise.event.ExperimentRecord;
import io.equipoise.event.FairnessAudit;
import io.equipoise.lab.campaign.CampaignTrial.Effect;
import io.equipoise.lab.campaign.CampaignTrial.Rewards;
import io.equipoise.simulation.SegmentDriver;
import io.equipoise.simulation.StructuralModel;
import io.equipoise.simulation.StructuralModel.Node;
import io.equipoise.simulation.StructuralModel.Role;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;

/** Plays people and rewards of a world through a segment and compares each audit with the truth. */
final class WorldPlay {
  static final int WINDOW_SECONDS = 60;
  static final int LONG_WINDOW_SECONDS = 1800;

  private static final double LOST = 0.1;
  private static final double LATE = 0.05;
  private static final double LONGEST_DELAY_SECONDS = 40;

  private final StructuralModel world;
  private final CampaignTrial trial;
  private final SegmentDriver driver;
  private final ExactEffect truth;
  private final Chance chance;
  private final RunResult score;

  /**
   * Compiles the spec of a trial.
   *
   * @param chance of people and rewards
   * @param score counts the audits
   * @throws io.equipoise.segmentspec.SpecException if the spec is refused
   */
  WorldPlay(CampaignTrial trial, Chance chance, RunResult score) {
    this.score = score;
    world = trial.world();
    this.trial = trial;
    driver = new SegmentDriver(trial.spec());
    truth = new ExactEffect(world, trial.effect() == Effect.DIRECT);
    this.chance = chance;
  }

  RunResult run(int rounds) {
    for (int round = 1; round <= rounds && driver.terminal() == null; round++) {
      String id = "d" + round;
      int[] person = world.person(chance::unit);
      int[] disclosed = disclosed(person);
      Decision decision = driver.ask(id, attributes(disclosed));
      score.decision();
      for (FairnessAudit audit : driver.audits()) {
        compare(audit, disclosed);
      }
      answer(id, person, arm(String.valueOf(decision.arm())));
    }
    if (trial.effect() == Effect.TERMINAL) {
      BestArmTruth arms = new BestArmTruth(world, trial.tau());
      driver.phases().forEach(phase -> arms.comparePhase(phase, score));
      ExperimentRecord end = driver.terminal();
      if (end != null) {
        arms.compareEnd(end, score);
      }
    }
    return score;
  }

  private int[] disclosed(int[] person) {
    int[] disclosed = person.clone();
    for (int place = 0; place < disclosed.length; place++) {
      Node node = world.node(place);
      boolean isDisclosed =
          node.isFeature()
              && (node.missing() == null || chance.hits(node.disclosed()[person[place]]));
      disclosed[place] = isDisclosed ? person[place] : ExactEffect.UNDISCLOSED;
    }
    return disclosed;
  }

  private Map<String, Object> attributes(int[] disclosed) {
    Map<String, Object> attributes = new HashMap<>();
    for (int place = 0; place < disclosed.length; place++) {
      Node node = world.node(place);
      double[] numbers = node.numbers();
      if (disclosed[place] != ExactEffect.UNDISCLOSED) {
        attributes.put(
            node.name(),
            numbers == null ? node.levels().get(disclosed[place]) : numbers[disclosed[place]]);
      }
    }
    return attributes;
  }

  private void compare(FairnessAudit audit, int[] disclosed) {
    String guarantee = String.valueOf(audit.guarantee());
    AuditedEffect effect = audit.effect();
    String[] names = effect.attribute().split("\\*", -1);
    int[] places = Arrays.stream(names).mapToInt(name -> world.node(name).place()).toArray();
    int[] factual = levels(String.valueOf(effect.factual()));
    int[] other = levels(String.valueOf(effect.counterfactual()));
    int arm = arm(audit.arm());
    double[] effects = truth.of(disclosed, places, factual, other, arm);
    double low = Math.min(effects[0], effects[1]);
    double high = Math.max(effects[0], effects[1]);
    double tau = trial.tau();
    Supplier<String> what =
        () ->
            String.format(
                Locale.ROOT,
                "%s %s instead of %s at %s: true effect %.4f to %.4f, interval [%.4f, %.4f], tau"
                    + " %s, %s",
                effect.attribute(),
                effect.counterfactual(),
                effect.factual(),
                audit.arm(),
                low,
                high,
                effect.lower(),
                effect.upper(),
                tau,
                guarantee);
    switch (String.valueOf(audit.verdict())) {
      case "CERTIFIED_FAIR" -> {
        boolean isFalse = Math.max(Math.abs(low), Math.abs(high)) > tau + RunResult.TOLERANCE;
        score.certified(guarantee, isFalse, what);
      }
      case "UNFAIR" -> {
        boolean isFalse = Math.min(Math.abs(low), Math.abs(high)) < tau - RunResult.TOLERANCE;
        score.unfair(guarantee, isFalse, what);
      }
      default -> score.nothingCertified(guarantee);
    }
    score.interval(low, high, effect.lower(), effect.upper(), what);
  }

  private static int[] levels(String names) {
    return Arrays.stream(names.split("\\*", -1))
        .mapToInt(name -> Integer.parseInt(name.substring(1)))
        .toArray();
  }

  static int arm(String id) {
    return Integer.parseInt(id.substring(1));
  }

  private void answer(String id, int[] person, int arm) {
    double reward = respond(world, person, arm, chance);
    Map<String, Object> mediators = new HashMap<>();
    for (Node node : world.of(Role.MEDIATOR)) {
      mediators.put(node.name(), node.levels().get(person[node.place()]));
    }
    long delay = Math.round(1000 * chance.uniform(0, LONGEST_DELAY_SECONDS));
    if (trial.rewards() == Rewards.SUCCESSES) {
      if (reward > 0) {
        driver.reward(id, delay, reward, mediators);
      }
      return;
    }
    double fate = chance.unit();
    if (fate >= LOST) {
      long late = fate < LOST + LATE ? 1000L * WINDOW_SECONDS : 0;
      driver.reward(id, delay + late, reward, mediators);
    }
  }

  /** Adds the consequences of an arm to the levels of a person, and returns the reward. */
  static double respond(StructuralModel world, int[] levels, int arm, Chance chance) {
    levels[world.of(Role.ACTION).get(0).place()] = arm;
    world.draw(levels, chance::unit, Role.MEDIATOR);
    double mean = world.mean(levels);
    return world.noise() == 0
        ? (chance.hits(mean) ? 1 : 0)
        : mean + world.noise() * chance.gaussian();
  }
}
