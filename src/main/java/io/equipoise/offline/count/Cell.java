package io.equipoise.offline.count;

import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.api.java.tuple.Tuple5;

/**
 * Encodes a record of the counting job: (scope, code, count, place, fault). A cell has an empty
 * fault. A fault has the scope {@value #FAULT}, the index of its file as code, and its position in
 * the file.
 */
final class Cell {
  static final int FAULT = -1;

  /** The scope of a segment's {@link WriterEpochs}. */
  static final int WRITER_EPOCH = -2;

  static final TypeInformation<Tuple5<Integer, Long, Long, Long, String>> TYPE =
      Types.TUPLE(Types.INT, Types.LONG, Types.LONG, Types.LONG, Types.STRING);
  static final TypeInformation<Tuple2<Integer, Long>> KEY = Types.TUPLE(Types.INT, Types.LONG);

  private Cell() {}

  static Tuple5<Integer, Long, Long, Long, String> counted(int scope, long code, long count) {
    return Tuple5.of(scope, code, count, 0L, "");
  }

  static Tuple5<Integer, Long, Long, Long, String> fault(long file, long place, String what) {
    return Tuple5.of(FAULT, file, 1L, place, what);
  }

  static Tuple2<Integer, Long> key(Tuple5<Integer, Long, Long, Long, String> cell) {
    return Tuple2.of(cell.f0, cell.f1);
  }

  /** Adds counts; of two errors in a file keeps the first. */
  static Tuple5<Integer, Long, Long, Long, String> merged(
      Tuple5<Integer, Long, Long, Long, String> one,
      Tuple5<Integer, Long, Long, Long, String> other) {
    if (one.f0 == WRITER_EPOCH) {
      return WriterEpochs.merged(one, other);
    }
    Tuple5<Integer, Long, Long, Long, String> first = one.f3 <= other.f3 ? one : other;
    return Tuple5.of(one.f0, one.f1, one.f2 + other.f2, first.f3, first.f4);
  }
}
