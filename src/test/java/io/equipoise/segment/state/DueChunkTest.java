package io.equipoise.segment.state;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.equipoise.event.IdHash;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class DueChunkTest {
  private static final long SEED = 20261121;

  /** Chunks share words, so one that grew must not show in those it grew from, or in a sibling. */
  @Test
  void everyChunkOfAFamilyKeepsItsOwnIds() {
    Random random = new Random(SEED);
    for (int family = 0; family < 200; family++) {
      List<DueChunk> chunks = new ArrayList<>(List.of(DueChunk.of(new IdHash(family, 0))));
      List<List<IdHash>> expected = new ArrayList<>(List.of(List.of(new IdHash(family, 0))));
      for (int step = 1; step < 150; step++) {
        int parent = random.nextInt(8) > 0 ? chunks.size() - 1 : random.nextInt(chunks.size());
        List<IdHash> ids = new ArrayList<>(expected.get(parent));
        DueChunk grown = chunks.get(parent);
        if (ids.size() > 1 && (ids.size() == DueChunk.CAPACITY || random.nextInt(4) == 0)) {
          ids.remove(ids.size() - 1);
          grown = grown.minusLast();
        } else {
          ids.add(new IdHash(family, step));
          grown = grown.plus(new IdHash(family, step));
        }
        chunks.add(grown);
        expected.add(ids);
      }
      for (int i = 0; i < chunks.size(); i++) {
        assertEquals(expected.get(i), idsOf(chunks.get(i)), "seed " + SEED + ", chunk " + i);
        assertEquals(DueChunk.ofWords(chunks.get(i).words()), chunks.get(i));
      }
    }
  }

  @Test
  void noneHalfOrMoreThanAFullChunkOfWordsIsRefused() {
    for (int words : new int[] {0, 3, 2 * DueChunk.CAPACITY + 2}) {
      assertThrows(IllegalArgumentException.class, () -> DueChunk.ofWords(new long[words]));
    }
  }

  private static List<IdHash> idsOf(DueChunk chunk) {
    List<IdHash> ids = new ArrayList<>();
    for (int i = 0; i < chunk.size(); i++) {
      ids.add(chunk.id(i));
    }
    return ids;
  }
}
