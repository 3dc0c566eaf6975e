package io.equipoise.bandit.logistic;

import io.equipoise.bandit.AuditedChoice;
import io.equipoise.bandit.Block;
import io.equipoise.bandit.Blocks;
import io.equipoise.bandit.Choice;
import io.equipoise.bandit.ClippedIndex;
import io.equipoise.bandit.Draw;
import io.equipoise.bandit.Experience;
import io.equipoise.bandit.MemoryBlocks;
import io.equipoise.bandit.Request;
import io.equipoise.bandit.Request.Offer;
import io.equipoise.bandit.features.Profile;
import io.equipoise.spec.SpecParser;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;

/** A logistic bandit of three arms, and what its tests do with it. */
abstract class LogisticBanditFixture {
  static final long SEED = 77;

  /** One sensitive attribute, one number, three arms. */
  static LogisticBandit bandit(String policy, String tau) {
    return LogisticBandit.compile(
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
            graph: "dag { {S X A} -> R }"
            arms: all
            reward: {range: [0, 1]}
            policy: {name: %s}
            fairness: {tau: %s}
            join: {reward-window: 60s, fallback: "A=left"}
            """
                .formatted(policy, tau)));
  }

  static Request request(LogisticBandit bandit, int s, double x, int arms) {
    List<Offer> offers = new ArrayList<>();
    for (int arm = 0; arm < arms; arm++) {
      offers.add(new Offer(bandit.spec().arms().list().get(arm).id(), arm, Profile.of(arm)));
    }
    return new Request(new Profile(new int[] {s, 0}, new double[] {x}), offers, arms == 3, arms);
  }

  static AuditedChoice decide(LogisticBandit bandit, Blocks blocks, Request request, int t) {
    return bandit.decide(blocks, request, t, new Draw(1, "s", "d" + t), ClippedIndex.NONE);
  }

  static void learn(
      LogisticBandit bandit, Blocks blocks, Request request, int offer, double reward) {
    double[] inputs = bandit.inputs(request, offer);
    int[] person = request.person().levels();
    bandit.learn(blocks, new Experience(person, inputs, offer, offer, new int[0], reward), 1);
  }

  /** Plays rounds in which arm "right" pays everybody and "left" only people of S = b. */
  static Blocks played(LogisticBandit bandit, int rounds) {
    Blocks blocks = new MemoryBlocks();
    SplittableRandom random = new SplittableRandom(SEED);
    for (int t = 1; t <= rounds; t++) {
      Request request =
          request(bandit, random.nextInt(2), 2 * random.nextDouble() - 1, 2 + random.nextInt(2));
      Choice choice = decide(bandit, blocks, request, t).choice();
      double paid =
          choice.arm() == 2 ? .7 : choice.arm() == 0 ? .9 * request.person().levels()[0] : .2;
      learn(bandit, blocks, request, choice.arm(), random.nextDouble() < paid ? 1 : 0);
    }
    return blocks;
  }

  static ByteBuffer bytes(Blocks blocks) {
    ByteBuffer all = ByteBuffer.allocate(1 << 16);
    for (Map.Entry<Long, Block> entry : blocks.entries()) {
      all.putLong(entry.getKey());
      entry.getValue().appendTo(all);
    }
    return all.flip();
  }

  static LogisticMemory memory(Blocks blocks) {
    return (LogisticMemory) Objects.requireNonNull(blocks.get(1));
  }

  static Draw draw(int t) {
    return new Draw(1, "s", "d" + t);
  }

  /** Returns the same state in blocks of its own. */
  static Blocks copy(Blocks blocks) {
    Blocks copy = new MemoryBlocks();
    for (Map.Entry<Long, Block> entry : blocks.entries()) {
      ByteBuffer bytes = ByteBuffer.allocate(entry.getValue().byteLength());
      entry.getValue().appendTo(bytes);
      bytes.flip();
      copy.put(
          entry.getKey(),
          entry.getKey() == 1 ? LogisticMemory.readFrom(bytes) : StreamingModel.readFrom(bytes));
    }
    return copy;
  }
}
