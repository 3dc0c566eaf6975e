package io.equipoise.http;

import org.jspecify.annotations.Nullable;

/** Ends a request with a problem document. Has no stack trace: it is data. */
public final class ProblemException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient Problem problem;

  public ProblemException(Problem problem) {
    super(problem.code(), null, false, false);
    this.problem = problem;
  }

  public ProblemException(HttpCode code, @Nullable String detail) {
    this(Problem.of(code, detail));
  }

  public Problem problem() {
    return problem;
  }
}
