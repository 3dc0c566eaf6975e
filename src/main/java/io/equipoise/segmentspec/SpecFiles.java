package io.equipoise.segmentspec;

import io.equipoise.event.TextFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reads specs from files and makes them self-contained.
 *
 * <p>A {@code bif-file} is put in place as {@code bif}, so the text that is published has the same
 * hash wherever it is parsed. Line ends become {@code \n} and a byte order mark is dropped; nothing
 * else changes. Faults start with the name of the file and count its own lines. A path that does
 * not exist, or a disk that fails, is an {@link UncheckedIOException}.
 */
public final class SpecFiles {
  private SpecFiles() {}

  /** As {@link #load(List, Function)} for one file or directory, without compiling. */
  public static List<SegmentSpec> load(Path fileOrDirectory) {
    return load(List.of(fileOrDirectory), Function.identity());
  }

  /**
   * Reads specs as {@link #read} does.
   *
   * @throws SpecException if there is a fault in any file, with the faults of all
   */
  public static <T> List<T> load(List<Path> paths, Function<SegmentSpec, T> compile) {
    return passed(read(paths, compile));
  }

  /**
   * Reads candidates for the same segments: as {@link #load(List, Function)}, but several files may
   * claim a segment or the default.
   *
   * @throws SpecException if there is a fault in any file, with the faults of all
   */
  public static <T> List<T> loadCandidates(List<Path> paths, Function<SegmentSpec, T> compile) {
    return passed(read(paths, compile, false));
  }

  private static <T> List<T> passed(LoadedSpecs<T> found) {
    if (!found.faults().isEmpty()) {
      throw new SpecException(found.faults());
    }
    return found.specs();
  }

  /**
   * Reads files, and of directories every {@code *.yaml} and {@code *.yml} in the order of their
   * names.
   *
   * @param compile as for {@link SpecParser#parse(String, Function)}
   */
  public static <T> LoadedSpecs<T> read(List<Path> paths, Function<SegmentSpec, T> compile) {
    return read(paths, compile, true);
  }

  private static <T> LoadedSpecs<T> read(
      List<Path> paths, Function<SegmentSpec, T> compile, boolean doesClaimSegments) {
    List<SpecFault> faults = new ArrayList<>();
    List<T> specs = new ArrayList<>();
    List<Path> files = files(paths, faults);
    Claims claims =
        new Claims(
            faults,
            doesClaimSegments
                ? "files that are read together serve one deployment, so name independent ones in"
                    + " calls of their own"
                : "give each candidate a name of its own");
    for (Path file : files) {
      String name = nameAmong(files, file);
      guarded(
          file,
          name,
          faults,
          () -> {
            BifReference.InlinedText inlined = inlined(file);
            specs.add(
                SpecParser.parse(
                    inlined.text(),
                    inlined::original,
                    (own, match) -> claims.add(own, doesClaimSegments ? match : null, name),
                    compile));
          });
    }
    return new LoadedSpecs<>(specs, faults);
  }

  /**
   * Reads versions to compare: as {@link #read(List, Function)}, but each path by itself, so that
   * several may have one name and its segments.
   */
  public static <T> LoadedSpecs<T> readEach(
      List<Path> paths, BiFunction<Path, SegmentSpec, T> compile) {
    List<T> specs = new ArrayList<>();
    List<SpecFault> faults = new ArrayList<>();
    for (Path path : paths) {
      LoadedSpecs<T> found = read(List.of(path), spec -> compile.apply(path, spec));
      specs.addAll(found.specs());
      faults.addAll(found.faults());
    }
    files(paths, faults);
    return new LoadedSpecs<>(specs, faults);
  }

  /** Returns the file that a spec was read from. */
  public static Optional<Path> fileOf(List<Path> paths, SegmentSpec spec) {
    return files(paths, new ArrayList<>()).stream()
        .filter(file -> selfContained(file).equals(spec.text()))
        .findFirst();
  }

  private static List<Path> files(List<Path> paths, List<SpecFault> faults) {
    List<Path> files = new ArrayList<>();
    paths.forEach(path -> addEach(files(path), files, faults));
    return files;
  }

  /**
   * Holds the specs and the faults of files.
   *
   * @param specs the results of the files without a fault of their own, in the order of the files
   * @param faults of all files; a name, a segment or the default that two files claim is one too
   */
  public record LoadedSpecs<T>(List<T> specs, List<SpecFault> faults) {
    public LoadedSpecs {
      specs = List.copyOf(specs);
      faults = List.copyOf(faults);
    }
  }

  /** Reports names, segments and defaults that two files claim. */
  private static final class Claims {
    private final Map<Claim, String> owners = new HashMap<>();
    private final String remedy;
    private final List<SpecFault> faults;

    /** Adds to the faults what is claimed twice. */
    Claims(List<SpecFault> faults, String remedy) {
      this.faults = faults;
      this.remedy = remedy;
    }

