package io.strowger.core.dialect;

import io.strowger.core.inference.GatewayEnding;
import io.strowger.core.inference.Reply;
import io.strowger.spi.ambient.FairShare;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.json.JsonOutput;
import io.strowger.spi.model.Event;
import java.io.IOException;
import java.io.OutputStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes an answer of any dialect as server-sent events, and pulls its events one at a time. The
 * stream ends exactly once; an answer that stops without a terminal event, or an event that cannot
 * be written, ends it with an error. Pulled by one thread; {@link #close()} may be called from any.
 */
public final class AnswerStream implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(AnswerStream.class);

  private final Reply.Answered reply;
  private final EventWriter writer;
  private final JsonOutput out = JsonOutput.withReferences(1024);
  private final FairShare fairShare = new FairShare(FairShare.EVENTS);
  private volatile boolean ended;

  public AnswerStream(Reply.Answered reply, EventWriter writer) {
    this.reply = reply;
    this.writer = writer;
  }

  /**
   * Waits for the next event that has output, and writes it.
   *
   * @return false when the stream is over and nothing was written
   */
  public boolean writeNext(OutputStream to) throws IOException {
    out.reset();
    while (out.length() == 0) {
      if (ended) {
        return false;
      }
      step();
    }
    out.writeTo(to);
    return true;
  }

  /** Returns whether {@link #writeNext} can proceed without waiting. */
  public boolean ready() {
    return ended || reply.answer().ready();
  }

  @Override
  public void close() {
    ended = true;
    reply.answer().close();
  }

  private void step() {
    fairShare.advance(1);
    try {
      Event event = reply.answer().next();
      if (event != null) {
        writer.write(event, out);
        if (event.isTerminal()) { // else unchanged: close may have set it in the meantime
          ended = true;
        }
      } else if (!ended) { // not closed by the reader: the gateway gave up the answer
        endWithError(GatewayEnding.GIVEN_UP);
      }
    } catch (RuntimeException bug) {
      log.error("writing the answer of request {} failed", reply.id(), bug);
      out.reset(); // discards a half-written event
      endWithError(GatewayError.of(ErrorCode.INTERNAL));
    }
  }

  private void endWithError(GatewayError error) {
    ended = true;
    writer.write(new Event.Failed(error, null), out);
  }
}
