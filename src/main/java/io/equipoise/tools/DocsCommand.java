package io.equipoise.tools;

import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * Prints the path of the documentation in the distribution: the verb {@code docs}. That is the site
 * of a release, or the Markdown pages of a build without the profile {@code docs}.
 */
@Command(
    name = "docs",
    description = "Prints the path of the documentation.",
    mixinStandardHelpOptions = true)
public final class DocsCommand implements Runnable {
  @Spec private CommandSpec command = CommandSpec.create();

  @Override
  public void run() {
    String home = System.getProperty("equipoise.home");
    if (home == null) {
      throw new ParameterException(
          command.commandLine(),
          "this process was not started from a distribution; allowed: bin/equipoise of a"
              + " distribution; start it there");
    }
    Path site = Path.of(home, "site", "README.html");
    Path page = Files.isRegularFile(site) ? site : Path.of(home, "README.md");
    command.commandLine().getOut().println(page);
  }
}
