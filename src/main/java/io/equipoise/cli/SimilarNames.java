package io.equipoise.cli;

import io.equipoise.segmentspec.SegmentSpec;
import io.equipoise.segmentspec.SpecVariable;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Finds levels of a variable, and names of variables, that people take for equal: they differ only
 * in case, Unicode form, invisible characters, or blanks at their ends.
 */
public final class SimilarNames {
  private SimilarNames() {}

  /** Returns one sentence for each group of such names, and for each level with outer blanks. */
  public static List<String> warnings(SegmentSpec spec) {
    List<String> warnings = new ArrayList<>();
    List<SpecVariable> variables = spec.variables().all();
    similar("the variables", variables.stream().map(SpecVariable::name).toList(), warnings);
    variables.forEach(it -> warnings.addAll(warnings(it.name(), it.levels())));
    return warnings;
  }

  /** Returns the same sentences for the levels of one variable. */
  public static List<String> warnings(String variable, Collection<String> levels) {
    List<String> warnings = new ArrayList<>();
    similar("the levels of " + variable, levels, warnings);
    return warnings;
  }

  /** Format characters, and blanks of any kind at the ends. */
  private static final Pattern INVISIBLE = Pattern.compile("\\p{Cf}|^[\\p{Z}\\s]+|[\\p{Z}\\s]+$");

  private static void similar(String what, Collection<String> names, List<String> warnings) {
    Map<String, List<String>> groups = new LinkedHashMap<>();
    for (String name : names) {
      String bare = INVISIBLE.matcher(name).replaceAll("");
      String folded = Normalizer.normalize(bare, Normalizer.Form.NFKC);
      groups.computeIfAbsent(folded.toLowerCase(Locale.ROOT), key -> new ArrayList<>()).add(name);
      if (!name.equals(name.strip())) {
        warnings.add(
            what
                + " contain "
                + shown(name)
                + " with a blank at an end, which no CSV file can contain; remove it");
      }
    }
    for (List<String> group : groups.values()) {
      if (group.size() > 1) {
        warnings.add(
            "%s contain %s, which differ only in case, Unicode form, invisible characters or outer blanks, and count as different; keep one"
                .formatted(
                    what, String.join(" and ", group.stream().map(SimilarNames::shown).toList())));
      }
    }
  }

  /** Escapes the characters that a reader cannot see. */
  private static String shown(String name) {
    StringBuilder shown = new StringBuilder("\"");
    name.chars()
        .forEach(c -> shown.append(c < 0x7F ? Character.toString(c) : "\\u%04x".formatted(c)));
    return shown.append('"').toString();
  }
}
