package io.equipoise.segmentspec;

import org.snakeyaml.engine.v2.common.FlowStyle;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;

/** Writes a value under a key into the text of a spec; every other character stays. */
public final class KeyEdit {
  private KeyEdit() {}

  /**
   * Returns the text with another value, or with the last key as well where it has none.
   *
   * @param path keys with dots between them, such as {@code policy.explore}
   * @param value in YAML, on one line
   * @throws SpecException if the text is no YAML
   * @throws IllegalArgumentException if there is no mapping that could have the last key
   */
  public static String with(String text, String path, String value) {
    Node node = ArmEdit.root(text);
    String[] keys = path.split("\\.", -1);
    for (int at = 0; at < keys.length; at++) {
      NodeTuple entry = BifReference.entry(node, keys[at]);
      if (entry == null && node instanceof MappingNode mapping && at == keys.length - 1) {
        return inserted(text, mapping, keys[at] + ": " + value);
      }
      if (entry == null) {
        throw new IllegalArgumentException(path + " has no place in the text");
      }
      node = entry.getValueNode();
    }
    return text.substring(0, ArmEdit.start(text, node))
        + value
        + text.substring(ArmEdit.end(text, node));
  }

  /** Adds an entry before the first one of a mapping, in the mapping's own style. */
  private static String inserted(String text, MappingNode mapping, String entry) {
    int start = ArmEdit.start(text, mapping.getValue().get(0).getKeyNode());
    boolean isFlow = mapping.getFlowStyle() == FlowStyle.FLOW;
    String after = isFlow ? ", " : "\n" + ArmEdit.lineUpTo(text, start);
    return text.substring(0, start) + entry + after + text.substring(start);
  }
}
