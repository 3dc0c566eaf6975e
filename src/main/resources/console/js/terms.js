// What the words of the console mean. Each is shown where the word appears.

export const TERMS = {
  certified: 'Share of decisions that were certified fair: the whole interval of their effect lies within the limit.',
  unfair: 'Decisions with an effect whose whole interval is beyond the limit. "By estimate" counts those whose estimate is beyond it: with few rewards, most of them are chance.',
  fallback: 'Share of decisions for which no arm met the fairness constraint, so that the policy played the arm that the spec names for this case.',
  gap: 'Largest difference between the mean rewards of two groups of one sensitive attribute.',
  meanReward: 'Mean of the rewards that arrived in the time shown.',
  decisionRate: 'Decisions a second, over the newest full interval of time.',
  deadLetters: 'Inputs that could not be used. Each is on the topic dead-letter, with its bytes, the reason and the fix.',
  spec: 'Version of the segment spec that the segment uses now.',
  attention: 'Marks that call for a person: effects beyond the limit, refuted assumptions, many fallbacks, many dead letters, or silence.',
  effect: 'How much the expected reward of this arm would change if the sensitive attribute were different. Counterfactual minus actual. The kind of the effect says what else changes.',
  interval: 'Range in which the true effect lies with the stated confidence.',
  limit: 'tau of the spec: the largest effect that counts as fair.',
  verdict: 'What the interval says about the limit: certified fair if all of it is within, unfair if all of it is beyond.',
  overlap: 'Whether the traffic contains people to compare with. Where it does not, more of the same traffic decides nothing.',
  groups: 'Mean reward of the people of each group. Groups may differ for reasons other than the arm; the effect above separates these.',
  share: 'Part of the decisions that chose this arm.',
  exploration: 'Share of decisions that tried an arm in order to learn.',
  dual: 'Price that the policy puts on the fairness constraint. At 0 the constraint costs nothing now.',
  graph: 'Who causes whom, as the spec declares it. Effects are computed from this graph.',
  bounds: 'Limits of the mean reward of an arm, derived from earlier logs and the graph.',
  propensity: 'Probability with which the policy chose this arm for this person.',
  index: 'Value by which the policy ranks arms: the mean, plus a margin for what is not known yet.',
  latency: 'Time from the append of a context to its committed decision.',
  lag: 'Contexts on the topic that have no decision yet.',
  checkpoint: 'Time since the newest finished checkpoint. Decisions are committed with checkpoints under exactly-once delivery.',
  restarts: 'How often the job restarted.',
  certificate: 'What is known about one arm over all people of the segment: FAIR, UNFAIR, or still OPEN.',
  lockedIn: 'This arm may pay more, but the policy plays it too rarely for a certificate to arrive, and nothing will bring it back.',
  assumption: 'A statement of the spec on which certificates rest. Rewards test some of them.',
  guarantee: 'How strong the interval is: at all times at once, measured, for each round, or none.',
  stage: 'A best-arm experiment plays arms in phases and drops arms at the end of each.'
};

export const VERDICTS = ['CERTIFIED_FAIR', 'FAIR', 'UNCERTAIN', 'NO_OVERLAP', 'NOT_IDENTIFIED', 'UNFAIR'];

export const VERDICT_TEXT = {
  CERTIFIED_FAIR: { name: 'Certified fair', text: 'The whole interval is within the limit.' },
  FAIR: { name: 'Fair by estimate', text: 'The estimate is within the limit, the interval is not. This is no certificate.' },
  UNCERTAIN: { name: 'Uncertain', text: 'The interval is too wide to decide.' },
  NO_OVERLAP: { name: 'No overlap', text: 'At least half of the interval comes from people whom the traffic does not contain.' },
  NOT_IDENTIFIED: { name: 'Not identified', text: 'No data can decide, because this person does not disclose what the effect depends on.' },
  UNFAIR: { name: 'Unfair', text: 'The whole interval is beyond the limit.' }
};

export const verdictName = (verdict) => VERDICT_TEXT[verdict]?.name ?? 'Unknown';
