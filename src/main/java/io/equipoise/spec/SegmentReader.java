package io.equipoise.spec;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;

/** Reads {@code segments}: {@code default}, or {@code exact} names, or a {@code pattern}. */
final class SegmentReader {
  private static final int MAX_PATTERN_LENGTH = 256;
  private static final int MAX_NAME_LENGTH = 128;
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
    try {
      return new SegmentMatch.Pattern(Pattern.compile(text));
    } catch (PatternSyntaxException e) {
      field.fault("a regular expression: " + e.getDescription());
      return null;
    }
  }
}
