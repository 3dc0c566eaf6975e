package io.equipoise.causal;

import java.util.List;

/**
 * A set W that d-separates the reward from all features outside it.
 *
 * @param variables W, in name order
 * @param domainSize number of joint values of W; {@link Long#MAX_VALUE} if it exceeds a long
 * @param mediators Z, the members of W that are no features, in name order
 * @param mediatorDomainSize number of joint values of Z; 1 if Z is empty
 */
public record SeparatingSet(
    List<String> variables, long domainSize, List<String> mediators, long mediatorDomainSize) {
  public SeparatingSet {
    variables = List.copyOf(variables);
    mediators = List.copyOf(mediators);
  }
}
