package io.equipoise.segmentspec;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads {@code segments}: {@code default}, or {@code exact} names, or a {@code pattern}. */
final class SegmentReader {
  private static final int MAX_PATTERN_LENGTH = 256;
  private static final int MAX_NAME_LENGTH = 128;
  private static final long MAX_REPEATS = 1000;
  private static final int MAX_DIGITS = 9;
  private static final Pattern REPEAT = Pattern.compile("\\{(\\d+)(?:,(\\d+)?)?\\}");
  private static final String ALLOWED =
      "default, {exact: [names]} or {pattern: \"regular expression\"}";

  private SegmentReader() {}

  static @Nullable SegmentMatch read(@Nullable Field field) {
    if (field == null) {
      return null;
    }
    if (field.isScalar()) {
      if ("default".equals(field.text())) {
        return new SegmentMatch.Default();
      }
      field.fault(ALLOWED);
      return null;
    }
    Section section = Section.of(field, "exact", "pattern");
    Field exact = section.get("exact");
    Field pattern = section.get("pattern");
    if (exact != null && pattern == null) {
      return exact(exact);
    }
    if (pattern != null && exact == null) {
      return pattern(pattern);
    }
    if (section.isMapping()) {
      field.fault(exact == null ? "neither exact nor pattern" : "exact and pattern", ALLOWED);
    }
    return null;
  }

  private static SegmentMatch exact(Field field) {
    Set<String> names = new LinkedHashSet<>();
    for (Field item : field.items()) {
      String name = item.text();
      if (name != null && name.length() > MAX_NAME_LENGTH) {
        item.fault("a name of at most " + MAX_NAME_LENGTH + " characters");
      } else if (name != null && !names.add(name)) {
        item.fault("every name once");
      }
    }
    if (field.isList() && names.isEmpty()) {
      field.fault("an empty list", "at least one name");
    }
    return new SegmentMatch.Exact(List.copyOf(names));
  }

  private static @Nullable SegmentMatch pattern(Field field) {
    String text = field.text();
    if (text == null) {
      return null;
    }
    if (text.length() > MAX_PATTERN_LENGTH) {
      field.fault("a pattern of at most " + MAX_PATTERN_LENGTH + " characters");
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

  /** Returns by what factor counted repeats make a pattern longer, were all of them nested. */
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
