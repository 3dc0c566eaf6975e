package io.equipoise.tools.specs;

import io.equipoise.segment.state.CompiledSpec;
import io.equipoise.tools.adoption.UpgradePreview;

/** Opens the comparison of two specs to tests of other packages. */
public final class SpecChanges {
  private SpecChanges() {}

  /** Returns the name of the effect on a segment. */
  public static String effect(CompiledSpec before, CompiledSpec after) {
    return String.valueOf(UpgradePreview.of(before, after).json().get("effect"));
  }
}
