package io.equipoise.tools;

import io.equipoise.job.options.Delivery;
import java.util.List;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a mode of delivery as options name it. */
public final class DeliveryConverter implements ITypeConverter<Delivery> {
  @Override
  public Delivery convert(String text) {
    for (Delivery mode : Delivery.values()) {
      if (mode.toString().equals(text)) {
        return mode;
      }
    }
    throw new TypeConversionException("'" + text + "' is none of " + List.of(Delivery.values()));
  }
}
