package io.equipoise.cli;

import java.util.List;

/**
 * Adds verbs to the command line, found by {@link java.util.ServiceLoader}. A verb is a class that
 * is annotated with picocli's {@code Command}.
 */
public interface VerbProvider {
  /** Returns the verbs in the order of the help. */
  List<Class<?>> verbs();
}
