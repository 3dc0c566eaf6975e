package io.equipoise.segmentspec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SpecFilesTest {
  private static final String TOGETHER =
      "; files that are read together serve one deployment, so name independent ones in calls of"
          + " their own";

  private static final String NETWORK =
      """
        network n { }

      variable S { type discrete [ 2 ] { f, m }; }
      probability ( S ) { table 0.5, 0.5; }
      """;

  @TempDir private Path directory;

  private Path write(String name, String text) throws IOException {
    return Files.writeString(directory.resolve(name), text);
  }

  private static String withFile(String reference) {
    return SpecText.SOUND
        .replace("    S: {rows: [[0.5, 0.5]]}\n", "")
        .replace("  cpts:\n", reference + "  cpts:\n");
  }

  private List<String> faults() {
    SpecException thrown = assertThrows(SpecException.class, () -> SpecFiles.load(directory));
    return texts(thrown.faults());
  }

  @Test
  void aNetworkIsPutInPlaceAndTheTextParsesToTheSameHash() throws IOException {
    write("n.bif", NETWORK);
    Path file = write("a.yaml", withFile("  bif-file: n.bif  # the network\n"));
    String text = SpecFiles.selfContained(file);
    String inlined =
        """
          bif: |2  # the network
              network n { }

            variable S { type discrete [ 2 ] { f, m }; }
            probability ( S ) { table 0.5, 0.5; }
        """;
    assertEquals(withFile(inlined), text);
    SegmentSpec spec = SpecFiles.load(file).get(0);
    assertEquals(text, spec.text());
    assertEquals(SpecParser.parse(text).hash(), spec.hash());
    assertEquals("P(S)", spec.distributions().cpt("S").orElseThrow().title());
  }

  @Test
  void lineEndsAndAByteOrderMarkDoNotChangeTheHash() throws IOException {
    Path file = write("a.yaml", "\uFEFF" + SpecText.SOUND.replace("\n", "\r\n"));
    assertEquals(SpecText.SOUND, SpecFiles.selfContained(file));
  }

  @Test
  void faultsCountTheLinesOfTheFile() throws IOException {
    write("n.bif", NETWORK);
    write("b.yaml", withFile("  bif-file: n.bif\n").replace("tau: 0.3", "tau: 0"));
    write("a.yaml", named("a", "default").replace("seed: -7", "seed: x"));
    assertEquals(
        List.of(
            "a.yaml: seed, line 4: \"x\" given; a whole number from -9223372036854775808 to"
                + " 9223372036854775807",
            "b.yaml: fairness.tau, line 30: \"0\" given; a number above 0, at most 1000000000000, or a mapping"),
        faults());
  }

  @Test
  void aNetworkThatIsFaultyIsAFaultAtItsReference() throws IOException {
    write("n.bif", NETWORK.replace("m }", "w }"));
    write("a.yaml", withFile("  bif-file: n.bif\n"));
    assertEquals(
        List.of(
            "a.yaml: distributions.bif, line 17: P(S) with levels [f, w] of S given; the levels of"
                + " the spec, [f, m]"),
        faults());
  }

  /** Tables of actions, of cpts, and of the reward are not the network's to give. */
  @Test
  void aNetworkThatWasCutIsAFaultUnlessTheSpecReplacesWhatIsMissing() throws IOException {
    String cut =
        """
        network n { }
        variable A { type discrete [ 2 ] { a, b }; }
        variable M { type discrete [ 2 ] { no, yes }; }
        variable R { type discrete [ 2 ] { no, yes }; }
        variable S { type discrete [ 2 ] { f, m }; }
        """;
    write("n.bif", cut);
    write("a.yaml", withFile("  bif-file: n.bif\n"));
    assertEquals(
        List.of(
            "a.yaml: distributions.bif, line 17: \"line 5, column 10: no probability block of"
                + " \"S\"; is the file cut?\" given; a network in the Bayesian Interchange Format,"
                + " its lines counted from its own first, a probability block for each variable but"
                + " actions and those of cpts, rows that sum to 1 (normalize-rows: true if only"
                + " what was printed does not)"),
        faults());
    write("n.bif", cut + "probability ( S ) { table 0.5, 0.5; }");
    assertEquals(
        "P(S)", SpecFiles.load(directory).get(0).distributions().cpt("S").orElseThrow().title());
  }

  @Test
  void aReferenceThatCannotBeFollowedIsAFault() throws IOException {
    write("a.yaml", withFile("  bif-file: none.bif\n"));
    assertEquals(
        List.of(
            "a.yaml: distributions.bif-file, line 17: \"none.bif\" given; a file that exists, in"
                + " the directory of this file or below"),
        faults());
    write("a.yaml", "distributions: {bif-file: none.bif}\n");
    assertTrue(
        faults().get(0).contains("line 1: \"none.bif\" given; a file that exists"),
        () -> faults().toString());
    write("a.yaml", withFile("  bif-file: /n.bif\n"));
    assertEquals(
        List.of(
            "a.yaml: distributions.bif-file, line 17: \"/n.bif\" given; a path relative to this"
                + " file, to a file in its directory or below"),
        faults());
    write("n.bif", NETWORK);
    write("a.yaml", "distributions: {bif-file: n.bif}\n");
    assertEquals(
        List.of(
            "a.yaml: distributions.bif-file, line 1: \"n.bif\" given; bif-file: name.bif on a line"
                + " of its own, without braces"),
        faults());
  }

  /** Faults of a network quote what is in the file. */
  @Test
  void aNetworkOutsideOfTheDirectoryIsNotRead() throws IOException {
    Path outside = write("out.bif", "root:x");
    Path specs = Files.createDirectory(directory.resolve("specs"));
    Path file = specs.resolve("a.yaml");
    for (String reference : List.of("../out.bif", "below/../../out.bif")) {
      Files.writeString(file, withFile("  bif-file: " + reference + "\n"));
      assertEquals(
          List.of(
              "a.yaml: distributions.bif-file, line 17: \""
                  + reference
                  + "\" given; a path relative to this file, to a file in its directory or below"),
          texts(assertThrows(SpecException.class, () -> SpecFiles.load(specs)).faults()));
    }
    Files.writeString(file, withFile("  bif-file: n.bif\n"));
    Path link = Files.createSymbolicLink(specs.resolve("n.bif"), outside);
    assertEquals(
        List.of(
            "a.yaml: n.bif: a link to a file elsewhere given; a file in the directory of a.yaml or"
                + " below"),
        texts(assertThrows(SpecException.class, () -> SpecFiles.load(specs)).faults()));
    Files.delete(link);
    Path data = Files.createDirectory(specs.resolve("..data"));
    Files.createSymbolicLink(link, Files.writeString(data.resolve("n.bif"), NETWORK));
    assertEquals(1, SpecFiles.load(specs).size(), "a mounted volume links to a directory in it");
  }

  @Test
  void aDirectoryIsReadInTheOrderOfItsNames() throws IOException {
    write("b.yaml", SpecText.SOUND);
    write("a.yaml", SpecText.SOUND.replace("small", "large").replace("tiny", "huge"));
    write("c.txt", "no spec");
    assertEquals(
        List.of("large", "small"),
        SpecFiles.load(directory).stream().map(SegmentSpec::name).toList());
  }

  @Test
  void namesAndExactSegmentsBelongToOneFile() throws IOException {
    write("a.yaml", SpecText.SOUND);
    write("b.yaml", SpecText.with("[small, tiny]", "[large, tiny]"));
    assertEquals(
        List.of(
            "b.yaml: name: \"small\" given; one that a.yaml does not have" + TOGETHER,
            "b.yaml: segments.exact: \"tiny\" given; one that a.yaml does not have" + TOGETHER),
        faults());
  }

  @Test
  void candidatesMayBeForTheSameSegments() throws IOException {
    write("a.yaml", named("a", "default"));
    write("b.yaml", named("b", "default"));
    List<Path> paths = List.of(directory.resolve("a.yaml"), directory.resolve("b.yaml"));
    assertEquals(
        List.of("a", "b"),
        SpecFiles.loadCandidates(paths, it -> it).stream().map(SegmentSpec::name).toList());
    write("b.yaml", named("a", "default"));
    SpecException refused =
        assertThrows(SpecException.class, () -> SpecFiles.loadCandidates(paths, it -> it));
    assertEquals(
        List.of(
            "b.yaml: name: \"a\" given; one that a.yaml does not have; give each candidate a name of"
                + " its own"),
        refused.faults().stream().map(SpecFault::toString).toList());
    SpecFiles.LoadedSpecs<String> versions =
        SpecFiles.readEach(paths, (path, spec) -> spec.name() + " of " + path.getFileName());
    assertEquals(List.of("a of a.yaml", "a of b.yaml"), versions.specs());
    assertEquals(List.of(), versions.faults());
  }

  @Test
  void thereIsOneDefaultAndOneSpecForAPattern() throws IOException {
    write("a.yaml", named("a", "default"));
    write("b.yaml", named("b", "{pattern: \"shop-.*\"}"));
    write("c.yaml", named("c", "default"));
    write("d.yml", named("d", "{pattern: \"shop-.*\"}"));
    assertEquals(
        List.of(
            "c.yaml: segments: \"default\" given; one that a.yaml does not have" + TOGETHER,
            "d.yml: segments.pattern: \"shop-.*\" given; one that b.yaml does not have" + TOGETHER),
        faults());
  }

  @Test
  void filesOfSeveralPlacesAreHeldAgainstEachOtherAndNamedInFullWhereNamesAreEqual()
      throws IOException {
    Path one = Files.createDirectories(directory.resolve("one"));
    Path two = Files.createDirectories(directory.resolve("two"));
    Path first = Files.writeString(one.resolve("a.yaml"), SpecText.SOUND);
    Path second = Files.writeString(two.resolve("a.yaml"), SpecText.with("seed: -7", "seed: 8"));
    Path third = Files.writeString(two.resolve("b.yaml"), SpecText.with("seed: -7", "seed: x"));
    SpecFiles.LoadedSpecs<SegmentSpec> found =
        SpecFiles.read(List.of(one, two), Function.identity());
    assertEquals(
        List.of(
            claim(second, "name", "small", first),
            claim(second, "segments.exact", "small", first),
            claim(second, "segments.exact", "tiny", first),
            claim(third.getFileName(), "name", "small", first),
            claim(third.getFileName(), "segments.exact", "small", first),
            claim(third.getFileName(), "segments.exact", "tiny", first),
            third.getFileName()
                + ": seed, line 4: \"x\" given; a whole number from -9223372036854775808 to"
                + " 9223372036854775807"),
        texts(found.faults()));
    assertEquals(2, found.specs().size());
  }

  private static String claim(Path file, String key, String value, Path owner) {
    return "%s: %s: \"%s\" given; one that %s does not have".formatted(file, key, value, owner)
        + TOGETHER;
  }

  @Test
  void aFileThatIsNamedByItselfAndByItsDirectoryIsAFault() throws IOException {
    Path file = write("a.yaml", SpecText.SOUND);
    List<Path> paths = List.of(directory, directory.resolve("../" + directory.getFileName()), file);
    SpecException thrown =
        assertThrows(SpecException.class, () -> SpecFiles.load(paths, Function.identity()));
    String twice = ": the same file twice given; each once, by itself or by its directory";
    assertEquals(
        List.of(paths.get(1).resolve("a.yaml") + twice, file + twice), texts(thrown.faults()));
  }

  @Test
  void whatCompilingTellsIsAFaultOfItsFileBesideThoseOfTheText() throws IOException {
    write("a.yaml", SpecText.with("seed: -7", "seed: x"));
    write("b.yaml", named("b", "default"));
    SpecFault fault = new SpecFault("policy", "this", "that");
    SpecException thrown =
        assertThrows(
            SpecException.class,
            () ->
                SpecFiles.load(
                    List.of(directory),
                    spec -> {
                      throw new SpecException(List.of(fault));
                    }));
    assertEquals(
        List.of("a.yaml: seed, line 4", "a.yaml: policy, line 27", "b.yaml: policy, line 27"),
        thrown.faults().stream().map(SpecFault::place).toList());
  }

  @Test
  void aFileClaimsWhatItSaysSoundlyWhateverElseIsWrongWithIt() throws IOException {
    write("a.yaml", SpecText.with("{S A} -> M", "{S Z} -> M"));
    write("b.yaml", SpecText.with("[small, tiny]", "[tiny, tiny]"));
    write("c.yaml", SpecText.with("name: small", "name: -small"));
    List<String> claims =
        faults().stream().filter(fault -> fault.contains("does not have")).toList();
    assertEquals(
        List.of(
            "b.yaml: name: \"small\" given; one that a.yaml does not have" + TOGETHER,
            "c.yaml: segments.exact: \"small\" given; one that a.yaml does not have" + TOGETHER,
            "c.yaml: segments.exact: \"tiny\" given; one that a.yaml does not have" + TOGETHER),
        claims);
  }

  private static String named(String name, String segments) {
    return SpecText.SOUND
        .replace("name: small", "name: " + name)
        .replace("{exact: [small, tiny]}", segments);
  }

  private static List<String> texts(List<SpecFault> faults) {
    return faults.stream().map(SpecFault::toString).toList();
  }

  @Test
  void whatIsNotThereOrNoTextIsAFault() throws IOException {
    Files.write(directory.resolve("a.yaml"), "name: \u00e9".getBytes(StandardCharsets.ISO_8859_1));
    assertEquals(
        List.of("a.yaml, line 1: bytes that are no UTF-8 given; save it as UTF-8"), faults());
    Path missing = directory.resolve("none.yaml");
    assertThrows(UncheckedIOException.class, () -> SpecFiles.load(missing));
    UncheckedIOException empty =
        assertThrows(
            UncheckedIOException.class,
            () -> SpecFiles.load(Files.createDirectory(directory.resolve("empty"))));
    assertEquals(
        directory.resolve("empty") + ": has no *.yaml or *.yml; put a spec into it, or name a file",
        empty.getCause().getMessage());
  }
}
