package io.equipoise.console;

import java.lang.reflect.RecordComponent;
import java.util.Arrays;

/** Copies records with other components, to make logs that no segment would write. */
public final class Rewritten {
  private Rewritten() {}

  /**
   * Returns a copy.
   *
   * @param namesAndValues of the other components, in turn
   */
  public static <T extends Record> T with(Class<T> type, T record, Object... namesAndValues) {
    RecordComponent[] components = type.getRecordComponents();
    Class<?>[] types = new Class<?>[components.length];
    Object[] values = new Object[components.length];
    int replaced = 0;
    try {
      for (int place = 0; place < components.length; place++) {
        types[place] = components[place].getType();
        values[place] = components[place].getAccessor().invoke(record);
        int name = Arrays.asList(namesAndValues).indexOf(components[place].getName());
        if (name >= 0 && name % 2 == 0) {
          values[place] = namesAndValues[name + 1];
          replaced++;
        }
      }
      if (replaced != namesAndValues.length / 2) {
        throw new IllegalArgumentException(
            type + " lacks one of " + Arrays.toString(namesAndValues));
      }
      return type.getDeclaredConstructor(types).newInstance(values);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("cannot copy a record of " + type, e);
    }
  }
}
