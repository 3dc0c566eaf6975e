package io.equipoise.lab.linear;

import io.equipoise.lab.linear.FairLinUcbSetting.Order;
import io.equipoise.lab.linear.FairLinUcbSetting.Reward;
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
  record Place(String table, FairLinUcbSetting setting) {}

  /** Returns the settings of a table, or of all. */
  static List<Place> places(@Nullable String table) {
    List<Place> places = new ArrayList<>();
    for (String each : table == null ? ALL : List.of(table)) {
      settings(each).forEach(fairLinUcbSetting -> places.add(new Place(each, fairLinUcbSetting)));
    }
    return places;
  }

  private static Set<FairLinUcbSetting> settings(String table) {
    return switch (table) {
      case "2" -> baselines();
      case "3" -> gammas();
      case "4" -> ratios();
      case "order" -> orders();
      default -> throw new IllegalArgumentException("table " + table + " is none of " + ALL);
    };
  }

  private static Set<FairLinUcbSetting> baselines() {
    Set<FairLinUcbSetting> settings = new LinkedHashSet<>();
    for (Reward reward : Reward.values()) {
      settings.add(FairLinUcbSetting.linUcb().with(reward));
      settings.add(FairLinUcbSetting.fair(BEST).with(reward));
      settings.add(FairLinUcbSetting.adaptive().with(reward));
    }
    settings.add(FairLinUcbSetting.naive());
    return settings;
  }

  private static Set<FairLinUcbSetting> gammas() {
    Set<FairLinUcbSetting> settings = new LinkedHashSet<>();
    for (double gamma : GAMMAS) {
      settings.add(FairLinUcbSetting.fair(gamma));
    }
    settings.add(FairLinUcbSetting.adaptive());
    return settings;
  }

  private static Set<FairLinUcbSetting> ratios() {
    Set<FairLinUcbSetting> settings = new LinkedHashSet<>();
    for (int maleArms : MALE_ARMS) {
      settings.add(FairLinUcbSetting.linUcb().withMaleArms(maleArms));
      settings.add(FairLinUcbSetting.fair(BEST).withMaleArms(maleArms));
      settings.add(FairLinUcbSetting.adaptive().withMaleArms(maleArms));
    }
    return settings;
  }

  private static Set<FairLinUcbSetting> orders() {
    Set<FairLinUcbSetting> settings = new LinkedHashSet<>();
    for (Order order : List.of(Order.FEMALES_FIRST, Order.MALES_FIRST)) {
      for (FairLinUcbSetting fairLinUcbSetting :
          List.of(
              FairLinUcbSetting.linUcb(),
              FairLinUcbSetting.fair(BEST),
              FairLinUcbSetting.fair(BEST).resetting(),
              FairLinUcbSetting.adaptive())) {
        settings.add(fairLinUcbSetting.withMaleArms(ORDERED_MALE_ARMS).with(order));
      }
    }
    return settings;
  }
}
