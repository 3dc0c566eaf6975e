package io.equipoise.offline.decompose;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import picocli.CommandLine;

@Isolated("sets the locale of the JVM")
class DecomposeLocaleTest {
  private static String text() {
    StringWriter out = new StringWriter();
    int exitCode =
        new CommandLine(new DecomposeCommand())
            .setOut(new PrintWriter(out, true))
            .execute((DecomposeCommandTest.NETWORK + "--reference x0").split(" +"));
    assertEquals(0, exitCode);
    return out.toString();
  }

  @Test
  void theTextDependsOnNoLocale() {
    String text = text();
    Locale locale = Locale.getDefault();
    try {
      Locale.setDefault(Locale.GERMANY);
      assertEquals(text, text());
    } finally {
      Locale.setDefault(locale);
    }
  }
}
