package io.equipoise.tools.watch;

import io.equipoise.segment.state.CompiledSpec;
import io.equipoise.segment.state.SpecRegistry;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Finds the texts on the specs topic, and reads it again if the log names one that was not there.
 */
final class PublishedTexts implements SpecRegistry {
  private final Supplier<SpecRegistry> topic;
  private final Set<String> missing = new HashSet<>();
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
    if (read.byHash(hash) == null && !missing.contains(hash)) {
      read = topic.get();
      if (read.byHash(hash) == null) {
        missing.add(hash);
      }
    }
    return missing.contains(hash) ? null : read.byHash(hash);
  }
}
