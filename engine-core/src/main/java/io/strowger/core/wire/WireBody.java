package io.strowger.core.wire;

import io.strowger.spi.json.JsonOutput;
import java.io.IOException;
import java.io.OutputStream;

/**
 * The body of a response, pulled by the host: {@code try (WireBody body = response.body()) {
 * body.transferTo(out); }}
 *
 * <p>Until the body is closed, its request counts as in flight. The engine cannot end a write that
 * waits for a client, so a host must do it: after a time limit for writes, and soon after the
 * request's cancellation was tripped.
 */
public interface WireBody extends AutoCloseable {
  /**
   * Writes the next piece; waits until there is one. For one thread at a time.
   *
   * @return false when nothing is left and nothing was written
   * @throws TruncatedAnswerException when the answer breaks off and its format cannot carry an
   *     error: the host must cut the connection
   * @throws IOException only when the output throws it
   */
  boolean writeNext(OutputStream out) throws IOException;

  /**
   * Returns whether {@link #writeNext} would not wait. When it would wait, flush the output,
   * because the client waits for what was written.
   */
  boolean ready();

  /** Returns the total length in bytes, or -1 when it is not known before the first piece. */
  long length();

  /** Ends the request. Always call it; any thread may, any number of times. */
  @Override
  void close();

  /** Writes everything that is left and flushes whenever the next piece is not ready. */
  default void transferTo(OutputStream out) throws IOException {
    while (writeNext(out)) {
      if (!ready()) {
        out.flush();
      }
    }
  }

  /** Returns a body with these bytes, which are not copied. */
  static WireBody of(byte[] bytes) {
    return new WholeBody(bytes.length, out -> out.write(bytes));
  }

  /**
   * Returns a body with the content of a document, which is not copied.
   *
   * @param document complete, so that its length is known; must not be written to afterwards
   */
  static WireBody of(JsonOutput document) {
    return new WholeBody(document.length(), document::writeTo);
  }
}
