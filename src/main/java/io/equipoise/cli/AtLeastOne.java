package io.equipoise.cli;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Parses an option with a whole number from 1 to a billion, such as seconds or megabytes. */
public final class AtLeastOne implements ITypeConverter<Long> {
  private static final long MOST = 1_000_000_000;

  @Override
  public Long convert(String text) {
    long number = text.matches("\\d{1,10}") ? Long.parseLong(text) : 0;
    if (number < 1 || number > MOST) {
      throw new TypeConversionException(
          "'%s' is no whole number from 1 to %d".formatted(text, MOST));
    }
    return number;
  }
}
