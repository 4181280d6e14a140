package io.strowger.core.http;

import io.strowger.core.overload.Permit;
import java.io.IOException;
import java.io.InputStream;

/**
 * The body of a request whose bytes are charged to its permit: at once when its length was
 * declared, otherwise as they arrive. Confined to the request's own thread.
 */
final class ChargedBody extends InputStream {
  /** A body of unknown length is charged in steps of this many bytes. */
  private static final long STEP = 16 * 1024;

  /**
   * Each value of the document is charged at least this many bytes, since the tree of a body of
   * many small values needs several times the memory of the body.
   */
  private static final long BYTES_PER_VALUE = 16;

  private final InputStream body;
  private final Permit permit;
  private final boolean passing;
  private long read;
  private long covered;

  ChargedBody(InputStream body, Permit permit) {
    this(body, permit, false);
  }

  /**
   * Creates a body for a permit.
   *
   * @param passing whether the bytes that are read are not kept; then only {@link #chargeHeld} and
   *     {@link #chargeValues} charge
   */
  ChargedBody(InputStream body, Permit permit, boolean passing) {
    this.body = body;
    this.permit = permit;
    this.passing = passing;
    this.covered = permit.bytes();
  }

  @Override
  public int read() throws IOException {
    int one = body.read();
    charge(one < 0 ? 0 : 1);
    return one;
  }

  @Override
  public int read(byte[] into, int from, int length) throws IOException {
    int count = body.read(into, from, length);
    charge(Math.max(0, count));
    return count;
  }

  /** Charges for this many bytes of the body that are held in memory at a time. */
  void chargeHeld(long bytes) {
    cover(bytes);
  }

  private void charge(int count) {
    read += count;
    if (!passing && read > covered) {
      cover(Math.ceilDiv(read, STEP) * STEP);
    }
  }

  /** Charges for the number of values that the document has so far. */
  void chargeValues(int count) {
    cover(count * BYTES_PER_VALUE);
  }

  /** Charges for bytes that are needed in addition to the body, such as for decoding it. */
  void chargeExtra(long bytes) {
    cover(read + bytes);
  }

  private void cover(long bytes) {
    if (bytes > covered) {
      permit.ensureBytes(bytes);
      covered = bytes;
    }
  }
}
