package io.equipoise.lab.pcb;

import io.equipoise.lab.SplitMix;

/** Gives each trial streams of random numbers of its own, by what they are for. */
enum Streams {
  LOG(1),
  VISITS(2),
  TIES(3);

  private static final long STRIDE = 0x632BE59BD9B4E019L;

  private final int number;

  Streams(int number) {
    this.number = number;
  }

  /** Returns the stream of a trial's seed. */
  SplitMix of(long seed) {
    long mixed = new SplitMix(seed).nextLong();
    return new SplitMix(new SplitMix(mixed + STRIDE * number).nextLong());
  }
}
