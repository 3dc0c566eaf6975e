package io.equipoise.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

class OutputFileTest {
  @TempDir private Path directory;

  private Path file(String name, String text) throws IOException {
    return Files.writeString(directory.resolve(name), text);
  }

  private static void isRefused(OutputFile option, String text, String why) {
    String message =
        assertThrows(TypeConversionException.class, () -> option.convert(text)).getMessage();
    assertTrue(message.contains(why), message);
  }

  @ParameterizedTest
  @ValueSource(strings = {"user,reward\n1,0\n", "# a spec\nsegment: a\n", "segment: a", "\n{}"})
  void aFileThatNoCommandWroteIsNotReplaced(String text) throws IOException {
    Path input = file("input", text);
    isRefused(new OutputFile(), input.toString(), "exists and is no JSON, HTML or image");
    assertEquals(text, Files.readString(input));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "{}", "[1]", "<!DOCTYPE html>", "<svg/>"})
  void anEarlierResultIsReplaced(String text) throws IOException {
    Path earlier = file("earlier", text);
    assertEquals(earlier, new OutputFile().convert(earlier.toString()));
    OutputFile.write(earlier, out -> out.write("new"));
    assertEquals("new", Files.readString(earlier));
  }

  @Test
  void anImageIsReplaced() throws IOException {
    Path image =
        Files.write(directory.resolve("a.png"), new byte[] {(byte) 0x89, 'P', 'N', 'G', 0});
    assertEquals(image, new OutputFile().convert(image.toString()));
  }

  @Test
  void standardOutputIsRefusedWhereItIsNotWritten() throws IOException {
    isRefused(new OutputFile(), "-", "name a file");
    assertEquals(
        OutputFile.STANDARD_OUTPUT, new OutputFile.OrStandardOutput().convert("-"), "--json -");
    isRefused(
        new OutputFile.OrStandardOutput(), file("a.csv", "a,b").toString(), "name another file");
  }

  @Test
  void othersMayReadANewFile() throws IOException {
    Path plain = file("plain", "");
    Path result = directory.resolve("result.json");
    OutputFile.write(result, out -> out.write("{}"));
    assertEquals(
        Files.getPosixFilePermissions(plain),
        Files.getPosixFilePermissions(result),
        "as any other new file");
    assertTrue(
        Files.getPosixFilePermissions(result).contains(PosixFilePermission.OWNER_WRITE), "by us");
  }

  @Test
  void theTargetOfALinkIsReplaced() throws IOException {
    Path target = file("target.json", "{}");
    Path link = Files.createSymbolicLink(directory.resolve("link.json"), target);
    OutputFile.write(link, out -> out.write("[]"));
    assertTrue(Files.isSymbolicLink(link), "the link stays");
    assertEquals("[]", Files.readString(target));
  }

  @Test
  void aFailureLeavesTheEarlierResult() throws IOException {
    Path earlier = file("earlier.json", "{}");
    assertThrows(
        IOException.class,
        () ->
            OutputFile.write(
                earlier,
                out -> {
                  out.write("[");
                  throw new IOException("disk full");
                }));
    assertEquals("{}", Files.readString(earlier));
    try (Stream<Path> files = Files.list(directory)) {
      assertEquals(List.of(earlier), files.toList());
    }
  }
}
