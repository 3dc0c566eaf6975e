package io.equipoise.spec;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads specs from files and makes them self-contained.
 *
 * <p>A {@code bif-file} is put in place as {@code bif}, so the text that is published has the same
 * hash wherever it is parsed. Line ends become {@code \n} and a byte order mark is dropped; nothing
 * else changes. Faults start with the name of the file and count its own lines. A disk that fails
 * is an {@link UncheckedIOException}.
 */
public final class SpecFiles {
  private SpecFiles() {}

  /**
   * Reads one file, or every {@code *.yaml} of a directory in the order of their names. Throws with
   * the faults of all files; two specs of one name are a fault, and so is a segment named by two.
   */
  public static List<SegmentSpec> load(Path fileOrDirectory) {
    List<SpecFault> faults = new ArrayList<>();
    List<SegmentSpec> specs = new ArrayList<>();
    Map<String, String> names = new HashMap<>();
    Map<String, String> segments = new HashMap<>();
    for (Path file : files(fileOrDirectory)) {
      String fileName = String.valueOf(file.getFileName());
      try {
        InlinedText inlined = inlined(file);
        SegmentSpec spec = SpecParser.parse(inlined.text(), inlined::original);
        claim("name", spec.name(), fileName, names, faults);
        if (spec.match() instanceof SegmentMatch.Exact exact) {
          exact.segments().forEach(it -> claim("segments.exact", it, fileName, segments, faults));
        }
        specs.add(spec);
      } catch (SpecException e) {
        for (SpecFault fault : e.faults()) {
          faults.add(
              new SpecFault(fileName + ": " + fault.place(), fault.given(), fault.allowed()));
        }
      }
    }
    if (!faults.isEmpty()) {
      throw new SpecException(faults);
    }
    return List.copyOf(specs);
  }

  /** Returns the text of a spec file with its {@code bif-file} put in place. */
  public static String selfContained(Path file) {
    return inlined(file).text();
  }

  private static InlinedText inlined(Path file) {
    String text = text(file);
    Faults faults = new Faults(line -> line);
    BifReference reference = BifReference.find(text, faults);
    faults.throwIfAny();
    if (reference == null) {
      return InlinedText.of(text);
    }
    Path bif = file.resolveSibling(reference.path());
    return reference.replace(text, text(bif));
  }

  private static void claim(
      String key,
      String value,
      String fileName,
      Map<String, String> owners,
      List<SpecFault> faults) {
    String owner = owners.putIfAbsent(value, fileName);
    if (owner != null) {
      faults.add(
          new SpecFault(
              fileName + ": " + key, Faults.shown(value), "no other file has it, but " + owner));
    }
  }

  private static List<Path> files(Path fileOrDirectory) {
    if (!Files.isDirectory(fileOrDirectory)) {
      return List.of(fileOrDirectory);
    }
    List<Path> files = new ArrayList<>();
    try (DirectoryStream<Path> found = Files.newDirectoryStream(fileOrDirectory, "*.yaml")) {
      found.forEach(files::add);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    if (files.isEmpty()) {
      throw fault(fileOrDirectory, "a directory without *.yaml", "at least one spec");
    }
    Collections.sort(files);
    return files;
  }

  private static String text(Path file) {
    try {
      if (!Files.isRegularFile(file)) {
        throw fault(file, "no file", "a file that is there");
      }
      if (Files.size(file) > YamlText.MAX_BYTES) {
        throw fault(file, Files.size(file) + " bytes", "at most " + YamlText.MAX_BYTES + " bytes");
      }
      String text = Files.readString(file).replace("\r\n", "\n").replace('\r', '\n');
      return text.startsWith("\uFEFF") ? text.substring(1) : text;
    } catch (CharacterCodingException e) {
      throw fault(file, "bytes that are no UTF-8", "text in UTF-8");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static SpecException fault(Path file, String given, String allowed) {
    String place = String.valueOf(file.getFileName());
    return new SpecException(List.of(new SpecFault(place, given, allowed)));
  }
}
