package io.strowger.servlet;

import java.io.IOException;
import java.io.InputStream;

/**
 * The body of a request. Converts unchecked exceptions of the container to {@link IOException}. For
 * one thread.
 */
final class RequestBody extends InputStream {
  private final InputStream body;
  private boolean ended;

  RequestBody(InputStream body) {
    this.body = body;
  }

  /** Returns whether nothing is left to read: the body is complete, or cannot be read. */
  boolean isEnded() {
    return ended;
  }

  @Override
  public int read() throws IOException {
    byte[] single = new byte[1];
    return read(single, 0, 1) < 0 ? -1 : single[0] & 0xff;
  }

  @Override
  public int read(byte[] buffer, int offset, int length) throws IOException {
    boolean succeeded = false;
    try {
      int count = body.read(buffer, offset, length);
      succeeded = count >= 0;
      return count;
    } catch (RuntimeException invalid) {
      throw new IOException("the body of the request is not valid HTTP", invalid);
    } finally {
      ended = !succeeded;
    }
  }
}
