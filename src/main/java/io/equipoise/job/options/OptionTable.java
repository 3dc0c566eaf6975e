package io.equipoise.job.options;

import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.description.TextElement;
import org.apache.flink.util.TimeUtils;

/**
 * Writes the table of {@code docs/reference/options.md} from the constants of {@link JobOptions}.
 */
public final class OptionTable {
  private static final String START = "<!-- options:start -->";
  private static final String END = "<!-- options:end -->";

  private OptionTable() {}

  /** Returns the text with the table between the markers replaced by the generated one. */
  public static String replaceIn(String page) {
    return replaceIn(page, START, END, markdown());
  }

  /**
   * Returns the text with the table of other options between the markers of their name, {@code <!--
   * NAME:start -->} and {@code <!-- NAME:end -->}.
   */
  public static String replaceIn(String page, String name, List<ConfigOption<?>> options) {
    return replaceIn(
        page,
        "<!-- %s:start -->".formatted(name),
        "<!-- %s:end -->".formatted(name),
        rows(options));
  }

  private static String replaceIn(String page, String from, String to, String table) {
    var start = page.indexOf(from);
    var end = page.indexOf(to);
    if (start < 0 || end < start) {
      throw new IllegalArgumentException("the text must contain " + from + " before " + to);
    }
    return page.substring(0, start + from.length()) + "\n" + table + page.substring(end);
  }

  /** Writes one row per option, in declaration order. */
  static String markdown() {
    return rows(options());
  }

  private static String rows(List<ConfigOption<?>> options) {
    var table = new StringBuilder("| option | default | what it does |\n| --- | --- | --- |\n");
    for (var option : options) {
      table
          .append("| `")
          .append(option.key())
          .append("` | ")
          .append(standard(option))
          .append(" | ")
          .append(description(option))
          .append(" |\n");
    }
    return table.toString();
  }

  static Set<String> keys() {
    return options().stream().map(ConfigOption::key).collect(Collectors.toUnmodifiableSet());
  }

  /** Relies on the order of fields in the class file, which compilers keep as in the source. */
  private static List<ConfigOption<?>> options() {
    var options = new ArrayList<ConfigOption<?>>();
    for (var field : JobOptions.class.getDeclaredFields()) {
      if (Modifier.isPublic(field.getModifiers()) && field.getType() == ConfigOption.class) {
        try {
          options.add((ConfigOption<?>) field.get(null));
        } catch (IllegalAccessException e) {
          throw new IllegalStateException("cannot access public field " + field, e);
        }
      }
    }
    return options;
  }

  private static String standard(ConfigOption<?> option) {
    var value = option.defaultValue();
    if (value == null || (value instanceof List<?> list && list.isEmpty())) {
      return "none";
    }
    var text =
        value instanceof Duration duration
            ? TimeUtils.formatWithHighestUnit(duration)
            : value.toString();
    return "`" + text + "`";
  }

  private static String description(ConfigOption<?> option) {
    return option.description().getBlocks().stream()
        .map(block -> ((TextElement) block).getFormat())
        .collect(Collectors.joining(" "))
        .replace("|", "\\|");
  }
}
