package io.equipoise.segment;

import io.equipoise.segment.state.CompiledSpec;
import io.equipoise.segment.state.SpecRegistry;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A book with one spec in force for all segments, and all that were before by their hash. */
public final class TestBook implements SpecRegistry {
  private final Map<String, CompiledSpec> byHash = new HashMap<>();
  private @Nullable CompiledSpec inForce;

  /** Puts a spec in force. */
  public TestBook publish(String text) {
    return publish(TestSpecs.compiled(text));
  }

  /** Puts a spec in force. */
  TestBook publish(CompiledSpec spec) {
    byHash.put(spec.spec().hash(), spec);
    inForce = spec;
    return this;
  }

  /** Takes all specs off the book, as a tombstone on the specs topic does. */
  public TestBook retire() {
    byHash.clear();
    inForce = null;
    return this;
  }

  @Override
  public @Nullable CompiledSpec select(String segment) {
    return inForce;
  }

  @Override
  public @Nullable CompiledSpec byHash(String hash) {
    return byHash.get(hash);
  }
}
