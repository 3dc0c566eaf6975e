package io.equipoise.privacy;

import java.util.ArrayList;
import java.util.List;

/** Removes and restores sensitive features. */
final class RedactedFeatures {
  private RedactedFeatures() {}

  /** Returns features with placeholders, and writes the replaced values. */
  static List<Double> hide(List<Double> features, SensitivePlaces places, PartWriter out) {
    List<Double> shown = new ArrayList<>(features);
    List<Integer> hidden = new ArrayList<>();
    for (int place = 0; place < shown.size(); place++) {
      if (places.hides(place)) {
        hidden.add(place);
      }
    }
    out.put(hidden.size());
    for (int place : hidden) {
      out.put(place).put(features.get(place).doubleValue());
      shown.set(place, places.standIn(place));
    }
    return shown;
  }

  /** Returns the original features of {@link #hide}. */
  static List<Double> reveal(List<Double> shown, PartReader in) {
    List<Double> features = new ArrayList<>(shown);
    for (int left = in.count(); left > 0; left--) {
      int place = in.integer();
      if (place < 0 || place >= features.size()) {
        throw CiphertextException.forged("feature " + place + " of " + features.size());
      }
      features.set(place, in.real());
    }
    return features;
  }
}
