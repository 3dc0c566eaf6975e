package io.equipoise.job.check;

import io.equipoise.segmentspec.SpecFault;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Parameters;

/** Reads the specs that a verb is given as files or directories, and prints their faults. */
public final class SpecPaths {
  @Parameters(
      arity = "1..*",
      paramLabel = "SPEC",
      description = "Files or directories of segment specs.")
  private List<Path> paths = new ArrayList<>();

  /** Returns the paths in the order of the command line. */
  public List<Path> list() {
    return paths;
  }

  /** Prints a line for each fault. */
  public static void print(List<SpecFault> faults, PrintWriter err) {
    faults.forEach(fault -> err.println("FAULT " + fault));
    err.flush();
  }
}
