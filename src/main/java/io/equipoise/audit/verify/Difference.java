package io.equipoise.audit.verify;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Finds the first field in which a record of the log differs from that of the replay. */
final class Difference {
  /** Cached, because a class creates its components on every call. */
  private static final ClassValue<RecordComponent[]> COMPONENTS =
      new ClassValue<>() {
        @Override
        protected RecordComponent[] computeValue(Class<?> type) {
          return type.getRecordComponents();
        }
      };

  private Difference() {}

  /**
   * Returns the field's name and both values, or null if the records are equal. Numbers are equal
   * if all their bits are.
   *
   * @param ignored names of the fields that are not compared
   */
  static <T extends Record> @Nullable String first(T logged, T replayed, Set<String> ignored) {
    for (RecordComponent field : COMPONENTS.get(logged.getClass())) {
      String found =
          ignored.contains(field.getName())
              ? null
              : between(field.getName(), value(logged, field), value(replayed, field));
      if (found != null) {
        return found;
      }
    }
    return null;
  }

  private static @Nullable String between(
      String name, @Nullable Object logged, @Nullable Object replayed) {
    if (Objects.equals(logged, replayed)) {
      return null;
    }
    if (logged instanceof Record one && replayed instanceof Record other) {
      for (RecordComponent field : COMPONENTS.get(one.getClass())) {
        String inside =
            between(name + "." + field.getName(), value(one, field), value(other, field));
        if (inside != null) {
          return inside;
        }
      }
    }
    return "%s: the log has %s, the replay %s".formatted(name, logged, replayed);
  }

  private static @Nullable Object value(Record record, RecordComponent field) {
    try {
      return field.getAccessor().invoke(record);
    } catch (IllegalAccessException | InvocationTargetException e) {
      throw new LinkageError("cannot read " + field, e);
    }
  }
}
