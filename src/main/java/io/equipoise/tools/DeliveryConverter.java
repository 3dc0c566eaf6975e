package io.equipoise.tools;

import io.equipoise.job.options.Delivery;
import java.util.List;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Parses a delivery guarantee as options name it. */
public final class DeliveryConverter implements ITypeConverter<Delivery> {
  @Override
  public Delivery convert(String text) {
    for (Delivery mode : Delivery.values()) {
      if (mode.toString().equals(text)) {
        return mode;
      }
    }
    throw new TypeConversionException(
        "'" + text + "' must be one of " + List.of(Delivery.values()));
  }
}
