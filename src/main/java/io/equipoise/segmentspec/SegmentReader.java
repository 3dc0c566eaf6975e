package io.equipoise.segmentspec;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads {@code segments}: {@code default}, or {@code exact} names, or a {@code pattern}. */
final class SegmentReader {
  private static final long MAX_REPEATS = 1000;
  private static final int MAX_DIGITS = 9;
  private static final Pattern REPEAT = Pattern.compile("\\{(\\d+)(?:,(\\d+)?)?\\}");

  private SegmentReader() {}

  static @Nullable SegmentMatch read(Section root) {
    Field field = root.get("segments");
    if (field == null) {
      return null;
    }
    if (field.isScalar() && "default".equals(field.text())) {
      return new SegmentMatch.Default();
    }
    if (!field.isMapping()) {
      field.fault("default, {exact: [names]} or {pattern: \"regular expression\"}");
      return null;
    }
    Section section = root.inner(field, "segments");
    Map.Entry<String, Field> only = section.only();
    if (only == null) {
      return null;
    }
    return only.getKey().equals("exact") ? exact(section) : pattern(section);
  }

  private static SegmentMatch exact(Section section) {
    KeyType type = section.itemType("exact");
    Set<String> names = new LinkedHashSet<>();
    for (Field item : section.items("exact")) {
      String name = item.text(type);
      if (name != null && !names.add(name)) {
        item.fault("every name once");
      }
    }
    return new SegmentMatch.Exact(List.copyOf(names));
  }

  private static @Nullable SegmentMatch pattern(Section section) {
    Field field = section.get("pattern");
    String text = section.text("pattern");
    if (field == null || text == null) {
      return null;
    }
    if (repeats(text) > MAX_REPEATS) {
      field.fault(
          "counted repeats of " + repeats(text) + " in all",
          "repeats like {2,5} whose upper bounds multiply to at most " + MAX_REPEATS);
      return null;
    }
    try {
      return new SegmentMatch.Pattern(Pattern.compile(text));
    } catch (PatternSyntaxException e) {
      field.fault(
          "a regular expression without back references and look-around (RE2): "
              + e.getDescription());
      return null;
    }
  }

  /**
   * Returns the factor by which counted repeats make a pattern longer if all of them are nested.
   */
  private static long repeats(String pattern) {
    long all = 1;
    Matcher repeat = REPEAT.matcher(pattern);
    while (repeat.find()) {
      String most = repeat.group(2) == null ? repeat.group(1) : repeat.group(2);
      long times = most.length() > MAX_DIGITS ? Long.MAX_VALUE : Long.parseLong(most);
      all = WorkBudget.product(all, Math.max(1, times));
    }
    return all;
  }
}
