package io.equipoise.policy.logistic;

import io.equipoise.layout.StoredBytes;
import io.equipoise.policy.AuditedChoice;
import io.equipoise.policy.Choice;
import io.equipoise.policy.ClippedIndex;
import io.equipoise.policy.Experience;
import io.equipoise.policy.MemoryModelState;
import io.equipoise.policy.ModelState;
import io.equipoise.policy.Request;
import io.equipoise.policy.Request.Candidate;
import io.equipoise.policy.SeededRandom;
import io.equipoise.policy.StateBlock;
import io.equipoise.policy.features.Profile;
import io.equipoise.policy.linear.ContrastBlock;
import io.equipoise.segmentspec.SpecParser;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;

/** A logistic bandit of three arms, and what its tests do with it. */
abstract class LogisticPolicyFixture {
  static final long SEED = 77;

  /** One sensitive attribute, one number, three arms. */
  static LogisticPolicy bandit(String policy, String tau) {
    return limited(policy, "tau: " + tau);
  }

  /** The same with any keys of fairness. */
  static LogisticPolicy limited(String policy, String fairness) {
    return LogisticPolicy.compile(
        SpecParser.parse(
            """
            name: logistic
            version: 1
            segments: default
            variables:
              S: {role: sensitive, levels: [a, b], missing: level}
              X: {role: context, range: [-1, 1], cuts: [0]}
              A: {role: action, levels: [left, middle, right]}
              R: {role: reward}
            graph: "dag { S -> R; X -> A }"
            arms: all
            reward: {range: [0, 1]}
            policy: {name: %s}
            fairness: {%s}
            join: {reward-window: 60s, fallback: "A=left"}
            """
                .formatted(policy, fairness)));
  }

  static Request request(LogisticPolicy bandit, int s, double x, int arms) {
    List<Candidate> offers = new ArrayList<>();
    for (int arm = 0; arm < arms; arm++) {
      offers.add(new Candidate(bandit.spec().arms().list().get(arm).id(), arm, Profile.of(arm)));
    }
    return new Request(new Profile(new int[] {s, 0}, new double[] {x}), offers, arms == 3, arms);
  }

  static AuditedChoice decide(
      LogisticPolicy bandit, ModelState modelState, Request request, int t) {
    return bandit.decide(
        modelState, request, t, new SeededRandom(1, "s", "d" + t), ClippedIndex.NONE);
  }

  static void learn(
      LogisticPolicy bandit, ModelState modelState, Request request, int offer, double reward) {
    double[] inputs = bandit.inputs(request, offer);
    int[] person = request.person().levels();
    bandit.learn(modelState, new Experience(person, inputs, offer, offer, new int[0], reward), 1);
  }

  /** Plays rounds in which arm "right" pays everybody and "left" only people of S = b. */
  static ModelState played(LogisticPolicy bandit, int rounds) {
    ModelState modelState = new MemoryModelState();
    SplittableRandom random = new SplittableRandom(SEED);
    for (int t = 1; t <= rounds; t++) {
      Request request =
          request(bandit, random.nextInt(2), 2 * random.nextDouble() - 1, 2 + random.nextInt(2));
      Choice choice = decide(bandit, modelState, request, t).choice();
      double paid =
          choice.arm() == 2 ? .7 : choice.arm() == 0 ? .9 * request.person().levels()[0] : .2;
      learn(bandit, modelState, request, choice.arm(), random.nextDouble() < paid ? 1 : 0);
    }
    return modelState;
  }

  static ByteBuffer bytes(ModelState modelState) {
    ByteBuffer all = ByteBuffer.allocate(1 << 16);
    for (Map.Entry<Long, StateBlock> entry : modelState.entries()) {
      all.putLong(entry.getKey());
      all.put(entry.getValue().toBytes());
    }
    return all.flip();
  }

  static LogisticMemory memory(ModelState modelState) {
    return (LogisticMemory) Objects.requireNonNull(modelState.get(1));
  }

  static SeededRandom draw(int t) {
    return new SeededRandom(1, "s", "d" + t);
  }

  /** Returns the same state in blocks of its own. */
  static ModelState copy(ModelState modelState) {
    ModelState copy = new MemoryModelState();
    for (Map.Entry<Long, StateBlock> entry : modelState.entries()) {
      ByteBuffer bytes = StoredBytes.of(entry.getValue());
      bytes.flip();
      copy.put(
          entry.getKey(),
          entry.getKey() == 1
              ? StoredBytes.read(new LogisticMemory(), bytes)
              : entry.getKey() == 3
                  ? StoredBytes.read(new ContrastBlock(), bytes)
                  : StoredBytes.read(new StreamingModel(), bytes));
    }
    return copy;
  }
}
