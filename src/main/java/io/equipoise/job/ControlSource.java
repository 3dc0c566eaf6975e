package io.equipoise.job;

import java.io.Serializable;
import java.util.List;
import java.util.Set;

/** Where the specs and prior bounds in force are found before the first element comes. */
interface ControlSource extends Serializable {

  /** Returns the good records of the control topics and the retirements, in order. May block. */
  List<Control> read();

  /**
   * Returns the keys of both topics, also of bad records and retirements, after {@link #read}; none
   * where the source does not know them.
   */
  default Keys keys() {
    return new Keys(Set.of(), Set.of());
  }

  /**
   * Keys that are on the control topics. What state has beside them was retired, and its retirement
   * was compacted away; a topic without any key was lost, which retires nothing.
   */
  record Keys(Set<String> specs, Set<String> priors) {}
}
