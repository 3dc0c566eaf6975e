package io.equipoise.http;

import io.javalin.security.RouteRole;

/** Names the permission that a caller needs to use a route. Every route names one. */
public enum TokenScope implements RouteRole {
  /** Everyone, without a token: health checks and documents. */
  PUBLIC,
  /** Tokens of scope {@code read} or {@code write}. */
  READ,
  /** Tokens of scope {@code write}. */
  WRITE;

  /** Returns whether a token of this scope may use a route of another. */
  boolean covers(TokenScope required) {
    return compareTo(required) >= 0;
  }
}
