package io.equipoise.lab.bench;

import io.equipoise.policy.AuditedChoice;
import io.equipoise.policy.ClippedIndex;
import io.equipoise.policy.Experience;
import io.equipoise.policy.MemoryModelState;
import io.equipoise.policy.Policy;
import io.equipoise.policy.PolicyFamilies;
import io.equipoise.policy.Request;
import io.equipoise.policy.Request.Candidate;
import io.equipoise.policy.SeededRandom;
import io.equipoise.policy.features.Profile;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * Measures the time of an audited round: one decision with its fairness record and one update in
 * one thread. A segment begins again after {@value #SEGMENT} rounds, so that early and late ones
 * count.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class AuditedRounds {
  private static final int SEGMENT = 10_000;

  /** Name of an {@link AuditedWorkload}. */
  @Param("")
  public String workload = "";

  /** How effects are bounded, one of {@link AuditedWorkload#bounds}. */
  @Param("contrast")
  public String bound = "contrast";

  private AuditedWorkload rounds = AuditedWorkload.named(AuditedWorkload.names("iv").get(0), bound);
  private Policy policy = compiled(rounds);
  private List<Candidate> candidates = List.of();
  private MemoryModelState state = new MemoryModelState();
  private int played;

  private static Policy compiled(AuditedWorkload rounds) {
    return PolicyFamilies.installed().of(rounds.spec.policy().name()).compile(rounds.spec);
  }

  /** Creates the model without observations. */
  @Setup
  public void start() {
    rounds = AuditedWorkload.named(workload, bound);
    policy = compiled(rounds);
    candidates = new ArrayList<>();
    for (int arm = 0; arm < rounds.spec.arms().size(); arm++) {
      Profile profile = Profile.ofArm(rounds.spec.arms().get(arm));
      candidates.add(new Candidate(rounds.spec.arms().get(arm).id(), arm, profile));
    }
    state = new MemoryModelState();
    played = 0;
  }

  /** Runs a round; returns the decision and its record. */
  @Benchmark
  public AuditedChoice round(ProcessorTime time) {
    time.count();
    return next();
  }

  /** Decides, records and learns. */
  AuditedChoice next() {
    if (played == SEGMENT) {
      state = new MemoryModelState();
      played = 0;
    }
    int place = played % rounds.people.length;
    played++;
    Request request = new Request(rounds.people[place], candidates, true, candidates.size());
    SeededRandom random = new SeededRandom(1, "bench", String.valueOf(played));
    AuditedChoice audited = policy.decide(state, request, played, random, ClippedIndex.NONE);
    int arm = audited.choice().arm();
    policy.learn(
        state,
        new Experience(
            rounds.people[place].levels(),
            policy.inputs(request, arm),
            arm,
            rounds.spec.arms().get(arm).levels(),
            arm,
            rounds.mediators[place][arm],
            rounds.rewards[place][arm]),
        played);
    return audited;
  }
}
