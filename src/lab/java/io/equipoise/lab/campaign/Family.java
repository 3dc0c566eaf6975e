package io.equipoise.lab.campaign;

import java.util.Locale;
import java.util.function.Function;

/** Names a kind of world and the default length of its runs. */
enum Family {
  TABULAR(2000, TabularWorlds::random),
  TABULAR_COUNTS(2000, TabularWorlds::counted),
  TABULAR_UNDISCLOSED(4000, chance -> TabularWorlds.undisclosed(chance, false)),
  TABULAR_SELECTIVE(4000, chance -> TabularWorlds.undisclosed(chance, true)),
  TABULAR_JOINED(300, chance -> TabularWorlds.hazard(Hazards.LINEAR.joined(chance), chance)),
  TABULAR_CONFOUNDED(
      3000, chance -> TabularWorlds.hazard(Hazards.LINEAR.confounded(chance), chance)),
  TABULAR_SILENCE(3000, chance -> TabularWorlds.silent(Hazards.LINEAR.rates(chance), chance)),
  TABULAR_MIXED(
      3000,
      chance -> TabularWorlds.hazard(MixedWorlds.random(chance, 2, WorldBuilder::clipped), chance)),
  LINEAR(3000, LinearWorlds::random),
  LINEAR_UNDISCLOSED(
      4000,
      chance ->
          LinearWorlds.served(
              LinearWorlds.hazards(chance).undisclosed(chance, true, false), chance)),
  LINEAR_SELECTIVE(
      4000,
      chance ->
          LinearWorlds.served(
              LinearWorlds.hazards(chance).undisclosed(chance, true, true), chance)),
  LINEAR_NUMBER(2000, LinearWorlds::number),
  LINEAR_CONFOUNDED(
      3000, chance -> LinearWorlds.served(LinearWorlds.hazards(chance).confounded(chance), chance)),
  LINEAR_SILENCE(3000, chance -> LinearWorlds.silent(Hazards.LINEAR.rates(chance), chance)),
  LINEAR_SMALL_FEATURES(500, LinearWorlds::small),
  LINEAR_MIXED(
      3000, chance -> LinearWorlds.served(MixedWorlds.random(chance, 0, score -> score), chance)),
  LOGISTIC(1000, LogisticWorlds::random),
  LOGISTIC_UNDISCLOSED(
      2000,
      chance ->
          LogisticWorlds.served(LogisticWorlds.HAZARDS.undisclosed(chance, true, false), chance)),
  LOGISTIC_CONFOUNDED(
      1500, chance -> LogisticWorlds.served(LogisticWorlds.HAZARDS.confounded(chance), chance)),
  LOGISTIC_SILENCE(3000, chance -> LogisticWorlds.silent(Hazards.LINEAR.rates(chance), chance)),
  LOGISTIC_MIXED(
      1500,
      chance -> LogisticWorlds.served(MixedWorlds.random(chance, 0, LogisticWorlds::mean), chance)),
  LOGISTIC_EARLY(200, LogisticWorlds::early),
  BEST_ARM(BestArmWorlds.MOST_ROUNDS, BestArmWorlds::random);

  private final int rounds;

  @SuppressWarnings("ImmutableEnumChecker") // lambdas without state
  private final Function<Chance, CampaignTrial> worlds;

  Family(int rounds, Function<Chance, CampaignTrial> worlds) {
    this.rounds = rounds;
    this.worlds = worlds;
  }

  /** Returns the name on the command line. */
  String wire() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  int rounds() {
    return rounds;
  }

  CampaignTrial trial(long seed) {
    return worlds.apply(new Chance(seed, 0));
  }
}
