package io.equipoise.join;

import io.equipoise.bandit.PriorTable;
import io.equipoise.event.ErrorCode;
import io.equipoise.event.PriorBound;
import io.equipoise.event.PriorSet;

/** A set of prior bounds as one spec sees it. */
sealed interface JudgedPriors {
  PriorSet set();

  /** The spec's policy can clip into it. */
  record Usable(PriorSet set, PriorTable table) implements JudgedPriors {}

  /** The spec cannot use it; {@code row} is the first that shows why. */
  record Refused(PriorSet set, ErrorCode code, String why, PriorBound row)
      implements JudgedPriors {}
}
