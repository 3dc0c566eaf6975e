package io.equipoise.local.bench;

/** Plays a workload with the plain double loop. */
final class PlainPlay {
  private final LinearWorkload workload;
  private final PlainLinUcb plain;
  private int played;

  PlainPlay(LinearWorkload workload) {
    this.workload = workload;
    plain =
        new PlainLinUcb(
            workload.arms, workload.dimension, LinearPlay.LAMBDA, LinearPlay.ALPHA, false);
  }

  int next() {
    int place = played++ % workload.contexts.length;
    int chosen = plain.choose(workload.contexts[place]);
    plain.learn(chosen, workload.features(place, chosen), workload.rewards[place][chosen]);
    return chosen;
  }
}
