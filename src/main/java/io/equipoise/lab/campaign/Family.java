package io.equipoise.lab.campaign;

import java.util.Locale;
import java.util.function.Function;

/** A kind of world, and how long a run of it is unless asked otherwise. */
enum Family {
  TABULAR(2000, TabularWorlds::random),
  TABULAR_COUNTS(2000, TabularWorlds::counted),
  TABULAR_UNDISCLOSED(4000, TabularWorlds::undisclosed),
  TABULAR_JOINED(300, TabularWorlds::joined),
  TABULAR_CONFOUNDED(3000, TabularWorlds::confounded),
  TABULAR_SILENCE(2500, TabularWorlds::silent);

  private final int rounds;
  private final Function<Chance, Trial> worlds;

  Family(int rounds, Function<Chance, Trial> worlds) {
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

  Trial trial(long seed) {
    return worlds.apply(new Chance(seed, 0));
  }
}
