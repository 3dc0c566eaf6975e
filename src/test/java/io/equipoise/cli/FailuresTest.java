package io.equipoise.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;

class FailuresTest {
  private final StringWriter err = new StringWriter();

  @Command(name = "work")
  private record Work(Exception failure) implements Callable<Integer> {
    @Override
    public Integer call() throws Exception {
      throw failure;
    }
  }

  private int exit(Exception failure) {
    return new CommandLine(new Work(failure))
        .setExecutionExceptionHandler(new Failures())
        .setErr(new PrintWriter(err, true))
        .execute();
  }

  private void isOneLine(Exception failure, String line) {
    err.getBuffer().setLength(0);
    assertEquals(2, exit(failure));
    assertEquals(line + System.lineSeparator(), err.toString());
  }

  @Test
  void whatTheUserCanMendIsOneLineWithItsRemedy() {
    isOneLine(new NoSuchFileException("a.csv"), "work: a.csv does not exist; check the path");
    isOneLine(
        new AccessDeniedException("a.csv"),
        "work: a.csv: permission denied; check the file's permissions");
    isOneLine(
        new UncheckedIOException("cannot write the JSON to b", new IOException("disk full")),
        "work: cannot write the JSON to b: disk full");
    isOneLine(
        assertThrows(
            JsonProcessingException.class, () -> new ObjectMapper().readTree("[".repeat(2000))),
        "work: nested too deeply");
    isOneLine(
        new UncheckedIOException(new NoSuchFileException("c")),
        "work: c does not exist; check the path");
  }

  @Test
  void aFaultOfEquipoiseKeepsItsTraceAndHasAnExitCodeOfItsOwn() {
    assertEquals(70, exit(new IllegalStateException("never")));
    assertTrue(err.toString().contains("IllegalStateException: never"), err.toString());
    assertTrue(err.toString().contains("at io.equipoise.cli.FailuresTest"), err.toString());
  }
}
