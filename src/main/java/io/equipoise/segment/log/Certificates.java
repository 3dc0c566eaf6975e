package io.equipoise.segment.log;

import io.equipoise.event.Account;
import io.equipoise.event.ArmCertificate;
import io.equipoise.event.CertificateStatus;
import io.equipoise.policy.CertificateOutlook;
import io.equipoise.policy.SegmentTraffic;
import io.equipoise.policy.SegmentTraffic.ArmTraffic;
import io.equipoise.segment.state.CompiledSpec;
import io.equipoise.segment.state.SegmentContext;
import io.equipoise.segment.state.SegmentHeader;
import io.equipoise.segment.state.SegmentState;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Lists what the arms of a segment lack to be certified, the most urgent first. */
final class Certificates {
  /** Maximum number of entries in a snapshot. */
  static final int MOST = 64;

  /** Maximum bytes: a quarter of what topics take beyond a record of the inputs. */
  static final int MOST_BYTES = 16 << 10;

  /** Bytes that Avro adds to two names: their lengths, a status, two numbers and a flag. */
  private static final int BYTES_BESIDE_NAMES = 26;

  private Certificates() {}

  static List<ArmCertificate> of(SegmentContext segmentContext, CompiledSpec spec) {
    SegmentHeader head = segmentContext.head;
    SegmentState state = segmentContext.state;
    SegmentTraffic traffic = traffic(head, spec);
    List<CertificateOutlook> outlooks =
        new ArrayList<>(
            segmentContext.ofPolicy(() -> spec.policy().outlook(state.blocks(), traffic)));
    outlooks.sort(
        Comparator.comparing(CertificateOutlook::isLockedIn, Comparator.reverseOrder())
            .thenComparing(it -> it.status() != CertificateStatus.OPEN)
            .thenComparing(it -> urgency(it, traffic.answered()), Comparator.reverseOrder()));
    List<ArmCertificate> certificates = new ArrayList<>();
    int bytes = 0;
    for (CertificateOutlook outlook : outlooks.subList(0, Math.min(MOST, outlooks.size()))) {
      ArmCertificate certificate = certificate(outlook, spec);
      bytes += BYTES_BESIDE_NAMES + bytes(certificate.arm()) + bytes(certificate.attribute());
      if (bytes > MOST_BYTES) {
        break;
      }
      certificates.add(certificate);
    }
    return certificates;
  }

  private static int bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }

  private static ArmCertificate certificate(CertificateOutlook outlook, CompiledSpec spec) {
    return new ArmCertificate(
        spec.armIds().get(outlook.arm()),
        spec.intersections().name(outlook.attribute()),
        outlook.status(),
        outlook.rewards(),
        outlook.share(),
        outlook.isLockedIn());
  }

  private static double urgency(CertificateOutlook outlook, double answered) {
    return outlook.rewards() == null ? 0 : outlook.decisions(answered);
  }

  private static SegmentTraffic traffic(SegmentHeader head, CompiledSpec spec) {
    List<ArmTraffic> arms =
        spec.armIds().stream().map(head::find).map(position -> traffic(head, position)).toList();
    long decisions = head.armDecisions.stream().mapToLong(Long::longValue).sum();
    long pending = head.ledgers.get(Account.DECISION_AWAITING);
    double closed = Math.max(1, head.ledgers.get(Account.CONTEXT_DECIDED) - pending);
    long unanswered =
        head.ledgers.get(Account.DECISION_EVICTED)
            + head.ledgers.get(Account.DECISION_CLOSED_NOT_LEARNABLE)
            + (spec.byDefault() == null ? head.ledgers.get(Account.DECISION_TIMED_OUT) : 0);
    double answered = Math.max(0, 1 - unanswered / closed);
    return new SegmentTraffic(arms, head.arms.size(), decisions, answered, head.audit);
  }

  private static ArmTraffic traffic(SegmentHeader head, int position) {
    return position < 0
        ? new ArmTraffic(position, 0, 0)
        : new ArmTraffic(position, head.armDecisions.get(position), head.recent.share(position));
  }
}
