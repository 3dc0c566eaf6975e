package io.equipoise.lab.campaign;

import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a family's name on the command line. */
final class FamilyName implements ITypeConverter<Family>, Iterable<String> {

  @Override
  public Family convert(String text) {
    for (Family family : Family.values()) {
      if (family.wire().equals(text)) {
        return family;
      }
    }
    throw new TypeConversionException("'" + text + "' is no family; take one of " + names());
  }

  @Override
  public Iterator<String> iterator() {
    return names().iterator();
  }

  private static List<String> names() {
    return Arrays.stream(Family.values()).map(Family::wire).toList();
  }
}
