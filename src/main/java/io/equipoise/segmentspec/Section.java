package io.equipoise.segmentspec;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;

/** A mapping of the text. A repeated key is a fault, and so is one that is not allowed. */
public final class Section {
  private final Field field;
  private final Map<String, Field> fields = new LinkedHashMap<>();

  /** Reads a mapping of the given keys. */
  public static Section of(Field field, String... keys) {
    Section section = new Section(field);
    section.refuseOthers(List.of(keys));
    return section;
  }

  /** Reads a mapping whose keys are names. */
  public static Section ofNames(Field field) {
    return new Section(field);
  }

  private Section(Field field) {
    this.field = field;
    if (!(field.node() instanceof MappingNode mapping)) {
      field.fault("a mapping is needed");
      return;
    }
    for (NodeTuple tuple : mapping.getValue()) {
      int line = field.faults().lineOf(tuple.getKeyNode().getStartMark());
      if (!(tuple.getKeyNode() instanceof ScalarNode key)) {
        field.faults().add(field.path(), line, "a key that is no word", "keys are words");
        continue;
      }
      String name = key.getValue();
      String path = field.path().isEmpty() ? name : field.path() + "." + name;
      Field value = new Field(path, tuple.getValueNode(), field.faults());
      Field first = fields.putIfAbsent(name, value);
      if (first != null) {
        field
            .faults()
            .add(
                path, line, "a second " + name, "it is given in line " + first.line() + " already");
      }
    }
  }

  /** Returns the mapping itself. */
  public Field field() {
    return field;
  }

  /** Returns the fields by key, in the order of the text. */
  public Map<String, Field> fields() {
    return fields;
  }

  /** Says whether there is a mapping at all; if not that is a fault already. */
  public boolean isMapping() {
    return field.node() instanceof MappingNode;
  }

  /** Returns a field that may be left out. */
  public @Nullable Field get(String key) {
    return fields.get(key);
  }

  /** Returns a field; if it is left out that is a fault. */
  public @Nullable Field require(String key, String allowed) {
    Field found = fields.get(key);
    if (found == null && isMapping()) {
      String path = field.path().isEmpty() ? key : field.path() + "." + key;
      field.faults().add(path, field.line(), "nothing", allowed);
    }
    return found;
  }

  /** Makes a fault of every key that is not among these. */
  public void refuseOthers(Collection<String> keys) {
    fields.forEach(
        (key, value) -> {
          if (!keys.contains(key)) {
            value.fault("the key " + SpecFaults.shown(key), Nearest.oneOf(key, keys));
          }
        });
  }
}
