package io.equipoise.lab.linear;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Five trials as rows of the real files, and what an independent program found for them: loss and
 * mean rewards by gamma, to four decimals, and the first videos.
 */
final class Fixture {
  private static final String RESOURCE = "/lab/fair-linucb-trials.json";

  private final JsonNode root;

  private Fixture(JsonNode root) {
    this.root = root;
  }

  static Fixture read() {
    try (InputStream in = Fixture.class.getResourceAsStream(RESOURCE)) {
      if (in == null) {
        throw new IllegalStateException("no resource " + RESOURCE);
      }
      return new Fixture(new ObjectMapper().readTree(in));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

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
    int[] rows = new int[node.size()];
    for (int i = 0; i < rows.length; i++) {
      rows[i] = node.get(i).asInt();
    }
    return rows;
  }

  /** Returns by how much measures differ from what is expected, at most; 1 for another video. */
  double difference(int trial, int gamma, RunMeasures runMeasures) {
    JsonNode expected = root.get("trials").get(trial).get("expected").get(String.valueOf(gamma));
    double worst = Math.abs(runMeasures.loss() - expected.get("loss").asDouble());
    worst = Math.max(worst, Math.abs(runMeasures.male() - expected.get("male").asDouble()));
    worst = Math.max(worst, Math.abs(runMeasures.female() - expected.get("female").asDouble()));
    for (int i = 0; i < runMeasures.arms().length; i++) {
      worst = expected.get("first20").get(i).asInt() == runMeasures.arms()[i] ? worst : 1;
    }
    return worst;
  }
}
