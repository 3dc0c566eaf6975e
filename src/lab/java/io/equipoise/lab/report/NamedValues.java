package io.equipoise.lab.report;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Converts the value of an option to one of some named values. */
public abstract class NamedValues<E> implements ITypeConverter<E>, Iterable<String> {
  private final Map<String, E> values = new LinkedHashMap<>();

  /** Takes the allowed values and their names on the command line. */
  protected NamedValues(E[] values, Function<E, String> name) {
    for (E value : values) {
      this.values.put(name.apply(value), value);
    }
  }

  @Override
  public final E convert(String text) {
    E value = values.get(text);
    if (value == null) {
      throw new TypeConversionException("'" + text + "' is not one of " + values.keySet());
    }
    return value;
  }

  @Override
  public final Iterator<String> iterator() {
    return values.keySet().iterator();
  }
}
