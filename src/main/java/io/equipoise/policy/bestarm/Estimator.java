package io.equipoise.policy.bestarm;

import io.equipoise.policy.bestarm.Divergences.DivergenceTables;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Combines the channels of a mode into the three estimates of an arm: reward, zeta^{s,s'} from the
 * samples with S = s', and zeta^{s',s} from those with S = s. Immutable.
 */
final class Estimator {
  private final CsrModel model;
  private final boolean isStratified;
  private final boolean isDirect;
  final List<Channel> channels;

  Estimator(
      CsrModel model, Mode mode, FairnessEstimate fairness, DivergenceTables divergenceTables) {
    this.model = model;
    isStratified = mode == Mode.POOLED;
    isDirect = fairness == FairnessEstimate.DIRECT;
    Channel ofS =
        group(model, mode, CsrModel.S, isDirect ? null : model.backward, divergenceTables.ofS());
    Channel ofPrime =
        group(
            model,
            mode,
            CsrModel.S_PRIME,
            isDirect ? null : model.forward,
            divergenceTables.ofPrime());
    if (isStratified) {
      Divergences within = new Divergences(model);
      channels =
          List.of(
              ofS,
              ofPrime,
              Channel.ofGroup(model, CsrModel.S, null, within.reward(CsrModel.S)),
              Channel.ofGroup(model, CsrModel.S_PRIME, null, within.reward(CsrModel.S_PRIME)));
    } else if (mode == Mode.SEPARATE) {
      Channel reward = Channel.ofType(model, PullType.NATURAL, null, divergenceTables.reward());
      channels = List.of(ofS, ofPrime, reward);
    } else {
      channels = List.of(ofS, ofPrime, Channel.ofAll(model, divergenceTables.reward()));
    }
  }

  private static Channel group(
      CsrModel model, Mode mode, int group, double @Nullable [] factor, double[][] divergence) {
    PullType forced = group == CsrModel.S ? PullType.OF_S : PullType.OF_S_PRIME;
    return mode == Mode.SEPARATE
        ? Channel.ofType(model, forced, factor, divergence)
        : Channel.ofGroup(model, group, factor, divergence);
  }

  /** Returns what the weights for the reward are clipped by. */
  Channel reward() {
    return channels.get(2);
  }

  /** Returns the channel of samples with S = s', that of zeta^{s,s'}. */
  Channel ofPrime() {
    return channels.get(1);
  }

  /** Returns the channel of samples with S = s, that of zeta^{s',s}. */
  Channel ofS() {
    return channels.get(0);
  }

  /** Returns the estimates of some arms from samples, with the clips of phase l. */
  Estimates estimate(SampleSums sums, int l, BitSet arms) {
    Ipw ofS = sums.evaluate(0, l, arms);
    Ipw ofPrime = sums.evaluate(1, l, arms);
    Ipw reward =
        isStratified
            ? Ipw.mix(
                sums.evaluate(2, l, arms),
                model.share(CsrModel.S),
                sums.evaluate(3, l, arms),
                model.share(CsrModel.S_PRIME),
                arms)
            : sums.evaluate(2, l, arms);
    if (isDirect) {
      return new Estimates(
          reward, Ipw.mix(ofS, 1, ofPrime, -1, arms), Ipw.mix(ofS, -1, ofPrime, 1, arms));
    }
    return new Estimates(reward, ofPrime, ofS);
  }
}
