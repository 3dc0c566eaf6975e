package io.equipoise.join;

import io.equipoise.event.DeadLetter;
import io.equipoise.event.Decision;
import io.equipoise.event.FairnessAudit;
import io.equipoise.event.Outcome;
import io.equipoise.event.SegmentMetrics;

/** Takes records that nobody wants: a replay writes none. */
enum Silence implements OutputLog {
  LOG;

  @Override
  public void decision(Decision decision) {}

  @Override
  public void audit(FairnessAudit audit) {}

  @Override
  public void outcome(Outcome outcome) {}

  @Override
  public void metrics(SegmentMetrics metrics) {}

  @Override
  public void deadLetter(DeadLetter letter) {}
}
