package io.strowger.core.client;

import io.strowger.core.inference.Reply;
import io.strowger.spi.ambient.FairShare;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.error.GatewayException;
import io.strowger.spi.model.AnswerCollector;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.Event;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * A streamed answer, read while the model writes it. Its first content has arrived, so no other
 * endpoint can be tried any more: the answer is completed or fails.
 *
 * <p>Read it with {@link #text}, {@link #next} or both, and always close it. For one thread, except
 * {@link #close}, which any thread may call to end the answer.
 */
public final class ChatStream implements AutoCloseable {
  private final Reply.Answered reply;
  private final AnswerCollector collector = new AnswerCollector();

  ChatStream(Reply.Answered reply) {
    this.reply = reply;
  }

  /** Returns the generation id, {@code gen-...}. */
  public String id() {
    return reply.id();
  }

  /**
   * Returns the next event; waits until it arrives.
   *
   * @return null after the last event, and once the stream is closed
   * @throws GatewayException when the answer fails; earlier events were all returned
   */
  public @Nullable Event next() {
    Event event = reply.answer().next();
    if (event != null) {
      collector.add(event);
      if (event instanceof Event.Failed failed) {
        throw failed.error().toException();
      }
    }
    return event;
  }

  /**
   * Returns the text of the rest of the answer, piece by piece as it comes, without the reasoning.
   * May be iterated once; its iterator throws a {@link GatewayException} when the answer fails.
   */
  public Iterable<String> text() {
    return TextIterator::new;
  }

  private final class TextIterator implements Iterator<String> {
    private @Nullable String piece;

    @Override
    public boolean hasNext() {
      while (piece == null) {
        Event event = ChatStream.this.next();
        if (event == null) {
          return false;
        }
        piece = text(event);
      }
      return true;
    }

    @Override
    public String next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      String next = piece;
      piece = null;
      return next == null ? "" : next;
    }
  }

  private static @Nullable String text(Event event) {
    return switch (event) {
      case Event.TextDelta delta -> delta.text().text();
      case Event.CompleteAnswer completeAnswer -> text(completeAnswer);
      default -> null;
    };
  }

  private static @Nullable String text(Event.CompleteAnswer completeAnswer) {
    String text = ChatAnswer.text(completeAnswer.answer().parts());
    return text.isEmpty() ? null : text;
  }

  /**
   * Reads the rest and returns the whole answer, including the events that were read before.
   *
   * @throws GatewayException when the answer fails, or when the stream was closed before its end
   */
  public ChatAnswer answer() {
    var share = new FairShare(FairShare.EVENTS);
    while (next() != null) {
      share.advance(1);
    }
    if (!collector.isEnded()) {
      throw GatewayError.of(ErrorCode.PROVIDER_ERROR, "The answer was not read to its end")
          .toException();
    }
    return new ChatAnswer(
        reply.id(), collector.answer(Dialect.CHAT), reply.answer().bill(), reply.delivery());
  }

  /** Closes the stream and cancels an answer that has not ended. Idempotent. */
  @Override
  public void close() {
    reply.answer().close();
  }
}
