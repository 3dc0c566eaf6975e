package io.equipoise.lab.chaos;

import io.equipoise.tools.cluster.ClusterException;
import io.equipoise.tools.cluster.ClusterLayout;

/**
 * Makes the network between all hosts bad for 20 to 60 s: a twentieth of the packets is lost, or
 * each is delayed by 300 ms.
 *
 * @param isLoss whether packets are lost, by nftables; otherwise they are delayed, by the kernel's
 *     netem
 */
record PacketFault(String name, boolean isLoss) implements Fault {
  private static final int LEAST_SECONDS = 20;
  private static final int MOST_SECONDS = 60;
  private static final int LOST_PERCENT = 5;
  private static final int DELAY_MILLIS = 300;

  @Override
  public boolean needsHosts() {
    return true;
  }

  @Override
  public void prepare(ClusterLayout clusterLayout) throws InterruptedException {
    if (!isPossible()) {
      throw new ClusterException(
          isLoss
              ? "loss requires the command nft; install Debian's package nftables"
              : "delay requires a kernel with netem (CONFIG_NET_SCH_NETEM)");
    }
  }

  /** Returns whether this machine can play it. */
  boolean isPossible() throws InterruptedException {
    return isLoss ? ChaosContext.attempt("which", "nft").isEmpty() : HostNetwork.canDelay();
  }

  @Override
  public FaultEffect inject(ChaosContext context) throws InterruptedException {
    int seconds = context.random().nextInt(LEAST_SECONDS, MOST_SECONDS + 1);
    context.progress().accept("%s: all hosts for %d s".formatted(name, seconds));
    try {
      if (isLoss) {
        context.network().lose(LOST_PERCENT);
      } else {
        context.network().delay(DELAY_MILLIS);
      }
      Thread.sleep(seconds * 1_000L);
    } finally {
      context.network().heal();
    }
    return FaultEffect.at(System.nanoTime());
  }
}
