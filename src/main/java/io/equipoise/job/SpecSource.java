package io.equipoise.job;

import java.io.Serializable;
import java.util.List;

/** Where the specs in force are found before the first element comes. */
interface SpecSource extends Serializable {

  /** Returns the good specs of the topic and the retirements, in order. May block. */
  List<SpecText> read();
}
