package io.equipoise.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class DecisionOrderTest {
  @Test
  void decisionsAreCountedAsTheReferenceCountsThem() throws IOException {
    JsonNode golden;
    try (InputStream in = DecisionOrderTest.class.getResourceAsStream("/watch/order.json")) {
      golden = new ObjectMapper().readTree(Objects.requireNonNull(in));
    }
    DecisionOrder<String> order = new DecisionOrder<>();
    List<Double> rewards = new ArrayList<>();
    int settled = 0;
    for (JsonNode event : golden.get("events")) {
      if (event.get("type").asText().equals("DECISION")) {
        order.decided(event.get("seq").asLong(), "");
        continue;
      }
      JsonNode reward = event.get("reward");
      double value = reward.isNull() ? Double.NaN : reward.asDouble();
      order.settled(event.get("decisionSeq").asLong(), value, (row, known) -> rewards.add(known));
      JsonNode expected = golden.get("expected").get(settled++);
      assertEquals(event.get("seq"), expected.get("seq"));
      assertEquals(expected.get("rows").asInt(), rewards.size());
      assertEquals(expected.get("pending").asInt(), order.pending());
      assertEquals(
          expected.get("missing").asLong(), rewards.stream().filter(it -> it.isNaN()).count());
      assertEquals(
          expected.get("sum").asDouble(),
          rewards.stream().filter(it -> !it.isNaN()).mapToDouble(it -> it).sum());
    }
    assertEquals(golden.get("expected").size(), settled);
  }
}
