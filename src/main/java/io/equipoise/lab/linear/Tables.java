package io.equipoise.lab.linear;

import io.equipoise.lab.linear.Setting.Order;
import io.equipoise.lab.linear.Setting.Reward;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The settings that the tables of Fair-LinUCB compare, each table with the adaptive gamma too. */
final class Tables {
  static final List<String> ALL = List.of("2", "3", "4", "order");

  /** The paper's gammas of Table 3. */
  static final double[] GAMMAS = {0, 1, 2, 3, 4};

  /** Male speakers among the videos of Table 4, the paper's 7:3, 1:1 and 3:7. */
  static final int[] MALE_ARMS = {70, 50, 30};

  /** The gamma that the paper settles for. */
  static final double BEST = 3;

  private static final int ORDERED_MALE_ARMS = 70;

  private Tables() {}

  /** A setting in a table; the same run may be in several. */
  record Place(String table, Setting setting) {}

  /** Returns the settings of a table, or of all. */
  static List<Place> places(@Nullable String table) {
    List<Place> places = new ArrayList<>();
    for (String each : table == null ? ALL : List.of(table)) {
      settings(each).forEach(setting -> places.add(new Place(each, setting)));
    }
    return places;
  }

  private static Set<Setting> settings(String table) {
    return switch (table) {
      case "2" -> baselines();
      case "3" -> gammas();
      case "4" -> ratios();
      case "order" -> orders();
      default -> throw new IllegalArgumentException("table " + table + " is none of " + ALL);
    };
  }

  private static Set<Setting> baselines() {
    Set<Setting> settings = new LinkedHashSet<>();
    for (Reward reward : Reward.values()) {
      settings.add(Setting.linUcb().with(reward));
      settings.add(Setting.fair(BEST).with(reward));
      settings.add(Setting.adaptive().with(reward));
    }
    settings.add(Setting.naive());
    return settings;
  }

  private static Set<Setting> gammas() {
    Set<Setting> settings = new LinkedHashSet<>();
    for (double gamma : GAMMAS) {
      settings.add(Setting.fair(gamma));
    }
    settings.add(Setting.adaptive());
    return settings;
  }

  private static Set<Setting> ratios() {
    Set<Setting> settings = new LinkedHashSet<>();
    for (int maleArms : MALE_ARMS) {
      settings.add(Setting.linUcb().withMaleArms(maleArms));
      settings.add(Setting.fair(BEST).withMaleArms(maleArms));
      settings.add(Setting.adaptive().withMaleArms(maleArms));
    }
    return settings;
  }

  private static Set<Setting> orders() {
    Set<Setting> settings = new LinkedHashSet<>();
    for (Order order : List.of(Order.FEMALES_FIRST, Order.MALES_FIRST)) {
      for (Setting setting :
          List.of(
              Setting.linUcb(),
              Setting.fair(BEST),
              Setting.fair(BEST).resetting(),
              Setting.adaptive())) {
        settings.add(setting.withMaleArms(ORDERED_MALE_ARMS).with(order));
      }
    }
    return settings;
  }
}
