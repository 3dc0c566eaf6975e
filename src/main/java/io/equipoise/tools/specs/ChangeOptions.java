package io.equipoise.tools.specs;

import io.equipoise.cli.OptionValues.AtLeastOne;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Option;

/** Parses the options of the verbs that write the specs topic. */
class ChangeOptions {
  @Option(names = "--yes", description = "Does not ask before it writes.")
  private boolean isConfirmed;

  @Option(
      names = "--timeout",
      paramLabel = "SECONDS",
      converter = AtLeastOne.class,
      defaultValue = "30",
      description =
          "How long to wait until the job has read the specs and active segments with traffic have"
              + " adopted them; idle ones adopt with their next input. Default: ${DEFAULT-VALUE}.")
  private long seconds;

  Duration timeout() {
    return Duration.ofSeconds(seconds);
  }

  /** Returns whether a spec is published that active segments would reject. */
  boolean isEvenIfRejected() {
    return false;
  }

  /** Asks for a line of {@code answers}, unless {@code --yes} is given. */
  boolean isConfirmed(String question, PrintWriter out, InputStream answers) throws IOException {
    if (isConfirmed) {
      return true;
    }
    out.print(question + " [y/N] ");
    out.flush();
    String answer =
        new BufferedReader(new InputStreamReader(answers, StandardCharsets.UTF_8)).readLine();
    return answer != null && List.of("y", "yes").contains(answer.strip().toLowerCase(Locale.ROOT));
  }

  /** Parses also the option of the verbs that publish a version. */
  static final class OfVersions extends ChangeOptions {
    @Option(
        names = "--even-if-rejected",
        description =
            "Publishes also a spec that active segments would reject. It is then in force, and they"
                + " keep theirs.")
    private boolean isEvenIfRejected;

    @Override
    boolean isEvenIfRejected() {
      return isEvenIfRejected;
    }
  }
}
