package io.equipoise.tools.bench;

import java.util.function.IntSupplier;

/** Runs rounds of a workload: decides, and learns the reward of the chosen arm. */
public enum LinearImplementation {
  /** LinUCB of this library. */
  LIBRARY {
    @Override
    IntSupplier start(LinearWorkload workload) {
      return new LibraryLinUcb(workload)::next;
    }
  },
  /** The plain double loop that updates theta. */
  PLAIN {
    @Override
    IntSupplier start(LinearWorkload workload) {
      return PlainLinUcb.playing(workload, false);
    }
  },
  /** The plain double loop that computes theta for every arm and decision. */
  TEXTBOOK {
    @Override
    IntSupplier start(LinearWorkload workload) {
      return PlainLinUcb.playing(workload, true);
    }
  },
  /** Vowpal Wabbit with epsilon-greedy exploration. */
  VOWPAL_EPSILON_GREEDY {
    @Override
    IntSupplier start(LinearWorkload workload) {
      return new VowpalWabbit(workload, "--epsilon 0.1")::next;
    }
  },
  /** Vowpal Wabbit with RegCB. */
  VOWPAL_REGCB {
    @Override
    IntSupplier start(LinearWorkload workload) {
      return new VowpalWabbit(workload, "--regcb")::next;
    }
  };

  /** Returns the rounds, each of which returns the chosen arm. */
  abstract IntSupplier start(LinearWorkload workload);
}
