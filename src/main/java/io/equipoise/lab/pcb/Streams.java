package io.equipoise.lab.pcb;

import io.equipoise.lab.SplitMix;

/** Gives each trial streams of random numbers of its own, by what they are for. */
enum Streams {
  LOG,
  VISITS,
  TIES;

  private static final long STRIDE = 0x632BE59BD9B4E019L;

  /** Returns the stream of a trial's seed. */
  SplitMix of(long seed) {
    long mixed = new SplitMix(seed).nextLong();
    return new SplitMix(new SplitMix(mixed + STRIDE * (ordinal() + 1)).nextLong());
  }
}
