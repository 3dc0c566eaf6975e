package io.equipoise.watch;

import io.equipoise.segment.state.CompiledSpec;
import io.equipoise.segmentspec.SpecVariable;
import java.util.ArrayList;
import java.util.List;

/** Divides people by the disclosed levels of one or more attributes. */
final class PeopleGroups {
  /** The group of a person who does not disclose an attribute, or has a level that is new. */
  static final int NONE = -1;

  private static final String JOINT = "*";

  private final List<String> attributes;
  private final List<List<String>> levels = new ArrayList<>();
  private final List<String> names = new ArrayList<>();

  PeopleGroups(List<String> attributes, CompiledSpec spec) {
    this.attributes = attributes;
    names.add("");
    for (String attribute : attributes) {
      SpecVariable variable = spec.spec().variables().named(attribute);
      List<String> disclosed = variable.levels().subList(0, variable.disclosedLevels());
      List<String> before = List.copyOf(names);
      names.clear();
      for (String name : before) {
        disclosed.forEach(it -> names.add(name.isEmpty() ? it : name + JOINT + it));
      }
      levels.add(disclosed);
    }
  }

  List<String> names() {
    return names;
  }

  int of(WatchedRow row) {
    int group = 0;
    for (int i = 0; i < levels.size(); i++) {
      int level = level(row, attributes.get(i), levels.get(i));
      if (level < 0) {
        return NONE;
      }
      group = group * levels.get(i).size() + level;
    }
    return group;
  }

  private static int level(WatchedRow row, String attribute, List<String> levels) {
    int place = row.spec().placeOf(attribute);
    if (place < 0) {
      return NONE;
    }
    SpecVariable variable = row.spec().features().get(place);
    int level = row.person().levels()[place];
    return level == variable.undisclosed() || level >= variable.levels().size()
        ? NONE
        : levels.indexOf(variable.levels().get(level));
  }
}
