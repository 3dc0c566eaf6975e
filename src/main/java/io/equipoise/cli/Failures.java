package io.equipoise.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.ParseResult;

/**
 * Handles the exception of a command. If a file is missing, forbidden or unusable, prints one line
 * and returns the exit code of invalid parameters. Prints the errors of options likewise. Otherwise
 * prints the stack trace and returns the exit code of an internal error.
 */
public final class Failures implements IExecutionExceptionHandler {
  /** The exit code of an internal error: EX_SOFTWARE of {@code sysexits.h}. */
  public static final int FAULT = 70;

  @Override
  public int handleExecutionException(Exception failure, CommandLine command, ParseResult result) {
    if (failure instanceof IOException || failure instanceof UncheckedIOException) {
      command.getErr().println(command.getCommandSpec().qualifiedName() + ": " + line(failure));
      return command.getCommandSpec().exitCodeOnInvalidInput();
    }
    if (failure instanceof InvalidOptionsException) {
      command
          .getErr()
          .println(command.getCommandSpec().qualifiedName() + ": " + failure.getMessage());
      return command.getCommandSpec().exitCodeOnInvalidInput();
    }
    command.getErr().print(command.getColorScheme().richStackTraceString(failure));
    command.getErr().flush();
    return FAULT;
  }

  /** Describes an error and the action that it prevented, in one line. */
  public static String line(Exception failure) {
    Throwable cause = failure instanceof UncheckedIOException ? failure.getCause() : failure;
    String what = String.valueOf(failure.getMessage());
    boolean isNamed = cause != failure && !what.equals(cause.toString());
    return (isNamed ? what + ": " : "") + words(cause);
  }

  /** Returns the error at the end of the chain of causes. */
  public static Throwable root(Throwable failure) {
    Throwable cause = failure;
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    return cause;
  }

  /** Describes an error of a file to its owner, in one line without names of Java. */
  public static String words(Throwable cause) {
    if (cause instanceof NoSuchFileException) {
      return cause.getMessage() + " does not exist; check the path";
    }
    if (cause instanceof AccessDeniedException) {
      return cause.getMessage() + ": permission denied; check the file's permissions";
    }
    String message =
        cause instanceof JsonProcessingException json ? JsonFault.words(json) : cause.getMessage();
    return message == null || message.isBlank()
        ? "cannot be read or written (" + cause.getClass().getSimpleName() + ")"
        : message.lines().findFirst().orElse("");
  }
}
