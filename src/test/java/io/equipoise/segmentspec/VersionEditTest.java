package io.equipoise.segmentspec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class VersionEditTest {
  @Test
  void onlyTheNumberChanges() {
    assertEquals(
        "# version: 3 😀\nname: a # 😀\n\nversion:   12  # of \"May\"\nx: {version: 3}\n",
        VersionEdit.with(
            "# version: 3 😀\nname: a # 😀\n\nversion:   3  # of \"May\"\nx: {version: 3}\n", 12));
  }

  @Test
  void aFlowMappingKeepsItsShape() {
    assertEquals(
        "{name: a, version: 100, x: 1}", VersionEdit.with("{name: a, version: 99, x: 1}", 100));
  }

  @Test
  void aTextWithoutAVersionIsRefused() {
    SpecException refused =
        assertThrows(SpecException.class, () -> VersionEdit.with("name: a\n", 2));
    assertTrue(refused.getMessage().startsWith("version: nothing given"), refused.getMessage());
    assertThrows(SpecException.class, () -> VersionEdit.with("name: [", 2));
  }
}
