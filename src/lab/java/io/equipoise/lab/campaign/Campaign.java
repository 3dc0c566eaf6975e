package io.equipoise.lab.campaign;

import io.equipoise.segmentspec.SpecException;
import io.equipoise.segmentspec.SpecFault;
import io.equipoise.simulation.Parallel;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Plays worlds of families. A world follows from its family and seed alone, so that one world can
 * be played again without the others.
 *
 * @param rounds decisions of a run, null for what suits the family
 */
record Campaign(int worlds, long seed, @Nullable Integer rounds, int threads) {
  /** Streams of people under which a wrong world is played again. */
  private static final int REPLAYS = 20;

  /** Wrong worlds that are played again: one that is biased suffices. */
  private static final int REPLAYED = 3;

  /**
   * Plays one family, and replays some worlds with wrong verdicts to separate bad luck from bias.
   */
  FamilyResult run(Family family, Runnable onWorld) {
    int length = rounds(family);
    List<RunResult> results =
        Parallel.trials(worlds, threads, i -> play(family, seed + i, length, 0), onWorld);
    FamilyResult result = new FamilyResult(family, length, results, List.of());
    if (!result.isAnytime() || result.isBroken()) {
      return result;
    }
    List<Long> biased = new ArrayList<>();
    List<RunResult> offenders =
        result.offenders().stream().filter(RunResult::hasWrongVerdict).toList();
    for (RunResult offender : offenders.subList(0, Math.min(REPLAYED, offenders.size()))) {
      List<RunResult> again =
          Parallel.trials(
              REPLAYS, threads, i -> play(family, offender.seed(), length, 1 + i), () -> {});
      if (new FamilyResult(family, length, again, List.of()).isBeyondDelta()) {
        biased.add(offender.seed());
      }
    }
    return new FamilyResult(family, length, results, biased);
  }

  private int rounds(Family family) {
    return rounds == null ? family.rounds() : rounds;
  }

  /**
   * Plays one world.
   *
   * @param people which of the world's streams of people and rewards
   */
  static RunResult play(Family family, long seed, int rounds, int people) {
    CampaignTrial trial = family.trial(seed);
    try {
      return new WorldPlay(trial, new Chance(seed, 1L + people), new RunResult(seed, null))
          .run(rounds);
    } catch (SpecException e) {
      return new RunResult(seed, kind(e.faults().get(0)));
    } catch (IllegalStateException e) {
      throw new IllegalStateException("%s with seed %d".formatted(family.wire(), seed), e);
    }
  }

  /** Returns the place and the rule of a refusal, the same for all worlds of one structure. */
  private static String kind(SpecFault fault) {
    String place = fault.place().replaceFirst(",.*", "");
    String rule = fault.allowed().replaceFirst(":.*", "");
    return (place + ": " + rule).replaceAll("[0-9]+", "");
  }
}
