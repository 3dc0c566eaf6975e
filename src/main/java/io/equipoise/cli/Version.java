package io.equipoise.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Properties;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Prints the version that the build wrote into a resource: the verb {@code version}. */
@Command(
    name = "version",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    description = "Prints the version, like --version.")
public final class Version implements IVersionProvider, Runnable {
  private static final String RESOURCE = "/io/equipoise/version.properties";

  @Spec private CommandSpec command = CommandSpec.create();

  @Override
  public void run() {
    command.commandLine().printVersionHelp(command.commandLine().getOut());
  }

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
