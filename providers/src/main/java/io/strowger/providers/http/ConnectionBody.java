package io.strowger.providers.http;

import java.io.IOException;
import java.io.InputStream;
import org.apache.hc.core5.http.ConnectionClosedException;

/** The body of one response, on its connection. For one thread. */
interface ConnectionBody {

  /** Returns whether the whole body was read, so that later bytes do not belong to it. */
  boolean isEnded();

  /** Returns the number of bytes that can be read without waiting; 0 also at the end. */
  int available();

  /** Reads bytes like {@link InputStream#read(byte[], int, int)}. */
  int read(byte[] into, int offset, int length) throws IOException;

  /** A body with a known length. */
  final class OfLength implements ConnectionBody {
    private final InputBuffer buffer;
    private long remaining;

    OfLength(InputBuffer buffer, long length) {
      this.buffer = buffer;
      this.remaining = length;
    }

    @Override
    public boolean isEnded() {
      return remaining == 0;
    }

    @Override
    public int available() {
      return (int) Math.min(remaining, buffer.length());
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
      if (length == 0) {
        return 0;
      }
      if (remaining == 0) {
        return -1;
      }
      int read = buffer.read(into, offset, (int) Math.min(remaining, length));
      if (read < 0) {
        throw new ConnectionClosedException(
            "closed inside the body, " + remaining + " bytes early");
      }
      remaining -= read;
      return read;
    }
  }

  /** A body that ends when the connection closes. */
  final class OfConnection implements ConnectionBody {
    private final InputBuffer buffer;

    OfConnection(InputBuffer buffer) {
      this.buffer = buffer;
    }

    @Override
    public boolean isEnded() {
      return buffer.isEnded();
    }

    @Override
    public int available() {
      return buffer.length();
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
      return length == 0 ? 0 : buffer.read(into, offset, length);
    }
  }
}
