package io.equipoise.job;

import java.io.Serializable;
import java.util.List;

/** Where the specs and prior bounds in force are found before the first element comes. */
interface ControlSource extends Serializable {

  /** Returns the good records of the control topics and the retirements, in order. May block. */
  List<Control> read();
}
