package io.equipoise.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/** Tells the version that the build wrote into a resource. */
public final class Version implements IVersionProvider {
  private static final String RESOURCE = "/io/equipoise/version.properties";

  @Override
  public String[] getVersion() {
    return new String[] {"equipoise " + current()};
  }

  /** Returns the version of the code that is running. */
  public static String current() {
    var properties = new Properties();
    try (var resource = Version.class.getResourceAsStream(RESOURCE)) {
      if (resource == null) {
        throw new IllegalStateException("the build left out " + RESOURCE);
      }
      properties.load(resource);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + RESOURCE, e);
    }
    return properties.getProperty("version");
  }
}
