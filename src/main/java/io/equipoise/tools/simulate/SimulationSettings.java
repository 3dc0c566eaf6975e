package io.equipoise.tools.simulate;

/**
 * Sets the length and the timing of a run, equal for all specs that are compared.
 *
 * @param decisions at least 1
 * @param points at how many decision counts the curves are recorded, evenly spaced, at least 1
 * @param perSecond decisions per second of event time; above 0
 * @param delaySeconds mean delay of a reward, exponential; 0 for none
 * @param answered the share of decisions whose reward is sent; 0 to 1
 */
public record SimulationSettings(
    int decisions, int points, double perSecond, double delaySeconds, double answered) {
  /** Checks the ranges. */
  public SimulationSettings {
    if (decisions < 1 || points < 1) {
      throw new IllegalArgumentException("decisions and points must be at least 1");
    }
    if (!(perSecond > 0) || !(delaySeconds >= 0) || !(answered >= 0 && answered <= 1)) {
      throw new IllegalArgumentException(
          "a rate above 0, a delay of at least 0 and a share from 0 to 1 are required");
    }
    points = Math.min(points, decisions);
  }

  /** Returns settings with one decision per second and rewards at once. */
  public static SimulationSettings of(int decisions) {
    return new SimulationSettings(decisions, 50, 1, 0, 1);
  }

  /** Returns the number of decisions up to a point, the first point being 0. */
  public int at(int point) {
    return (int) ((long) decisions * (point + 1) / points);
  }
}
