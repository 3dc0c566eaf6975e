package io.equipoise.tools.watch;

import io.equipoise.segment.state.CompiledSpec;
import io.equipoise.segment.state.SpecRegistry;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Finds the texts on the specs topic, and reads it again if the log names one that was not there.
 */
final class PublishedTexts implements SpecRegistry {
  private final Supplier<SpecRegistry> topic;
  private final Map<String, Optional<CompiledSpec>> found = new HashMap<>();
  private SpecRegistry read;

  PublishedTexts(Supplier<SpecRegistry> topic) {
    this.topic = topic;
    read = topic.get();
  }

  @Override
  public synchronized @Nullable CompiledSpec select(String segment) {
    return read.select(segment);
  }

  @Override
  public synchronized @Nullable CompiledSpec byHash(String hash) {
    return found.computeIfAbsent(hash, this::find).orElse(null);
  }

  private Optional<CompiledSpec> find(String hash) {
    if (read.byHash(hash) == null) {
      read = topic.get();
    }
    return Optional.ofNullable(read.byHash(hash));
  }
}
