package io.equipoise.segmentspec;

import java.util.List;
import java.util.Optional;
import java.util.function.IntUnaryOperator;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;

/** Writes another version into the text of a spec; every other character stays. */
public final class VersionEdit {
  private static final String KEY = "version";

  private VersionEdit() {}

  /**
   * Returns the text with another version.
   *
   * @throws SpecException if the text is no YAML or has no version
   */
  public static String with(String text, long version) {
    SpecFaults specFaults = new SpecFaults(IntUnaryOperator.identity());
    Node root = YamlText.read(text, specFaults).orElse(null);
    specFaults.throwIfAny();
    NodeTuple entry = BifReference.entry(root, KEY);
    Optional<Mark> start = entry == null ? Optional.empty() : entry.getValueNode().getStartMark();
    Optional<Mark> end = entry == null ? Optional.empty() : entry.getValueNode().getEndMark();
    if (start.isEmpty() || end.isEmpty()) {
      throw new SpecException(List.of(new SpecFault(KEY, "nothing", "a whole number")));
    }
    return text.substring(0, text.offsetByCodePoints(0, start.get().getIndex()))
        + version
        + text.substring(text.offsetByCodePoints(0, end.get().getIndex()));
  }
}
