package io.equipoise.job.topics;

import static org.apache.kafka.common.config.TopicConfig.CLEANUP_POLICY_COMPACT;
import static org.apache.kafka.common.config.TopicConfig.CLEANUP_POLICY_CONFIG;
import static org.apache.kafka.common.config.TopicConfig.RETENTION_MS_CONFIG;

import io.equipoise.event.Wire;
import io.equipoise.job.options.Topics;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.avro.Schema;
import org.jspecify.annotations.Nullable;

/**
 * Writes the table of {@code docs/reference/topics.md}: the sensitivity, retention and readers of
 * each topic. Sources are the schemas, the settings of {@link TopicSetup} and {@link Permissions}.
 */
public final class TopicTable {
  private static final String START = "<!-- topics:start -->";
  private static final String END = "<!-- topics:end -->";
  private static final Topics TOPICS = new Topics("deployment");

  /** From no personal data to raw observations of a person. */
  private enum Sensitivity {
    NONE,
    QUASI,
    SENSITIVE,
    RAW
  }

  private TopicTable() {}

  /** Returns whether a text has the markers around the table. */
  public static boolean isIn(String page) {
    return page.contains(START) && page.indexOf(END) > page.indexOf(START);
  }

  /** Returns the text with the table between the markers replaced by the generated one. */
  public static String replaceIn(String page) {
    if (!isIn(page)) {
      throw new IllegalArgumentException("the text must contain " + START + " before " + END);
    }
    int start = page.indexOf(START) + START.length();
    return page.substring(0, start) + "\n" + markdown() + page.substring(page.indexOf(END));
  }

  /** Writes one row per topic, inputs first. */
  static String markdown() {
    StringBuilder table =
        new StringBuilder(
            """
            | topic | most sensitive | in the fields | kept | who needs to read it |
            | --- | --- | --- | --- | --- |
            """);
    for (String topic : topics()) {
      Schema schema = schema(topic);
      Sensitivity most = schema == null ? Sensitivity.NONE : most(schema);
      table
          .append("| `")
          .append(topic.substring(topic.indexOf('.') + 1))
          .append("` | ")
          .append(most)
          .append(" | ")
          .append(schema == null ? "a YAML text, not a record" : fields(schema, most))
          .append(" | ")
          .append(kept(TopicSetup.settings(TOPICS, topic, true)))
          .append(" | ")
          .append(readers(topic))
          .append(" |\n");
    }
    return table.toString();
  }

  /** Returns the topics of a deployment, inputs first. */
  public static List<String> topics() {
    List<String> topics = new ArrayList<>(TOPICS.inputs());
    topics.addAll(TOPICS.outputs());
    topics.addAll(TOPICS.controls());
    topics.add(TOPICS.watch());
    return topics;
  }

  /** Returns the schema of a topic's records; null of specs, which are texts. */
  public static @Nullable Schema schema(String topic) {
    Map<String, Wire<?>> wires =
        Map.of(
            TOPICS.contexts(), Wire.CONTEXT,
            TOPICS.rewards(), Wire.REWARD,
            TOPICS.decisions(), Wire.DECISION,
            TOPICS.audit(), Wire.AUDIT,
            TOPICS.experiments(), Wire.EXPERIMENT,
            TOPICS.segmentEvents(), Wire.SEGMENT_EVENT,
            TOPICS.metrics(), Wire.METRICS,
            TOPICS.deadLetter(), Wire.DEAD_LETTER,
            TOPICS.causalBounds(), Wire.CAUSAL_BOUND);
    Wire<?> wire = topic.equals(TOPICS.watch()) ? Wire.WATCH : wires.get(topic);
    return wire == null ? null : wire.schema();
  }

  private static Sensitivity most(Schema record) {
    Sensitivity most = Sensitivity.NONE;
    for (Schema.Field field : record.getFields()) {
      Sensitivity here = of(field);
      most = here.compareTo(most) > 0 ? here : most;
    }
    return most;
  }

  /** A field's sensitivity is its own, or that of the most sensitive field of a nested record. */
  private static Sensitivity of(Schema.Field field) {
    Sensitivity own = Sensitivity.valueOf(field.getProp("sensitivity"));
    Sensitivity inner = inside(field.schema());
    return inner.compareTo(own) > 0 ? inner : own;
  }

  private static Sensitivity inside(Schema schema) {
    return switch (schema.getType()) {
      case RECORD -> most(schema);
      case ARRAY -> inside(schema.getElementType());
      case MAP -> inside(schema.getValueType());
      case UNION -> {
        Sensitivity most = Sensitivity.NONE;
        for (Schema branch : schema.getTypes()) {
          Sensitivity here = inside(branch);
          most = here.compareTo(most) > 0 ? here : most;
        }
        yield most;
      }
      default -> Sensitivity.NONE;
    };
  }

  private static String fields(Schema record, Sensitivity most) {
    if (most == Sensitivity.NONE) {
      return "all";
    }
    List<String> fields = new ArrayList<>();
    add(fields, "", record, most);
    return String.join(", ", fields);
  }

  /** Names the fields of records that every record has by their path. */
  private static void add(List<String> to, String prefix, Schema record, Sensitivity most) {
    for (Schema.Field field : record.getFields()) {
      String path = prefix + field.name();
      if (of(field) == most && field.schema().getType() == Schema.Type.RECORD) {
        add(to, path + ".", field.schema(), most);
      } else if (of(field) == most) {
        to.add("`" + path + "`");
      }
    }
  }

  private static String kept(Map<String, String> settings) {
    if (CLEANUP_POLICY_COMPACT.equals(settings.get(CLEANUP_POLICY_CONFIG))) {
      return "forever, the newest of each key";
    }
    return settings.containsKey(RETENTION_MS_CONFIG)
        ? "forever"
        : "by the brokers' `log.retention.*`";
  }

  private static String readers(String topic) {
    if (topic.equals(TOPICS.decisions())) {
      return "the system that shows the arms; the auditor; off-policy evaluation";
    }
    if (topic.equals(TOPICS.segmentEvents())) {
      return "the auditor; the offline bounds; off-policy evaluation";
    }
    if (topic.equals(TOPICS.audit())) {
      return "compliance; the auditor";
    }
    if (topic.equals(TOPICS.experiments())) {
      return "the owner of the experiment; the auditor";
    }
    if (topic.equals(TOPICS.metrics())) {
      return "dashboards and alarms; the auditor";
    }
    if (topic.equals(TOPICS.deadLetter())) {
      return "operators of the senders; the auditor";
    }
    if (topic.equals(TOPICS.watch())) {
      return "`equipoise watch`, `specs promote`; the console";
    }
    return "the job; the auditor";
  }
}
