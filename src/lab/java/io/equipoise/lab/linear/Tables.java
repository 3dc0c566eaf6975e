package io.equipoise.lab.linear;

import io.equipoise.lab.linear.FairLinUcbSetting.Order;
import io.equipoise.lab.linear.FairLinUcbSetting.Reward;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Lists the settings of the tables of Fair-LinUCB; each table has the adaptive gamma too. */
final class Tables {
  static final List<String> ALL = List.of("2", "3", "4", "order");

  /** The paper's gammas of Table 3. */
  static final double[] GAMMAS = {0, 1, 2, 3, 4};

  /** Male speakers among the videos of Table 4, the paper's 7:3, 1:1 and 3:7. */
  static final int[] MALE_ARMS = {70, 50, 30};

  /** The paper's choice of gamma. */
  static final double BEST = 3;

  private Tables() {}

  /** A setting in a table; the same run may be in several tables. */
  record Place(String table, FairLinUcbSetting setting) {}

  /** Returns the settings of a table, of all tables for null. */
  static List<Place> places(@Nullable String table) {
    List<Place> places = new ArrayList<>();
    for (String each : table == null ? ALL : List.of(table)) {
      settings(each).forEach(setting -> places.add(new Place(each, setting)));
    }
    return places;
  }

  private static Set<FairLinUcbSetting> settings(String table) {
    FairLinUcbSetting linUcb = FairLinUcbSetting.linUcb();
    FairLinUcbSetting best = FairLinUcbSetting.fair(BEST);
    FairLinUcbSetting adaptive = FairLinUcbSetting.adaptive();
    Set<FairLinUcbSetting> settings = new LinkedHashSet<>();
    switch (table) {
      case "2" -> {
        for (Reward reward : Reward.values()) {
          List.of(linUcb, best, adaptive).forEach(each -> settings.add(each.with(reward)));
        }
        settings.add(FairLinUcbSetting.naive());
      }
      case "3" -> {
        Arrays.stream(GAMMAS).mapToObj(FairLinUcbSetting::fair).forEach(settings::add);
        settings.add(adaptive);
      }
      case "4" -> {
        for (int arms : MALE_ARMS) {
          List.of(linUcb, best, adaptive).forEach(each -> settings.add(each.withMaleArms(arms)));
        }
      }
      case "order" -> {
        for (Order order : List.of(Order.FEMALES_FIRST, Order.MALES_FIRST)) {
          List.of(linUcb, best, best.resetting(), adaptive)
              .forEach(each -> settings.add(each.ordered(order)));
        }
      }
      default -> throw new IllegalArgumentException("table " + table + " is not one of " + ALL);
    }
    return settings;
  }
}
