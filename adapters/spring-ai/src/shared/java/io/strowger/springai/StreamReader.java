package io.strowger.springai;

import io.strowger.core.client.ChatRequest;
import io.strowger.core.client.ChatStream;
import io.strowger.spi.error.GatewayException;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.Part;
import io.strowger.spi.provider.Cancellation;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.springframework.ai.chat.model.ChatResponse;
import reactor.core.publisher.Flux;
import reactor.core.publisher.SynchronousSink;
import reactor.core.scheduler.Schedulers;

/**
 * Reads one streamed answer as its subscriber asks for more. For one thread at a time. The request
 * is sent when the first response is asked for.
 */
final class StreamReader {
  private final ChatRequest request;
  private final Cancellation cancellation;
  private final StringBuilder reasoning = new StringBuilder();
  private @Nullable ChatStream stream;

  private StreamReader(ChatRequest request, Cancellation cancellation) {
    this.request = request;
    this.cancellation = cancellation;
  }

  /**
   * Returns the responses of one answer, read on threads of the executor. For one subscriber. When
   * it cancels, the upstream's answer ends, even while a thread waits for the next event.
   */
  static Flux<ChatResponse> read(ChatRequest request, Executor executor) {
    var cancellation = new Cancellation();
    request.cancelledBy(cancellation);
    return Flux.<ChatResponse, StreamReader>generate(
            () -> new StreamReader(request, cancellation), StreamReader::emit, StreamReader::close)
        .doOnCancel(() -> cancellation.cancel(Cancellation.Cause.CALLER_GONE))
        .subscribeOn(Schedulers.fromExecutor(executor));
  }

  /** Waits for one response, the end or an error, and emits it. */
  private StreamReader emit(SynchronousSink<ChatResponse> sink) {
    try {
      ChatStream openedStream = openStream();
      Event event = openedStream.next();
      ChatResponse response = null;
      while (event != null && response == null) {
        response = response(event, openedStream.id());
        event = response == null ? openedStream.next() : event;
      }
      if (response != null) {
        sink.next(response);
      } else if (cancellation.isCancelled()) {
        sink.complete(); // nobody listens
      } else {
        sink.next(ResponseReader.lastResponse(openedStream.answer()));
        sink.complete();
      }
    } catch (GatewayException failure) {
      if (cancellation.isCancelled()) {
        sink.complete();
      } else {
        sink.error(ErrorMapping.toSpringAi(failure));
      }
    }
    return this;
  }

  private ChatStream openStream() {
    ChatStream current = stream;
    if (current == null) {
      current = request.stream();
      stream = current;
    }
    return current;
  }

  /** Returns the response for an event; null when only the last response has its content. */
  private @Nullable ChatResponse response(Event event, String id) {
    return switch (event) {
      case Event.TextDelta delta when !delta.text().isEmpty() ->
          ResponseReader.textResponse(id, delta.text().text());
      case Event.ReasoningDelta delta when !delta.text().isEmpty() -> {
        reasoning.append(delta.text().text());
        yield ResponseReader.reasoningResponse(id, reasoning.toString());
      }
      case Event.CompleteAnswer complete -> completeResponse(complete, id);
      default -> null;
    };
  }

  /**
   * Returns the response for an answer that was not streamed, such as one from the cache; null when
   * the answer has no text.
   */
  private static @Nullable ChatResponse completeResponse(Event.CompleteAnswer complete, String id) {
    var text = new StringBuilder();
    for (Part part : complete.answer().parts()) {
      if (part instanceof Part.Text textPart) {
        text.append(textPart.text().text());
      }
    }
    return text.isEmpty() ? null : ResponseReader.textResponse(id, text.toString());
  }

  private void close() {
    ChatStream openedStream = stream;
    if (openedStream != null) {
      openedStream.close();
    }
  }
}
