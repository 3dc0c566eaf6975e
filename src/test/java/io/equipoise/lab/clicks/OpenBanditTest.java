package io.equipoise.lab.clicks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.equipoise.causal.DistributionException;
import io.equipoise.lab.clicks.OpenBandit.Replay;
import io.equipoise.tools.simulate.Person;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OpenBanditTest {
  private static final Path LOG = Path.of("src/test/resources/open-bandit/men.csv");

  /** Always names one item; counts what it learns. */
  private static final class Fixed implements ClickPlayer<Integer> {
    private final int item;
    private double clicks;
    private int takenBack;

    Fixed(int item) {
      this.item = item;
    }

    @Override
    public Played<Integer> choose(int round, Person person, int[] offered) {
      assertEquals(3, offered.length);
      return new Played<>(item, false, item);
    }

    @Override
    public void takeBack() {
      takenBack++;
    }

    @Override
    public void learn(Integer remembered, double reward) {
      clicks += reward;
    }
  }

  @Test
  void rowsOfTheRarestItemsAreAllAcceptedAndTheOthersTakenBack() throws IOException {
    OpenBandit log = new OpenBandit(LOG);
    Fixed player = new Fixed(2);
    Replay replay = log.replay(player, 1);
    long shown =
        Files.readAllLines(LOG).stream().filter(it -> it.split(",", -1)[2].equals("2")).count();
    assertEquals(60, replay.rows());
    assertEquals(shown, replay.accepted());
    assertEquals(60 - shown, player.takenBack);
    assertEquals(replay.clicks(), player.clicks);
  }

  @Test
  void anItemThatIsShownTwiceAsOftenIsAcceptedHalfTheTime() throws IOException {
    OpenBandit log = new OpenBandit(LOG);
    long shown =
        Files.readAllLines(LOG).stream().filter(it -> it.split(",", -1)[2].equals("0")).count();
    double accepted = 0;
    for (int seed = 1; seed <= 50; seed++) {
      accepted += log.replay(new Fixed(0), seed).accepted();
    }
    assertEquals(shown / 2.0, accepted / 50, 1);
  }

  @Test
  void aPolicyLearnsFromAcceptedRows() throws IOException {
    OpenBandit log = new OpenBandit(LOG);
    Replay replay =
        log.replay(new PolicyPlayer(log.world().spec("name: linucb, model: shared"), 1), 1);
    assertTrue(replay.accepted() > 0, replay.toString());
  }

  @Test
  void aLogWithoutAColumnIsRejectedByName(@TempDir Path directory) throws IOException {
    Path log = directory.resolve("men.csv");
    Files.writeString(log, "item_id,click\n0,1\n");
    Files.copy(LOG.resolveSibling("item_context.csv"), directory.resolve("item_context.csv"));
    DistributionException e = assertThrows(DistributionException.class, () -> new OpenBandit(log));
    assertTrue(String.valueOf(e.getMessage()).contains("has no column position"), e.getMessage());
  }
}
