package io.equipoise.gateway;

import io.equipoise.job.control.SpecHistory;
import io.equipoise.segment.state.CompiledSpec;
import io.equipoise.segment.state.SpecRegistry;
import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.SpecSelection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Finds the specs of the topic at one time, by the rules of the job. Immutable. */
final class ServedSpecs implements SpecRegistry {
  static final ServedSpecs NONE = new ServedSpecs(List.of(), Map.of());

  private final List<SegmentSpec> inForce;
  private final Map<String, CompiledSpec> byHash;

  private ServedSpecs(List<SegmentSpec> inForce, Map<String, CompiledSpec> byHash) {
    this.inForce = List.copyOf(inForce);
    this.byHash = Map.copyOf(byHash);
  }

  static ServedSpecs of(SpecHistory history) {
    Map<String, CompiledSpec> byHash = new HashMap<>();
    history.all().forEach(it -> byHash.put(it.spec().hash(), it.compiled()));
    return new ServedSpecs(history.inForce(), byHash);
  }

  /** Returns the newest spec of each name, in the order of the names. */
  List<SegmentSpec> inForce() {
    return inForce;
  }

  /** Returns every version whose selector covers a segment, in force or not. */
  List<CompiledSpec> covering(String segment) {
    return byHash.values().stream().filter(it -> it.spec().match().matches(segment)).toList();
  }

  @Override
  public @Nullable CompiledSpec select(String segment) {
    return SpecSelection.select(inForce, segment).map(it -> byHash.get(it.hash())).orElse(null);
  }

  /** Returns a spec, in force or not; null if it is not on the topic. */
  @Override
  public @Nullable CompiledSpec byHash(String hash) {
    return byHash.get(hash);
  }
}
