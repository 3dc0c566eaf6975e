package io.equipoise.cli;

import io.equipoise.event.Decimal;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.RunLast;
import picocli.CommandLine.TypeConversionException;

/** Parses the values of options. An error lists the allowed values in plain words. */
public final class OptionValues {
  private OptionValues() {}

  /**
   * Sets the parsers of times and numbers of all verbs, for options without their own, and refuses
   * a key that an option of keys and values is given twice.
   */
  public static void register(CommandLine commandLine) {
    ITypeConverter<Integer> whole = text -> (int) whole(text, Integer.MIN_VALUE, Integer.MAX_VALUE);
    ITypeConverter<Long> large = text -> whole(text, Long.MIN_VALUE, Long.MAX_VALUE);
    commandLine
        .registerConverter(Instant.class, OptionValues::time)
        .registerConverter(int.class, whole)
        .registerConverter(Integer.class, whole)
        .registerConverter(long.class, large)
        .registerConverter(Long.class, large)
        .registerConverter(double.class, OptionValues::number)
        .registerConverter(Double.class, OptionValues::number)
        .setExecutionStrategy(
            parsed -> {
              refuseRepeatedKeys(parsed);
              return new RunLast().execute(parsed);
            });
  }

  /**
   * Refuses a key that an option of keys and values is given twice.
   *
   * @throws ParameterException that names the key, and no value, which may be a secret
   */
  public static void refuseRepeatedKeys(ParseResult parsed) {
    for (OptionSpec option : parsed.matchedOptions()) {
      Set<String> keys = new HashSet<>();
      if (option.typeInfo().isMap()) {
        option.originalStringValues().stream()
            .flatMap(
                it ->
                    Stream.of(
                        option.splitRegex().isEmpty()
                            ? new String[] {it}
                            : it.split(option.splitRegex(), -1)))
            .map(it -> it.split("=", 2)[0])
            .filter(it -> !keys.add(it))
            .findFirst()
            .ifPresent(
                key -> {
                  throw new ParameterException(
                      parsed.commandSpec().commandLine(),
                      "%s: %s given twice; give each key once"
                          .formatted(option.longestName(), key));
                });
      }
    }
    if (parsed.hasSubcommand()) {
      refuseRepeatedKeys(parsed.subcommand());
    }
  }

  /** Parses a whole number between limits, both included. */
  public static long whole(String text, long least, long most) {
    try {
      long number = Long.parseLong(text);
      if (number >= least && number <= most) {
        return number;
      }
    } catch (NumberFormatException e) {
      // reported below
    }
    throw refused(text, "whole number from %d to %d".formatted(least, most));
  }

  /** Returns the error of a value. */
  public static TypeConversionException refused(String text, String allowed) {
    return new TypeConversionException("'%s' is no %s".formatted(text, allowed));
  }

  private static double number(String text) {
    double number = Decimal.of(text);
    if (Double.isNaN(number)) {
      throw refused(text, "number like 0.5 within the range of a double");
    }
    return number;
  }

  private static Instant time(String text) {
    try {
      return Instant.ofEpochMilli(Instant.parse(text).toEpochMilli());
    } catch (DateTimeException | ArithmeticException e) {
      throw refused(text, "time like 2026-11-01T00:00:00Z");
    }
  }

  /** Parses a whole number from 1 to a billion, such as seconds or megabytes. */
  public static final class AtLeastOne implements ITypeConverter<Long> {
    @Override
    public Long convert(String text) {
      return whole(text, 1, 1_000_000_000);
    }
  }

  /** Parses a whole number of 0 or more. */
  public static final class Count implements ITypeConverter<Integer> {
    @Override
    public Integer convert(String text) {
      return (int) whole(text, 0, Integer.MAX_VALUE);
    }
  }

  /** Parses a port; 0 for a free one. */
  public static final class Port implements ITypeConverter<Integer> {
    @Override
    public Integer convert(String text) {
      return (int) whole(text, 0, 65_535);
    }
  }
}
