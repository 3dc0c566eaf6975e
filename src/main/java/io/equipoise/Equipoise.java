package io.equipoise;

/** The command line. */
public final class Equipoise {
  private Equipoise() {}
}
