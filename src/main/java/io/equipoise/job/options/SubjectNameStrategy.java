package io.equipoise.job.options;

import java.util.Locale;

/** Names the subject of a schema as Confluent's serializers do. Options use the kebab-case name. */
public enum SubjectNameStrategy {
  TOPIC_NAME,
  RECORD_NAME,
  TOPIC_RECORD_NAME;

  /** Returns the subject of the values of a topic, whose records have a full name. */
  public String subject(String topic, String record) {
    return switch (this) {
      case TOPIC_NAME -> topic + "-value";
      case RECORD_NAME -> record;
      case TOPIC_RECORD_NAME -> topic + "-" + record;
    };
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
