package io.equipoise.privacy;

import io.equipoise.event.ContextEvent;
import io.equipoise.event.Origin;
import java.util.Map;

/** Contexts of one segment. */
final class TestContexts {
  static final long TIME = 1_700_000_000_000L;

  private TestContexts() {}

  static ContextEvent person(String id, String group) {
    return of(id, Map.of("S", group, "X", "low"));
  }

  static ContextEvent of(String id, Map<String, Object> attributes) {
    return new ContextEvent(
        id, "s", TIME, attributes, null, null, new Origin("contexts", 0, 0, TIME), new byte[0]);
  }
}
