package io.equipoise.causal;

import java.util.List;

/**
 * A set W that shields the reward from all features outside it.
 *
 * @param variables W, in name order
 * @param domainSize how many joint values W takes; {@link Long#MAX_VALUE} if they don't fit a long
 * @param mediators Z, the members of W that are no features, in name order
 * @param mediatorDomainSize how many joint values Z takes; 1 if Z is empty
 */
public record SeparatingSet(
    List<String> variables, long domainSize, List<String> mediators, long mediatorDomainSize) {
  public SeparatingSet {
    variables = List.copyOf(variables);
    mediators = List.copyOf(mediators);
  }
}
