package io.equipoise.lab.linear;

import com.fasterxml.jackson.databind.JsonNode;
import io.equipoise.lab.linear.ClassroomRun.RunMeasures;
import io.equipoise.simulation.Resources;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Reads five trials as rows of the real files with the results of an independent program: loss and
 * mean rewards by gamma, to four decimals, and the first videos.
 */
final class Fixture {
  private final JsonNode root = Resources.json("/lab/fair-linucb-trials.json");

  /** The names of the user features, in order. */
  List<String> featureNames() {
    List<String> names = new ArrayList<>();
    root.get("userNames").forEach(name -> names.add(name.asText()));
    return names;
  }

  int trials() {
    return root.get("trials").size();
  }

  Classroom classroom(Population population, int trial) {
    JsonNode node = root.get("trials").get(trial);
    return Classroom.of(population, rows(node.get("userRows")), rows(node.get("videoRows")));
  }

  private static int[] rows(JsonNode node) {
    return Arrays.stream(Resources.numbers(node)).mapToInt(row -> (int) row).toArray();
  }

  /** Returns the greatest difference from the expected measures; 1 for another video. */
  double difference(int trial, int gamma, RunMeasures measures) {
    JsonNode expected = root.get("trials").get(trial).get("expected").get(String.valueOf(gamma));
    double worst = Math.abs(measures.loss() - expected.get("loss").asDouble());
    worst = Math.max(worst, Math.abs(measures.male() - expected.get("male").asDouble()));
    worst = Math.max(worst, Math.abs(measures.female() - expected.get("female").asDouble()));
    for (int i = 0; i < measures.arms().length; i++) {
      worst = expected.get("first20").get(i).asInt() == measures.arms()[i] ? worst : 1;
    }
    return worst;
  }
}
