package io.equipoise.lab.linear;

import java.util.List;

/** Whom trials are drawn from, in a fixed order. */
record Population(List<Student> students, List<Video> videos) {
  /** 102 one-hot levels, 3 scaled numbers, 2 levels of income. */
  static final int USER_FEATURES = 107;

  static final int VIDEO_FEATURES = 25;
}
