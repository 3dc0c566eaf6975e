package io.equipoise.lab.clicks;

import io.equipoise.policy.AuditedChoice;
import io.equipoise.policy.ClippedIndex;
import io.equipoise.policy.Experience;
import io.equipoise.policy.MemoryModelState;
import io.equipoise.policy.Policy;
import io.equipoise.policy.PolicyFamilies;
import io.equipoise.policy.Request;
import io.equipoise.policy.Request.Candidate;
import io.equipoise.policy.ScratchModelState;
import io.equipoise.policy.SeededRandom;
import io.equipoise.policy.features.Profile;
import io.equipoise.segmentspec.ContextEncoder;
import io.equipoise.segmentspec.Encoded;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.SpecParser;
import io.equipoise.tools.simulate.Person;
import java.util.ArrayList;
import java.util.List;

/**
 * Plays the compiled policy of a spec on a model in memory, as a segment asks it: arms that are not
 * offered are left out of the request.
 *
 * <p>State: the model, the positions of the arms that were chosen, and the number of decisions. The
 * last choice is in {@code latest} and {@code taken} until the next choice or reward writes it
 * back, or {@link #takeBack} drops it.
 */
public final class PolicyPlayer implements ClickPlayer<PolicyPlayer.Remembered> {
  private static final int[] NO_MEDIATORS = {};

  private final SegmentSpec spec;
  private final Policy policy;
  private final ContextEncoder encoder;
  private final String segment;
  private final MemoryModelState state = new MemoryModelState();
  private final List<Candidate> catalog = new ArrayList<>();
  private ScratchModelState latest = ScratchModelState.forDecision(state);
  private int taken = -1;
  private long decisions;
  private int known;

  /**
   * Compiles a spec.
   *
   * @param text of a spec, see {@link ClickWorld#spec(String)}
   * @param seed of the draws of the policy, beside the seed of the spec
   * @throws io.equipoise.segmentspec.SpecException with all its errors
   */
  public PolicyPlayer(String text, long seed) {
    policy = SpecParser.parse(text, parsed -> compiled(parsed));
    spec = policy.spec();
    encoder = new ContextEncoder(spec);
    segment = "clicks-" + seed;
    spec.arms().list().forEach(arm -> catalog.add(new Candidate(arm.id(), -1, Profile.ofArm(arm))));
  }

  private static Policy compiled(SegmentSpec spec) {
    return PolicyFamilies.installed().of(spec.policy().name()).compile(spec);
  }

  /**
   * Keeps a decision that waits for its reward.
   *
   * @param person levels of the features
   */
  @SuppressWarnings("ArrayRecordComponent") // compared by nobody
  public record Remembered(int[] person, double[] inputs, int arm, int position) {}

  @Override
  public Played<Remembered> choose(int round, Person person, int[] offered) {
    keep();
    Encoded encoded = encoder.encode(person.attributes());
    Profile profile = new Profile(encoded.levels(), encoded.numbers());
    boolean isAll = offered.length == catalog.size();
    List<Candidate> candidates = isAll ? catalog : new ArrayList<>(offered.length);
    if (!isAll) {
      for (int arm : offered) {
        candidates.add(catalog.get(arm));
      }
    }
    Request request = new Request(profile, candidates, isAll, known);
    latest = ScratchModelState.forDecision(state);
    AuditedChoice audited =
        policy.decide(
            latest,
            request,
            decisions + 1,
            new SeededRandom(spec.seed(), segment, "d-" + round),
            ClippedIndex.NONE);
    int arm = isAll ? audited.choice().arm() : offered[audited.choice().arm()];
    taken = arm;
    int position = catalog.get(arm).position();
    double[] inputs = policy.inputs(request, audited);
    return new Played<>(
        arm,
        audited.choice().certified(),
        new Remembered(profile.levels(), inputs, arm, position < 0 ? known : position));
  }

  /** Keeps the changes of the last choice, and the position of its arm. */
  private void keep() {
    if (taken < 0) {
      return;
    }
    latest.writeBack();
    decisions++;
    Candidate chosen = catalog.get(taken);
    if (chosen.position() < 0) {
      catalog.set(taken, new Candidate(chosen.id(), known++, chosen.arm()));
    }
    taken = -1;
  }

  @Override
  public void takeBack() {
    taken = -1;
  }

  @Override
  public void learn(Remembered decision, double reward) {
    keep();
    policy.learn(
        state,
        new Experience(
            decision.person(),
            decision.inputs(),
            decision.arm(),
            decision.position(),
            NO_MEDIATORS,
            reward),
        decisions);
  }
}
