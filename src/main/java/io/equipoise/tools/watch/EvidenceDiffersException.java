package io.equipoise.tools.watch;

import io.equipoise.event.WatchEvidence;
import io.equipoise.event.WatchRecord;

/**
 * Reports that the topic has other evidence than the log gives for the same registration and rows.
 */
final class EvidenceDiffersException extends RuntimeException {
  static final String CODE = "EVIDENCE_DIFFERS";

  private static final long serialVersionUID = 1L;

  EvidenceDiffersException(WatchRecord computed, WatchEvidence written) {
    super(line(computed, written));
  }

  /** Returns one line: place, both records, causes. */
  static String line(WatchRecord computed, WatchEvidence written) {
    return "%s: registration %s of segment %s, %d rows: the topic has %s, the log gives %s; another build or other options of privacy wrote it, or the log was changed"
        .formatted(
            CODE, computed.id(), computed.segment(), written.rows(), written, computed.evidence());
  }
}