    private record Claim(String key, String value) {}

    /** Claims the name and the segments of a spec; null where they have a fault. */
    void add(@Nullable String name, @Nullable SegmentMatch match, String file) {
      if (name != null) {
        claim("name", name, file);
      }
      if (match instanceof SegmentMatch.Exact exact) {
        exact.segments().forEach(segment -> claim("segments.exact", segment, file));
      } else if (match instanceof SegmentMatch.Pattern pattern) {
        claim("segments.pattern", pattern.pattern().pattern(), file);
      } else if (match != null) {
        claim("segments", "default", file);
      }
    }

    private void claim(String key, String value, String file) {
      String owner = owners.putIfAbsent(new Claim(key, value), file);
      if (owner != null) {
        faults.add(
            new SpecFault(
                file + ": " + key,
                SpecFaults.shown(value),
                "one that " + owner + " does not have; " + remedy));
      }
    }
  }

  private static void guarded(Path file, String name, List<SpecFault> faults, Runnable reading) {
    String own = String.valueOf(file.getFileName());
    try {
      reading.run();
    } catch (SpecException e) {
      for (SpecFault fault : e.faults()) {
        String place = fault.place();
        boolean isNamed = place.startsWith(own);
        faults.add(
            new SpecFault(
                name + (isNamed ? place.substring(own.length()) : ": " + place),
                fault.given(),
                fault.allowed()));
      }
    }
  }

  private static void addEach(List<Path> found, List<Path> files, List<SpecFault> faults) {
    for (Path file : found) {
      if (files.stream().anyMatch(it -> isSame(it, file))) {
        faults.add(
            new SpecFault(
                file.toString(),
                "the same file twice",
                "each once, by itself or by its directory"));
      } else {
        files.add(file);
      }
    }
  }

  private static boolean isSame(Path one, Path other) {
    try {
      return Files.isSameFile(one, other);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns a file's own name, or all of its path where another has the same name. */
  private static String nameAmong(List<Path> files, Path file) {
    String own = String.valueOf(file.getFileName());
    long same = files.stream().filter(it -> own.equals(String.valueOf(it.getFileName()))).count();
    return same > 1 ? file.toString() : own;
  }

  /** Returns the text of a spec file with its {@code bif-file} put in place. */
  public static String selfContained(Path file) {
    return inlined(file).text();
  }

  private static BifReference.InlinedText inlined(Path file) {
    String text = text(file);
    SpecFaults specFaults = new SpecFaults(line -> line);
    BifReference reference =
        BifReference.find(text, specFaults, path -> Files.isRegularFile(file.resolveSibling(path)));
    specFaults.throwIfAny();
    if (reference == null) {
      return BifReference.InlinedText.of(text);
    }
    Path bif = file.resolveSibling(reference.path());
    requireBeside(file, bif);
    return reference.replace(text, text(bif));
  }

  /** Refuses a link out of the directory: faults of a network quote the file. */
  private static void requireBeside(Path file, Path bif) {
    try {
      Path directory = file.resolveSibling("").toRealPath();
      if (Files.exists(bif) && !bif.toRealPath().startsWith(directory)) {
        throw fault(
            bif,
            "a link to a file elsewhere",
            "a file in the directory of " + file.getFileName() + " or below");
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<Path> files(Path fileOrDirectory) {
    List<Path> files = new ArrayList<>();
    try {
      if (!Files.isDirectory(fileOrDirectory)) {
        return List.of(TextFile.regular(fileOrDirectory));
      }
      try (DirectoryStream<Path> found =
          Files.newDirectoryStream(fileOrDirectory, "*.{yaml,yml}")) {
        found.forEach(files::add);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    if (files.isEmpty()) {
      throw new UncheckedIOException(
          new FileSystemException(
              fileOrDirectory.toString(),
              null,
              "has no *.yaml or *.yml; put a spec into it, or name a file"));
    }
    Collections.sort(files);
    return files;
  }

  private static String text(Path file) {
    try {
      if (!Files.isRegularFile(file)) {
        throw fault(file, "no file", "the path of an existing file");
      }
      if (Files.size(file) > YamlText.MAX_BYTES) {
        throw fault(file, Files.size(file) + " bytes", "at most " + YamlText.MAX_BYTES + " bytes");
      }
      return TextFile.read(file).replace("\r\n", "\n").replace('\r', '\n');
    } catch (NoSuchFileException | AccessDeniedException e) {
      throw new UncheckedIOException(e);
    } catch (FileSystemException e) { // names the line of bytes that are no UTF-8
      String[] words = String.valueOf(e.getReason()).split("; ", 2);
      throw fault(Path.of(String.valueOf(e.getFile())), words[0], words[words.length - 1]);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static SpecException fault(Path file, String given, String allowed) {
    String place = String.valueOf(file.getFileName());
    return new SpecException(List.of(new SpecFault(place, given, allowed)));
  }
}
