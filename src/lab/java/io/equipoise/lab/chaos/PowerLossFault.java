package io.equipoise.lab.chaos;

import io.equipoise.tools.cluster.Cluster;
import io.equipoise.tools.cluster.ClusterProcess;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Kills all processes at once, as by {@code kill -9}; the supervisor starts all again. The page
 * cache survives, unlike in a power failure of a real machine.
 */
record PowerLossFault() implements Fault {
  private static final long DEATH_SECONDS = 20;

  @Override
  public String name() {
    return "power-loss";
  }

  @Override
  public boolean worksOnHosts() {
    return true;
  }

  @Override
  public FaultEffect inject(ChaosContext context) {
    Cluster cluster = context.cluster();
    List<ClusterProcess> members = cluster.members();
    members.forEach(context.supervisor()::hold);
    try {
      List<ProcessHandle> processes =
          members.stream()
              .flatMap(member -> cluster.handle(member).stream())
              .flatMap(keeper -> Stream.concat(Stream.of(keeper), keeper.descendants()))
              .toList();
      long now = System.nanoTime();
      processes.forEach(ProcessHandle::destroyForcibly);
      CompletableFuture.allOf(
              processes.stream().map(ProcessHandle::onExit).toArray(CompletableFuture<?>[]::new))
          .orTimeout(DEATH_SECONDS, TimeUnit.SECONDS)
          .join();
      return FaultEffect.at(now);
    } finally {
      members.forEach(context.supervisor()::release);
    }
  }
}
