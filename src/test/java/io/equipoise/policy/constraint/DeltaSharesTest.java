package io.equipoise.policy.constraint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.equipoise.policy.MemoryModelState;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DeltaSharesTest {
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 7, 300})
  void allSharesAddUpToOneHoweverManyCome(int first) {
    double sum = 0;
    int many = 1_000_000;
    for (int place = 0; place < many; place++) {
      sum += DeltaShares.share(place, first);
    }
    double later = .2 * first / many;
    assertThat(sum).isCloseTo(1 - later, within(1e-9));
    assertThat(DeltaShares.share(Integer.MAX_VALUE, first)).isPositive();
  }

  @Test
  void aVersionThatSharesOtherwiseIsCountedAlsoWhenItComesBack() {
    MemoryModelState state = new MemoryModelState();
    assertThat(DeltaShares.first(state, 5)).isEqualTo(5);
    for (long meaning : new long[] {7, 7, 8, 7}) {
      DeltaShares.adopt(state, DeltaShares.KEY, (int) meaning, meaning);
    }
    assertThat(DeltaShares.changes(state, DeltaShares.KEY)).isEqualTo(2);
    assertThat(DeltaShares.changes(state, DeltaShares.TABLES)).isEqualTo(0);
    assertThat(DeltaShares.first(state, 5)).isEqualTo(7);
  }
}
