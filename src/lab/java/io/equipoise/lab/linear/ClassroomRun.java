package io.equipoise.lab.linear;

import io.equipoise.lab.MemoryLinearBlocks;
import io.equipoise.lab.linear.Population.Student;
import io.equipoise.policy.SeededRandom;
import io.equipoise.policy.linear.Candidates;
import io.equipoise.policy.linear.Candidates.FeatureMask;
import io.equipoise.policy.linear.LinearBlocks;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Plays one setting over one classroom. Rewards arrive at once; the test phase learns too. */
final class ClassroomRun {
  private static final int FIRST_ARMS = 20;
  private static final int MALE = FairLinUcbSetting.MALE;
  private static final int FEMALE = FairLinUcbSetting.FEMALE;

  private final Classroom classroom;
  private final FairLinUcbSetting setting;
  private final MemoryLinearBlocks blocks;
  private final Candidates candidates;
  private final double[] x = new double[Classroom.FEATURES];
  private final int[] arms = new int[FIRST_ARMS];
  private final double[][] curves = new double[2][Classroom.ROUNDS / RunMeasures.STEP];
  private final double[] sums = new double[2];
  private final int[] counts = new int[2];
  private double loss;

  /**
   * Holds the result of one run over the test phase.
   *
   * @param loss mean of the best video's reward minus the reward
   * @param male mean reward of men
   * @param female mean reward of women
   * @param arms the first 20 videos that the run recommended
   * @param maleCurve mean reward of men since the start of the phase, every {@value #STEP} rounds
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record RunMeasures(
      double loss,
      double male,
      double female,
      int[] arms,
      double[] maleCurve,
      double[] femaleCurve) {
    static final int STEP = 25;

    /** Returns the reward difference. */
    double gap() {
      return Math.abs(male - female);
    }
  }

  private ClassroomRun(Classroom classroom, FairLinUcbSetting setting, @Nullable FeatureMask mask) {
    this.classroom = classroom;
    this.setting = setting;
    blocks = new MemoryLinearBlocks(setting.compose());
    candidates = new Candidates(Classroom.FEATURES, mask);
  }

  /** Runs it; the mask drops the features that the naive policy ignores. */
  static RunMeasures run(Classroom classroom, FairLinUcbSetting setting, FeatureMask naive) {
    FeatureMask mask = setting.policy().equals("linucb-unaware") ? naive : null;
    return new ClassroomRun(classroom, setting, mask).run();
  }

  private RunMeasures run() {
    List<Student> students = classroom.inOrder(setting.order());
    for (int t = 1; t <= students.size(); t++) {
      if (t == Classroom.TRAIN + 1) {
        beginTest();
      }
      play(students.get(t - 1), t);
    }
    int test = counts[MALE] + counts[FEMALE];
    return new RunMeasures(
        loss / test, mean(MALE), mean(FEMALE), arms, curves[MALE], curves[FEMALE]);
  }

  private void beginTest() {
    if (setting.resets()) {
      // The test does not work off the lead of a group from training.
      blocks.groups(LinearBlocks.SHARED).reset();
      blocks.changed(LinearBlocks.SHARED);
    }
    loss = 0;
    Arrays.fill(sums, 0);
    Arrays.fill(counts, 0);
  }

  private void play(Student student, int t) {
    candidates.clear();
    double best = 0;
    for (int video = 0; video < Classroom.ARMS; video++) {
      classroom.features(student, video, setting.maleArms(), x);
      candidates.add(video, x);
      best = Math.max(best, reward(student, video));
    }
    SeededRandom random = new SeededRandom(0, "lab", Integer.toString(t));
    int chosen = blocks.choose(candidates, t, random);
    double reward = reward(student, chosen);
    int group = student.isMale() ? MALE : FEMALE;
    blocks.learn(chosen, candidates.features(chosen), group, reward, t);
    loss += best - reward;
    sums[group] += reward;
    counts[group]++;
    if (t <= FIRST_ARMS) {
      arms[t - 1] = chosen;
    }
    if (t % RunMeasures.STEP == 0) {
      curves[MALE][t / RunMeasures.STEP - 1] = mean(MALE);
      curves[FEMALE][t / RunMeasures.STEP - 1] = mean(FEMALE);
    }
  }

  private double reward(Student student, int video) {
    return classroom.reward(student, video, setting.maleArms(), setting.reward());
  }

  private double mean(int group) {
    return counts[group] == 0 ? Double.NaN : sums[group] / counts[group];
  }
}
