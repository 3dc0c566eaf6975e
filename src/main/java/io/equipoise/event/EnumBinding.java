package io.equipoise.event;

import java.io.IOException;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.avro.AvroTypeException;
import org.apache.avro.Schema;
import org.apache.avro.io.Decoder;
import org.apache.avro.io.Encoder;
import org.jspecify.annotations.Nullable;

/**
 * Binds a Java enum to an Avro enum. The default symbol of the schema is no Java constant. It
 * exists for foreign readers with an older schema. A record that contains it is rejected.
 */
@SuppressWarnings("EnumOrdinal") // an index into a table of this process
final class EnumBinding implements Binding {
  private final Schema schema;

  /** The constant of each symbol; null for the default symbol. */
  private final @Nullable Enum<?>[] constants;

  /** Index of each constant among the symbols, by its ordinal. */
  private final int[] symbols;

  /** Takes an enum whose constants are all symbols. */
  private EnumBinding(Class<?> type, Schema schema) {
    this.schema = schema;
    Object[] all = type.getEnumConstants();
    this.constants = new Enum<?>[schema.getEnumSymbols().size()];
    this.symbols = new int[all.length];
    for (Object each : all) {
      Enum<?> constant = (Enum<?>) each;
      int symbol = schema.getEnumSymbols().indexOf(constant.name());
      symbols[constant.ordinal()] = symbol;
      constants[symbol] = constant;
    }
  }

  /** Returns the binding if the symbols are the constants and one default symbol. */
  static Optional<Binding> of(Class<?> type, Schema schema) {
    if (schema.getType() != Schema.Type.ENUM || schema.getEnumDefault() == null) {
      return Optional.empty();
    }
    Set<String> expected =
        Arrays.stream(type.getEnumConstants())
            .map(constant -> ((Enum<?>) constant).name())
            .collect(Collectors.toSet());
    boolean defaultIsExtra = expected.add(schema.getEnumDefault());
    boolean agree = defaultIsExtra && expected.equals(new HashSet<>(schema.getEnumSymbols()));
    return agree ? Optional.of(new EnumBinding(type, schema)) : Optional.empty();
  }

  @Override
  public void write(Object value, Encoder out) throws IOException {
    out.writeEnum(symbols[((Enum<?>) value).ordinal()]);
  }

  @Override
  public Object read(Decoder in) throws IOException {
    int symbol = in.readEnum();
    if (symbol < 0 || symbol >= constants.length) {
      throw new AvroTypeException(schema.getName() + " has no symbol of the index " + symbol);
    }
    Enum<?> constant = constants[symbol];
    if (constant == null) {
      throw new WireException(
          ErrorCode.UNKNOWN_SCHEMA,
          "The " + schema.getName() + " is a symbol that this build does not know");
    }
    return constant;
  }
}
