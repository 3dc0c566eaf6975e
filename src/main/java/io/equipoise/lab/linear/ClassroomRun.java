package io.equipoise.lab.linear;

import io.equipoise.bandit.Draw;
import io.equipoise.bandit.linear.Candidates;
import io.equipoise.bandit.linear.FeatureMask;
import io.equipoise.bandit.linear.LinearPolicy;
import io.equipoise.bandit.linear.LinearRound;
import io.equipoise.bandit.linear.RidgeWorkspace;
import io.equipoise.lab.MemoryLinearBlocks;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Plays one setting over one classroom; rewards arrive at once, learning goes on in the test. */
final class ClassroomRun {
  private static final int FIRST_ARMS = 20;

  private final Classroom classroom;
  private final Setting setting;
  private final LinearPolicy policy;
  private final MemoryLinearBlocks blocks;
  private final Candidates candidates;
  private final LinearRound round = new LinearRound(Classroom.FEATURES);
  private final RidgeWorkspace workspace = new RidgeWorkspace(Classroom.FEATURES);
  private final double[] x = new double[Classroom.FEATURES];
  private final int[] arms = new int[FIRST_ARMS];
  private final double[][] curves = new double[2][Classroom.ROUNDS / Measures.STEP];
  private final double[] sums = new double[2];
  private final int[] counts = new int[2];
  private double loss;

  private ClassroomRun(Classroom classroom, Setting setting, @Nullable FeatureMask mask) {
    this.classroom = classroom;
    this.setting = setting;
    policy = setting.compose();
    blocks = new MemoryLinearBlocks(policy);
    candidates = new Candidates(Classroom.FEATURES, mask);
  }

  /** Runs it; the mask is what the naive policy does not see. */
  static Measures run(Classroom classroom, Setting setting, FeatureMask naive) {
    FeatureMask mask = setting.policy().equals("linucb-unaware") ? naive : null;
    return new ClassroomRun(classroom, setting, mask).run();
  }

  private Measures run() {
    List<Student> students = classroom.inOrder(setting.order());
    for (int t = 1; t <= students.size(); t++) {
      if (t == Classroom.TRAIN + 1) {
        beginTest();
      }
      play(students.get(t - 1), t);
    }
    int test = counts[Setting.MALE] + counts[Setting.FEMALE];
    return new Measures(
        loss / test,
        mean(Setting.MALE),
        mean(Setting.FEMALE),
        arms,
        curves[Setting.MALE],
        curves[Setting.FEMALE]);
  }

  private void beginTest() {
    if (setting.resets()) {
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
      classroom.features(student, video, setting.maleArms(), x);
      candidates.add(video, x);
      best = Math.max(best, reward(student, video));
    }
    Draw draw = new Draw(0, "lab", Integer.toString(t));
    int chosen = policy.choose(blocks, candidates, t, draw, round);
    double reward = reward(student, chosen);
    int group = student.isMale() ? Setting.MALE : Setting.FEMALE;
    policy.learn(blocks, chosen, candidates.features(chosen), group, reward, t, workspace);
    loss += best - reward;
    sums[group] += reward;
    counts[group]++;
    if (t <= FIRST_ARMS) {
      arms[t - 1] = chosen;
    }
    if (t % Measures.STEP == 0) {
      curves[Setting.MALE][t / Measures.STEP - 1] = mean(Setting.MALE);
      curves[Setting.FEMALE][t / Measures.STEP - 1] = mean(Setting.FEMALE);
    }
  }

  private double reward(Student student, int video) {
    return classroom.reward(student, video, setting.maleArms(), setting.reward());
  }

  private double mean(int group) {
    return counts[group] == 0 ? Double.NaN : sums[group] / counts[group];
  }
}
