package io.equipoise.lab.linear;

import io.equipoise.lab.MemoryLinearBlocks;
import io.equipoise.policy.SeededRandom;
import io.equipoise.policy.linear.Candidates;
import io.equipoise.policy.linear.FeatureMask;
import io.equipoise.policy.linear.LinearRound;
import io.equipoise.policy.linear.LinearRule;
import io.equipoise.policy.linear.RidgeWorkspace;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Plays one setting over one classroom; rewards arrive at once, learning goes on in the test. */
final class ClassroomRun {
  private static final int FIRST_ARMS = 20;

  private final Classroom classroom;
  private final FairLinUcbSetting fairLinUcbSetting;
  private final LinearRule policy;
  private final MemoryLinearBlocks blocks;
  private final Candidates candidates;
  private final LinearRound round = new LinearRound(Classroom.FEATURES);
  private final RidgeWorkspace workspace = new RidgeWorkspace(Classroom.FEATURES);
  private final double[] x = new double[Classroom.FEATURES];
  private final int[] arms = new int[FIRST_ARMS];
  private final double[][] curves = new double[2][Classroom.ROUNDS / RunMeasures.STEP];
  private final double[] sums = new double[2];
  private final int[] counts = new int[2];
  private double loss;

  private ClassroomRun(
      Classroom classroom, FairLinUcbSetting fairLinUcbSetting, @Nullable FeatureMask mask) {
    this.classroom = classroom;
    this.fairLinUcbSetting = fairLinUcbSetting;
    policy = fairLinUcbSetting.compose();
    blocks = new MemoryLinearBlocks(policy);
    candidates = new Candidates(Classroom.FEATURES, mask);
  }

  /** Runs it; the mask is what the naive policy does not see. */
  static RunMeasures run(
      Classroom classroom, FairLinUcbSetting fairLinUcbSetting, FeatureMask naive) {
    FeatureMask mask = fairLinUcbSetting.policy().equals("linucb-unaware") ? naive : null;
    return new ClassroomRun(classroom, fairLinUcbSetting, mask).run();
  }

  private RunMeasures run() {
    List<Student> students = classroom.inOrder(fairLinUcbSetting.order());
    for (int t = 1; t <= students.size(); t++) {
      if (t == Classroom.TRAIN + 1) {
        beginTest();
      }
      play(students.get(t - 1), t);
    }
    int test = counts[FairLinUcbSetting.MALE] + counts[FairLinUcbSetting.FEMALE];
    return new RunMeasures(
        loss / test,
        mean(FairLinUcbSetting.MALE),
        mean(FairLinUcbSetting.FEMALE),
        arms,
        curves[FairLinUcbSetting.MALE],
        curves[FairLinUcbSetting.FEMALE]);
  }

  private void beginTest() {
    if (fairLinUcbSetting.resets()) {
      policy.resetGroupMeans(blocks);
    }
    loss = 0;
    for (int group = 0; group < 2; group++) {
      sums[group] = 0;
      counts[group] = 0;
    }
  }

  private void play(Student student, int t) {
    candidates.clear();
    double best = 0;
    for (int video = 0; video < Classroom.ARMS; video++) {
      classroom.features(student, video, fairLinUcbSetting.maleArms(), x);
      candidates.add(video, x);
      best = Math.max(best, reward(student, video));
    }
    SeededRandom seededRandom = new SeededRandom(0, "lab", Integer.toString(t));
    int chosen = policy.choose(blocks, candidates, t, seededRandom, round);
    double reward = reward(student, chosen);
    int group = student.isMale() ? FairLinUcbSetting.MALE : FairLinUcbSetting.FEMALE;
    policy.learn(blocks, chosen, candidates.features(chosen), group, reward, t, workspace);
    loss += best - reward;
    sums[group] += reward;
    counts[group]++;
    if (t <= FIRST_ARMS) {
      arms[t - 1] = chosen;
    }
    if (t % RunMeasures.STEP == 0) {
      curves[FairLinUcbSetting.MALE][t / RunMeasures.STEP - 1] = mean(FairLinUcbSetting.MALE);
      curves[FairLinUcbSetting.FEMALE][t / RunMeasures.STEP - 1] = mean(FairLinUcbSetting.FEMALE);
    }
  }

  private double reward(Student student, int video) {
    return classroom.reward(
        student, video, fairLinUcbSetting.maleArms(), fairLinUcbSetting.reward());
  }

  private double mean(int group) {
    return counts[group] == 0 ? Double.NaN : sums[group] / counts[group];
  }
}
