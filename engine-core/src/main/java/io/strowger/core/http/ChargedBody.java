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
  private static final long STEP_BYTES = 16 * 1024;

  /**
   * Each value of the document is charged at least this many bytes, since the tree of a body of
   * many small values needs several times the memory of the body.
   */
  private static final long BYTES_PER_VALUE = 16;

  private final InputStream body;
  private final Permit permit;
  private final boolean isStreaming;
  private long readBytes;
  private long chargedBytes;

  /**
   * Creates a body for a permit.
   *
   * @param isStreaming true when the reader does not keep the whole body in memory; then reading
   *     charges nothing, and the reader calls {@link #chargeHeld} for the bytes it holds
   */
  ChargedBody(InputStream body, Permit permit, boolean isStreaming) {
    this.body = body;
    this.permit = permit;
    this.isStreaming = isStreaming;
    this.chargedBytes = permit.bytes();
  }

  @Override
  public int read() throws IOException {
    int value = body.read();
    charge(value < 0 ? 0 : 1);
    return value;
  }

  @Override
  public int read(byte[] buffer, int offset, int length) throws IOException {
    int count = body.read(buffer, offset, length);
    charge(Math.max(0, count));
    return count;
  }

  /** Charges for this many bytes of the body that are held in memory at a time. */
  void chargeHeld(long bytes) {
    chargeUpTo(bytes);
  }

  private void charge(int count) {
    readBytes += count;
    if (!isStreaming && readBytes > chargedBytes) {
      chargeUpTo(Math.ceilDiv(readBytes, STEP_BYTES) * STEP_BYTES);
    }
  }

  /** Charges for the number of values that the document has so far. */
  void chargeValues(int count) {
    chargeUpTo(count * BYTES_PER_VALUE);
  }

  /** Charges for bytes that are needed in addition to the body, such as for decoding it. */
  void chargeExtra(long bytes) {
    chargeUpTo(readBytes + bytes);
  }

  private void chargeUpTo(long bytes) {
    if (bytes > chargedBytes) {
      permit.ensureBytes(bytes);
      chargedBytes = bytes;
    }
  }
}
