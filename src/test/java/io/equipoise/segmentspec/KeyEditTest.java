package io.equipoise.segmentspec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KeyEditTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'a: 1 # 😀\n\np:\n  x:   3  # three\n  y: 4\n' | 'a: 1 # 😀\n\np:\n  x:   5  # three\n  y: 4\n'",
        "'p:\n  x:\n    over: all\n    share: 1\n  y: 4\n' | 'p:\n  x:\n    5\n  y: 4\n'",
        "'p: {y: [1, 2], x: {z: 1}} # z' | 'p: {y: [1, 2], x: 5} # z'",
        "'# p\np:\n  # y\n  y: 4\nx: 1\n' | '# p\np:\n  # y\n  x: 5\n  y: 4\nx: 1\n'",
        "'p: {y: 4}' | 'p: {x: 5, y: 4}'",
      })
  void onlyTheValueChanges(String before, String after) {
    assertThat(KeyEdit.with(before, "p.x", "5")).isEqualTo(after);
  }

  @Test
  void aKeyBeforeTheLastOneMustBeThere() {
    assertThatThrownBy(() -> KeyEdit.with("q: 1\n", "p.x", "5"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("p.x has no place in the text");
    assertThatThrownBy(() -> KeyEdit.with("p: 1\n", "p.x", "5"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> KeyEdit.with("p: [", "p.x", "5")).isInstanceOf(SpecException.class);
  }
}
