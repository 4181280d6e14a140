package io.strowger.core.wire;

import io.strowger.spi.json.JsonOutput;
import java.io.IOException;
import java.io.OutputStream;

/**
 * The body of a response, pulled by the host: {@code try (WireBody body = response.body()) {
 * body.transferTo(out); }}
 *
 * <p>Until it is closed its request keeps its place among those in flight. The engine cannot end a
 * write that waits for a client, so a host must: with a time limit for writes, and soon after the
 * request's cancellation was tripped.
 */
public interface WireBody extends AutoCloseable {
  /**
   * Writes the next piece; waits for it. One thread at a time.
   *
   * @return false when nothing is left and nothing was written
   * @throws TruncatedAnswerException when the answer breaks off and its form has no words for that:
   *     the connection must be cut
   * @throws IOException what the output throws, and nothing else
   */
  boolean writeNext(OutputStream out) throws IOException;

  /**
   * True when {@link #writeNext} would not wait. Flush when it is false: somebody is waiting for
   * what was written.
   */
  boolean ready();

  /** Bytes in all when that is known before the first piece, otherwise -1. */
  long length();

  /** Ends the request behind it; always call it. Any thread, any number of times. */
  @Override
  void close();

  /** Writes everything that is left, flushing whenever somebody is waiting for what was written. */
  default void transferTo(OutputStream out) throws IOException {
    while (writeNext(out)) {
      if (!ready()) {
        out.flush();
      }
    }
  }

  /** A body that is already there. */
  static WireBody of(byte[] bytes) {
    return new WholeBody(bytes.length, out -> out.write(bytes));
  }

  /**
   * A body that is already there, and is not copied.
   *
   * @param document copied everything that was put into it, so that its length is known; nobody
   *     writes to it any more
   */
  static WireBody of(JsonOutput document) {
    return new WholeBody(document.length(), document::writeTo);
  }
}
