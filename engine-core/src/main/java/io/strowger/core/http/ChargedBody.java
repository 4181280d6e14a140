package io.strowger.core.http;

import io.strowger.core.overload.Permit;
import java.io.IOException;
import java.io.InputStream;

/**
 * The body of a request whose bytes are charged to its permit: at once where its length was
 * declared, otherwise as they come. For the request's own thread.
 */
final class ChargedBody extends InputStream {
  /** A body of unknown length is charged in such steps. */
  private static final long STEP = 16 * 1024;

  /**
   * A value of the document is charged at least this many bytes of body: the tree of one that is
   * little but values takes several times its length.
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
   * @param passing what was read is not held: only {@link #holds} and {@link #values} are charged
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

  /** So many bytes of it are held at a time. */
  void holds(long bytes) {
    cover(bytes);
  }

  private void charge(int count) {
    read += count;
    if (!passing && read > covered) {
      cover(Math.ceilDiv(read, STEP) * STEP);
    }
  }

  /** The document has so many values so far. */
  void values(int count) {
    cover(count * BYTES_PER_VALUE);
  }

  /** What is made of the body takes so many bytes beside it. */
  void takes(long bytes) {
    cover(read + bytes);
  }

  private void cover(long bytes) {
    if (bytes > covered) {
      permit.cover(bytes);
      covered = bytes;
    }
  }
}
