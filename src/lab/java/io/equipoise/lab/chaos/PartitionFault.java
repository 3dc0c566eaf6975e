package io.equipoise.lab.chaos;

import io.equipoise.tools.cluster.ClusterProcess;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;

/**
 * Loses all packets between two seeded groups of hosts for 5 to 40 s.
 *
 * @param isOneWay whether only packets from the first group to the second are lost
 */
record PartitionFault(String name, boolean isOneWay) implements Fault {
  private static final int LEAST_SECONDS = 5;
  private static final int MOST_SECONDS = 40;

  @Override
  public boolean needsHosts() {
    return true;
  }

  @Override
  public FaultEffect inject(ChaosContext context) throws InterruptedException {
    Groups groups = Groups.of(context.cluster().members(), context.random());
    int seconds = context.random().nextInt(LEAST_SECONDS, MOST_SECONDS + 1);
    context.progress().accept("%s: %s for %d s".formatted(name, groups.line(isOneWay), seconds));
    try {
      context.network().cut(groups.first(), groups.second());
      if (!isOneWay) {
        context.network().cut(groups.second(), groups.first());
      }
      Thread.sleep(seconds * 1_000L);
    } finally {
      context.network().heal();
    }
    return FaultEffect.at(System.nanoTime());
  }

  /** Two groups that share no member; neither is empty. */
  record Groups(List<ClusterProcess> first, List<ClusterProcess> second) {
    Groups {
      first = List.copyOf(first);
      second = List.copyOf(second);
    }

    /** Selects one of all divisions of two or more members, all with the same probability. */
    static Groups of(List<ClusterProcess> members, SplittableRandom random) {
      while (true) {
        List<ClusterProcess> first = new ArrayList<>();
        List<ClusterProcess> second = new ArrayList<>();
        members.forEach(member -> (random.nextBoolean() ? first : second).add(member));
        if (!first.isEmpty() && !second.isEmpty()) {
          return new Groups(first, second);
        }
      }
    }

    String line(boolean isOneWay) {
      return names(first) + (isOneWay ? " to " : " from ") + names(second);
    }

    private static String names(List<ClusterProcess> members) {
      return members.stream().map(ClusterProcess::name).collect(Collectors.joining(" "));
    }
  }
}
