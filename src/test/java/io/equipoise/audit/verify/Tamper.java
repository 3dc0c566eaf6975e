package io.equipoise.audit.verify;

import java.lang.reflect.Constructor;
import java.lang.reflect.RecordComponent;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Makes copies of records in which one component is another. */
public final class Tamper {
  private Tamper() {}

  /** Returns another text; of a hash, which is 16 bytes on the wire, another hash. */
  static String otherText(String field, @Nullable Object text) {
    boolean isHash =
        field.endsWith("Hash")
            || field.endsWith("Fingerprint")
            || String.valueOf(text).matches("[0-9a-f]{32}");
    if (!isHash) {
      return text + "x";
    }
    String zeros = "0".repeat(32);
    return zeros.equals(text) ? "1".repeat(32) : zeros;
  }

  /**
   * Returns a copy with another value in the component of that name; {@code "a.b"} is component b
   * of the record in component a, and b too where no other component has this name.
   */
  public static <T extends Record> T with(T record, String component, @Nullable Object value) {
    int dot = component.indexOf('.');
    if (dot > 0) {
      String outer = component.substring(0, dot);
      Record inner = (Record) TamperedLog.component(record, outer);
      return with(record, outer, with(inner, component.substring(dot + 1), value));
    }
    RecordComponent[] components = record.getClass().getRecordComponents();
    if (!has(components, component)) {
      for (RecordComponent nested : components) {
        if (nested.getType().isRecord() && has(nested.getType().getRecordComponents(), component)) {
          return with(record, nested.getName() + "." + component, value);
        }
      }
    }
    Object[] values = new Object[components.length];
    try {
      for (int i = 0; i < components.length; i++) {
        boolean isIt = components[i].getName().equals(component);
        values[i] = isIt ? value : components[i].getAccessor().invoke(record);
      }
      if (!has(components, component)) {
        throw new AssertionError(record.getClass() + " has no component " + component);
      }
      Class<?>[] types =
          Stream.of(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
      @SuppressWarnings("unchecked") // the class of a T
      Constructor<T> constructor = (Constructor<T>) record.getClass().getDeclaredConstructor(types);
      return constructor.newInstance(values);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("cannot copy a " + record.getClass(), e);
    }
  }

  private static boolean has(RecordComponent[] components, String name) {
    return Stream.of(components).anyMatch(it -> it.getName().equals(name));
  }
}
