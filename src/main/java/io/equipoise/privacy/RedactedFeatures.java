package io.equipoise.privacy;

import java.util.ArrayList;
import java.util.List;

/** Takes the sensitive ones out of features, and puts them back. */
final class RedactedFeatures {
  private RedactedFeatures() {}

  /** Returns features with stand-ins, and writes down what they stand for. */
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

  /** Returns the features that {@link #hide} was given. */
  static List<Double> reveal(List<Double> shown, PartReader in) {
    List<Double> features = new ArrayList<>(shown);
    for (int left = in.count(); left > 0; left--) {
      int place = in.integer();
      if (place < 0 || place >= features.size()) {
        throw CiphertextException.forged("a feature at " + place + " of " + features.size());
      }
      features.set(place, in.real());
    }
    return features;
  }
}
