package io.equipoise.lab.linear;

import io.equipoise.lab.linear.FairLinUcbSetting.Order;
import io.equipoise.lab.linear.FairLinUcbSetting.Reward;
import io.equipoise.lab.linear.Population.Student;
import io.equipoise.lab.linear.Population.Video;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Provides the students and videos of one trial: 3,000 students to train, 2,000 to test, 100
 * videos, of which the first have male speakers.
 *
 * @param students in their order in the shuffled trial
 */
record Classroom(List<Student> students, List<Video> videos) {
  static final int TRAIN = 3000;
  static final int ROUNDS = 5000;
  static final int ARMS = 100;

  /** User, video, speaker is male, speaker's gender is the student's. */
  static final int FEATURES = Population.USER_FEATURES + Population.VIDEO_FEATURES + 2;

  /** Draws a trial: as many men as women in either phase, each phase shuffled. */
  static Classroom draw(Population population, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    List<Student> men = new ArrayList<>();
    List<Student> women = new ArrayList<>();
    population.students().forEach(student -> (student.isMale() ? men : women).add(student));
    shuffle(men, ROUNDS / 2, random);
    shuffle(women, ROUNDS / 2, random);
    List<Student> train = new ArrayList<>(men.subList(0, TRAIN / 2));
    train.addAll(women.subList(0, TRAIN / 2));
    shuffle(train, TRAIN, random);
    List<Student> test = new ArrayList<>(men.subList(TRAIN / 2, ROUNDS / 2));
    test.addAll(women.subList(TRAIN / 2, ROUNDS / 2));
    shuffle(test, ROUNDS - TRAIN, random);
    train.addAll(test);
    List<Video> videos = new ArrayList<>(population.videos());
    shuffle(videos, ARMS, random);
    return new Classroom(train, List.copyOf(videos.subList(0, ARMS)));
  }

  /** Shuffles until the first {@code wanted} are a uniform sample (Fisher and Yates). */
  private static <T> void shuffle(List<T> items, int wanted, SplittableRandom random) {
    if (items.size() < wanted) {
      throw new IllegalArgumentException(
          "a trial needs " + wanted + " of a kind, there are " + items.size());
    }
    for (int i = 0; i < wanted; i++) {
      int other = i + random.nextInt(items.size() - i);
      T item = items.get(i);
      items.set(i, items.get(other));
      items.set(other, item);
    }
  }

  /** Returns the trial of these rows of a population. */
  static Classroom of(Population population, int[] userRows, int[] videoRows) {
    return new Classroom(
        Arrays.stream(userRows).mapToObj(population.students()::get).toList(),
        Arrays.stream(videoRows).mapToObj(population.videos()::get).toList());
  }

  List<Student> inOrder(Order order) {
    if (order == Order.SHUFFLED) {
      return students;
    }
    List<Student> ordered = new ArrayList<>();
    for (boolean isMale : List.of(order == Order.MALES_FIRST, order != Order.MALES_FIRST)) {
      students.subList(0, TRAIN).stream()
          .filter(student -> student.isMale() == isMale)
          .forEach(ordered::add);
    }
    ordered.addAll(students.subList(TRAIN, ROUNDS));
    return ordered;
  }

  void features(Student student, int video, int maleArms, double[] out) {
    System.arraycopy(student.features(), 0, out, 0, Population.USER_FEATURES);
    System.arraycopy(
        videos.get(video).features(), 0, out, Population.USER_FEATURES, Population.VIDEO_FEATURES);
    boolean isMaleSpeaker = video < maleArms;
    out[FEATURES - 2] = isMaleSpeaker ? 1 : 0;
    out[FEATURES - 1] = isMaleSpeaker == student.isMale() ? 1 : 0;
  }

  /** Returns the reward, without noise. */
  double reward(Student student, int video, int maleArms, Reward kind) {
    double rating = videos.get(video).rating();
    if (kind == Reward.R2) {
      return 0.5 * rating + 0.5 * student.education();
    }
    int match = video < maleArms == student.isMale() ? 1 : 0;
    return 0.3 * rating + 0.4 * student.education() + 0.3 * match;
  }
}
