package io.equipoise.event;

import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.avro.Schema;
import org.apache.avro.io.Encoder;

/**
 * Binds a Java enum to an Avro enum. The default symbol of the schema is no Java constant. It
 * exists for foreign readers with an older schema. A record that contains it is rejected.
 */
@SuppressWarnings("EnumOrdinal") // an index into a table of this process
final class EnumBinding implements Binding {
  private final Schema schema;
  private final Map<String, Enum<?>> constants = new HashMap<>();

  /** Index of each constant among the symbols, by its ordinal; -1 if it is no symbol. */
  private final int[] symbols;

  private EnumBinding(Class<?> type, Schema schema) {
    this.schema = schema;
    Object[] all = type.getEnumConstants();
    this.symbols = new int[all.length];
    for (Object each : all) {
      Enum<?> constant = (Enum<?>) each;
      constants.put(constant.name(), constant);
      symbols[constant.ordinal()] = schema.getEnumSymbols().indexOf(constant.name());
    }
  }

  /** Returns the binding if the symbols are the constants and one default symbol. */
  static Optional<Binding> of(Class<?> type, Schema schema) {
    if (schema.getType() != Schema.Type.ENUM || schema.getEnumDefault() == null) {
      return Optional.empty();
    }
    var binding = new EnumBinding(type, schema);
    Set<String> expected = new HashSet<>(binding.constants.keySet());
    boolean defaultIsExtra = expected.add(schema.getEnumDefault());
    boolean agree = defaultIsExtra && expected.equals(new HashSet<>(schema.getEnumSymbols()));
    return agree ? Optional.of(binding) : Optional.empty();
  }

  @Override
  public void write(Object value, Encoder out) throws IOException {
    out.writeEnum(symbols[((Enum<?>) value).ordinal()]);
  }

  @Override
  public Object read(Object generic) {
    Enum<?> constant = constants.get(generic.toString());
    if (constant == null) {
      throw new WireException(
          ErrorCode.UNKNOWN_SCHEMA,
          "The " + schema.getName() + " is a symbol that this build does not know");
    }
    return constant;
  }
}
