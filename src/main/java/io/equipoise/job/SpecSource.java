package io.equipoise.job;

import java.io.Serializable;
import java.util.List;

/** Where the specs in force are found before the first element comes. */
interface SpecSource extends Serializable {

  /** Returns the records of the specs topic in order, retirements too. May block. */
  List<SpecText> read();
}
