package io.equipoise;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.job.start.Launch;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;

@Isolated("sets System.err")
class EquipoiseTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @ParameterizedTest
  @ValueSource(strings = {"--version", "version"})
  void theVersionIsTheBuilds(String word) {
    assertEquals(0, run(word));
    assertTrue(
        out.toString().matches("equipoise \\d+\\.\\d+\\.\\d+(-SNAPSHOT)?\\R"), out.toString());
  }

  @Test
  void helpNamesTheCommand() {
    assertEquals(0, run("--help"));
    assertTrue(out.toString().startsWith("Usage: equipoise"), out.toString());
    assertEquals(Equipoise.commandLine().getUsageMessage(), out.toString());
  }

  @Test
  void onlyTheVerbsThatAreNamedAreMade() {
    Map<String, CommandLine> verbs =
        Equipoise.commandLine(List.of("check", "a.yaml")).getSubcommands();
    assertTrue(verbs.get("check").getCommandSpec().optionsMap().containsKey("--segments"));
    assertEquals(Map.of(), verbs.get("plan").getCommandSpec().optionsMap());
  }

  @Test
  void argumentsInAFileNameTheirVerb(@TempDir Path directory) throws IOException {
    Path file = Files.writeString(directory.resolve("arguments"), "check --help");
    assertEquals(0, run("@" + file));
    assertTrue(out.toString().startsWith("Usage: equipoise check"), out.toString());
  }

  @Test
  void aVerbThatIsNotKnownIsOneLineAndExitCodeTwo() {
    assertEquals(2, run("dance"));
    assertEquals(
        "equipoise: Unmatched argument at index 0: 'dance' (see equipoise --help)",
        err.toString().strip());
  }

  @Test
  void aMisspelledVerbOrOptionNamesTheNearest() {
    assertEquals(2, run("chekc"));
    assertEquals(2, run("check", "--segmetns", "3", "a.yaml"));
    assertEquals(2, run("help", "chekc"));
    assertEquals(2, run("help", "dance"));
    assertEquals(
        List.of(
            "equipoise: Unmatched argument at index 0: 'chekc'; did you mean check? (see equipoise"
                + " --help)",
            "equipoise check: Unknown option: '--segmetns'; did you mean --segments? (see equipoise"
                + " check --help)",
            "equipoise: Unknown subcommand 'chekc'. did you mean check? (see equipoise --help)",
            "equipoise: Unknown subcommand 'dance'. (see equipoise --help)"),
        err.toString().lines().toList());
  }

  @Test
  void helpOfAVerbIsThatOfItsOption() {
    assertEquals(0, run("help", "check"));
    String byVerb = out.toString();
    out.getBuffer().setLength(0);
    assertEquals(0, run("check", "--help"));
    assertEquals(out.toString(), byVerb);
  }

  @Test
  void theCompletionScriptKnowsVerbsAndTheirOptions() {
    assertEquals(0, run("generate-completion"));
    assertTrue(out.toString().contains("_picocli_equipoise_cluster_up"), "a verb of a verb");
    assertTrue(out.toString().contains("'--write-rate'"), "an option of check");
  }

  @Test
  void everyFileOfAnOptionIsCheckedBeforeTheWorkBegins() {
    Set<String> unchecked = new TreeSet<>();
    collectUnchecked(Equipoise.commandLine(), unchecked);
    unchecked.removeIf(it -> it.endsWith("dir")); // directories that the verb makes
    assertEquals(Set.of(), unchecked, "give it InputFile, InputPath or OutputFile");
  }

  private static void collectUnchecked(CommandLine command, Set<String> unchecked) {
    for (OptionSpec option : command.getCommandSpec().options()) {
      boolean isPath =
          option.type() == Path.class || List.of(option.auxiliaryTypes()).contains(Path.class);
      if (isPath && option.converters().length == 0) {
        unchecked.add(command.getCommandSpec().qualifiedName() + " " + option.longestName());
      }
    }
    command.getSubcommands().values().forEach(it -> collectUnchecked(it, unchecked));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "check FILE",
        "plan FILE",
        "simulate FILE",
        "evaluate FILE --input FILE",
        "specs list --config FILE",
        "run --config FILE",
        "audit observe --config FILE out",
        "audit verify --witness FILE",
        "bounds --spec FILE --input FILE",
        "causal components FILE",
      })
  void aFileThatDoesNotExistIsNamed(String words, @TempDir Path directory) {
    String missing = directory.resolve("nosuch.yaml").toString();
    assertEquals(2, run(words.replace("FILE", missing).split(" ")));
    assertTrue(
        err.toString().replace("'", "").contains(missing + " does not exist; check the path"),
        err.toString());
    assertEquals(1, err.toString().lines().count(), err.toString());
  }

  @Test
  void settingsThatAreNoYamlAreNamedWithTheirLine(@TempDir Path directory) throws IOException {
    Path file = Files.writeString(directory.resolve("a.yaml"), "kafka:\n  x: 1\n bad: [\n");
    assertEquals(2, run("audit", "observe", "--config", file.toString(), "out"));
    assertTrue(err.toString().contains(file + ", line 3: "), err.toString());
    assertEquals(1, err.toString().lines().count(), err.toString());
    err.getBuffer().setLength(0);
    Files.writeString(file, "kafka.x: 1\ngatway:\n  tokens-file: a\n");
    assertEquals(2, run("gateway", "--config", file.toString()));
    assertEquals(
        "equipoise gateway: "
            + file
            + ", line 2: gatway: given an unknown section; allowed: equipoise, gateway,"
            + " console, kafka and schema.registry with their options, and Flink's; did you mean"
            + " gateway?",
        err.toString().strip());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          NOPE             | 'NOPE'; one of TOMBSTONE, EMPTY,
          ''               | ''; one of TOMBSTONE, EMPTY,
          duplicate_reward | 'duplicate_reward'; did you mean DUPLICATE_REWARD? one of TOMBSTONE,
          UNKNOWN_LEVLE    | 'UNKNOWN_LEVLE'; did you mean UNKNOWN_LEVEL? one of TOMBSTONE,
          """)
  void anErrorCodeThatDoesNotExistIsRefusedWithTheNearest(String code, String expected) {
    String[] words = {"audit", "dead-letters", "-D", "equipoise.deployment=a", "--code", code};
    assertEquals(2, run(words), err::toString);
    assertEquals(1, err.toString().lines().count(), err::toString);
    assertTrue(err.toString().contains("--code: no error code " + expected), err::toString);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "audit verify",
        "audit trace a",
        "audit erase a",
        "audit dead-letters",
        "experiment report",
        "bounds --spec pom.xml --input pom.xml",
        "decompose --spec pom.xml --input pom.xml"
      })
  void aFileThatIsNoKeyIsAnInvalidFile(String verb, @TempDir Path directory) throws IOException {
    Path file = Files.writeString(directory.resolve("key"), "no key!");
    List<String> words = new ArrayList<>(List.of(verb.split(" ")));
    words.addAll(List.of("--key", file.toString()));
    assertEquals(2, run(words.toArray(String[]::new)), err::toString);
    assertEquals(1, err.toString().lines().count(), err::toString);
    assertTrue(err.toString().contains(file + " is not base64 text; make a key"), err::toString);
  }

  /** Every verb that reads settings reads them before it calls a broker. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "run",
        "gateway",
        "console",
        "audit verify",
        "audit observe out",
        "audit trace a",
        "audit dead-letters",
        "specs list",
        "experiment report",
        "report --segment a --from 2026-01-01T00:00:00Z --out -"
      })
  void aSettingOfAFileIsRefusedByFileLineAndKey(String verb, @TempDir Path directory)
      throws IOException {
    String settings =
        "kafka.bootstrap.servers: a:1\nequipoise:\n  deployment: a\n  delivery: twice\n";
    Path file = Files.writeString(directory.resolve("a.yaml"), settings + "  partitions: 0\n");
    List<String> words = new ArrayList<>(List.of(verb.split(" ")));
    words.addAll(List.of("--config", file.toString(), "-D", "equipoise.partitions=-1"));
    assertEquals(2, run(words.toArray(String[]::new)), err::toString);
    assertEquals(
        List.of(
            ": The configuration is refused:",
            "  %s, line 4: equipoise.delivery: given 'twice'; allowed: exactly-once or at-least-once"
                .formatted(file),
            "  equipoise.partitions: given '-1'; allowed: 1 to 10000"),
        err.toString().replaceFirst("equipoise [^:]*", "").lines().toList());
  }

  /** Of a list every value counts. No value of a key is printed: it may be a secret. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          check a.yaml --rate 1 --rate 2 | option '--rate' (<rate>) should be specified only once
          watch groups --segment a --segment a --attribute b | '--segment' (NAME) should be specif
          watch challenger a --segment b --max-gap c=.1 --max-gap c=.2 | --max-gap: c given twice;
          audit verify --to decisions/0=1 --to decisions/0=2 | --to: decisions/0 given twice; give
          bounds --spec pom.xml --topic a --from 0=1,0=2 | --from: 0 given twice; give each key once
          audit verify -D a.b=c -D d=e -D a.b=f | -D: a.b given twice; give each key once (see
          cluster up -D a=b -D a=b | -D: a given twice; give each key once (see
          """)
  void anOptionOfOneValueIsRefusedIfItIsGivenTwice(String words, String why) {
    assertEquals(2, run(words.split(" ")));
    assertTrue(err.toString().contains(why), err.toString());
  }

  @Test
  void anOptionOfTheJobIsRefusedIfItIsGivenTwice() {
    String[] words = {"-D", "a=b", "-D", "a=c"};
    ParameterException refused =
        assertThrows(ParameterException.class, () -> Launch.configuration(words));
    assertEquals("-D: a given twice; give each key once", refused.getMessage());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          report --segment a --out - --from x     | 'x' is no time like 2026-11-01T00:00:00Z
          report --segment a --out - --from +900000000-01-01T00:00:00Z | no time like 2026-
          evaluate a.yaml --from 2026-11-01       | '2026-11-01' is no time like 2026-11-01T00
          evaluate a.yaml --timeout 0             | '0' is no whole number from 1 to 1000000000
          audit verify --fault 5pm                | '5pm' is no time like 2026-11-01T00:00:00Z
          audit verify --to decisions/0=x         | 'x' is no whole number from -92233720368
          audit verify --recovery -1              | '-1' is no whole number from 1 to 1000000000
          audit verify --isolated-segments -1     | '-1' is no whole number from 0 to 2147483647
          audit observe a --for 99999999999       | no whole number from 1 to 1000000000
          specs rollback a --timeout 0            | '0' is no whole number from 1 to 1000000000
          check a.yaml --segments many            | 'many' is no whole number from -2147483648 to
          check a.yaml --rate fast                | 'fast' is no number like 0.5
          check a.yaml --rate NaN                 | 'NaN' is no number like 0.5
          check a.yaml --rate 1e400               | '1e400' is no number like 0.5
          check a.yaml --rate 1e-400              | '1e-400' is no number like 0.5 within the range
          demo --console 70000                    | '70000' is no whole number from 0 to 65535
          cluster up --kafka-port 99999           | '99999' is no whole number from 0 to 65535
          cluster up --gateway-port -1            | '-1' is no whole number from 0 to 65535
          cluster up --parallelism 0              | '0' is no whole number from 1 to 128
          cluster up --taskmanager-memory banana  | 'banana' is no size from 768m to 1t, like 1g
          cluster up --taskmanager-memory 10m     | '10m' is no size from 768m to 1t, like 1g
          cluster up --taskmanager-memory 1e9g    | '1e9g' is no size from 768m to 1t, like 1g
          """)
  void aValueOfAnOptionIsRefusedInPlainWords(String words, String allowed) {
    assertEquals(2, run(words.split(" ")));
    assertTrue(err.toString().contains(allowed), err.toString());
    assertTrue(err.toString().contains("for option '--"), err.toString());
    assertEquals(1, err.toString().lines().count(), err.toString());
  }

  @Test
  void aRateOfZeroIsRefused() {
    for (String rate : List.of("0", "-1", "1e308", "4.9e-324")) {
      assertEquals(2, run("check", "--rate", rate, "a.yaml"));
      assertEquals(
          "equipoise check: --rate must be from 0.000000001 to 1000000000 (see equipoise check --help)",
          err.toString().strip());
      err.getBuffer().setLength(0);
    }
  }

  /** Whatever a verb prints comes from somebody else. */
  @Test
  void controlCharactersAreEscapedInWhatIsPrinted() {
    PrintStream before = System.err;
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    System.setErr(new PrintStream(printed, true, StandardCharsets.UTF_8));
    try {
      assertEquals(2, Equipoise.commandLine().execute("\u001b[1A\u202e\u009b2Kdance"));
    } finally {
      System.setErr(before);
    }
    assertEquals(
        "equipoise: Unmatched argument at index 0: '\\u001b[1A\\u202e\\u009b2Kdance' (see equipoise"
            + " --help)",
        printed.toString(StandardCharsets.UTF_8).strip());
  }

  @ParameterizedTest
  @ValueSource(strings = {"check", "plan"})
  void aNameWithALineEndMakesNoLineOfItsOwn(String verb, @TempDir Path directory)
      throws IOException {
    String linear = Files.readString(Path.of("src/lab/resources/bench/email-linucb.yaml"));
    String text =
        linear
            .replace("female", "\"fe\\nFAULT male\"")
            .replace("name: linucb", "name: linucb\n  constraint: hard");
    Path file = Files.writeString(directory.resolve("a.yaml"), text);
    assertEquals(0, run(verb, file.toString()), err::toString);
    assertTrue(out.toString().contains("X1 fe\\u000aFAULT male and male"), out.toString());
    Files.writeString(file, text.replace("[product-A,", "[\"product\\nFAULT A\","));
    assertEquals(1, run(verb, file.toString()));
    assertTrue(err.toString().contains("product\\u000aFAULT A"), err.toString());
  }

  @Test
  void noVerbIsOneLineAndExitCodeTwo() {
    assertEquals(2, run());
    assertEquals("equipoise: name a command (see equipoise --help)", err.toString().strip());
  }

  @Test
  void aFileThatIsNotThereIsOneLineAndExitCodeTwo(@TempDir Path directory) {
    Path missing = directory.resolve("draws.csv");
    assertEquals(2, run("replicate", "fucb-email", "--draws", missing.toString()));
    assertEquals(
        ("equipoise replicate fucb-email: Invalid value for option '--draws': '%s' does not"
                + " exist; check the path (see equipoise replicate fucb-email --help)")
            .formatted(missing),
        err.toString().strip());
  }

  @Test
  void aFileThatIsMissedAtWorkIsOneLineAndExitCodeTwo(@TempDir Path directory) {
    assertEquals(
        2,
        run("replicate", "fucb-adult", "--adult", directory.toString(), "--trials", "1"),
        "a directory without the file");
    assertEquals(
        "equipoise replicate fucb-adult: %s does not exist; check the path"
            .formatted(directory.resolve("adult.data")),
        err.toString().strip());
  }

  private int run(String... arguments) {
    return Equipoise.commandLine(List.of(arguments))
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(arguments);
  }
}
