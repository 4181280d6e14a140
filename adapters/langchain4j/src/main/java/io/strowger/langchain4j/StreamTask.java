package io.strowger.langchain4j;

import static dev.langchain4j.internal.InternalStreamingChatResponseHandlerUtils.onCompleteResponse;
import static dev.langchain4j.internal.InternalStreamingChatResponseHandlerUtils.onCompleteToolCall;
import static dev.langchain4j.internal.InternalStreamingChatResponseHandlerUtils.onPartialResponse;
import static dev.langchain4j.internal.InternalStreamingChatResponseHandlerUtils.onPartialThinking;
import static dev.langchain4j.internal.InternalStreamingChatResponseHandlerUtils.onPartialToolCall;
import static dev.langchain4j.internal.InternalStreamingChatResponseHandlerUtils.withLoggingExceptions;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.exception.LangChain4jException;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.chat.response.CompleteToolCall;
import dev.langchain4j.model.chat.response.PartialToolCall;
import dev.langchain4j.model.chat.response.StreamingChatResponseHandler;
import dev.langchain4j.model.chat.response.StreamingHandle;
import io.strowger.core.client.ChatRequest;
import io.strowger.core.client.ChatStream;
import io.strowger.spi.error.GatewayException;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.Part;
import io.strowger.spi.provider.Cancellation;
import org.jspecify.annotations.Nullable;

/** Reads one streamed answer and passes it to a handler. Runs once. */
final class StreamTask implements Runnable {
  private final ChatRequest request;
  private final StreamingChatResponseHandler handler;
  private final Cancellation cancellation = new Cancellation();
  private final StreamingHandle handle = new Handle(cancellation);
  private @Nullable OpenCall openCall;

  StreamTask(ChatRequest request, StreamingChatResponseHandler handler) {
    this.request = request.cancelledBy(cancellation);
    this.handler = handler;
  }

  private record Handle(Cancellation cancellation) implements StreamingHandle {
    @Override
    public void cancel() {
      cancellation.cancel(Cancellation.Cause.CALLER_GONE);
    }

    @Override
    public boolean isCancelled() {
      return cancellation.isCancelled();
    }
  }

  /** A tool call that may still be incomplete. */
  private static final class OpenCall {
    private final int index;
    private String id;
    private String name;
    private final StringBuilder arguments = new StringBuilder();

    OpenCall(int index, String id, String name) {
      this.index = index;
      this.id = id;
      this.name = name;
    }
  }

  @Override
  public void run() {
    try (ChatStream stream = request.stream()) {
      Event event = stream.next();
      while (event != null && !cancellation.isCancelled()) {
        deliver(event);
        event = stream.next();
      }
      if (!cancellation.isCancelled()) {
        completeCall();
        ChatResponse response = ResponseReader.response(stream.answer());
        if (!cancellation.isCancelled()) {
          onCompleteResponse(handler, response);
        }
      }
    } catch (GatewayException failure) {
      fail(ErrorMapping.toLangChain4j(failure));
    } catch (LangChain4jException failure) {
      fail(failure);
    } catch (RuntimeException bug) {
      fail(bug);
    }
  }

  private void fail(RuntimeException failure) {
    if (!cancellation.isCancelled()) { // nothing is called after a cancellation
      withLoggingExceptions(() -> handler.onError(failure));
    }
  }

  private void deliver(Event event) {
    switch (event) {
      case Event.TextDelta delta -> onPartialResponse(handler, delta.text().text(), handle);
      case Event.ReasoningDelta delta -> onPartialThinking(handler, delta.text().text(), handle);
      case Event.ToolCallDelta delta -> deliver(delta);
      case Event.CompleteAnswer complete -> complete.answer().parts().forEach(this::deliver);
      default -> {} // the complete response has everything else
    }
  }

  /** Delivers a part of an answer that was not streamed, such as one from the cache. */
  private void deliver(Part part) {
    if (cancellation.isCancelled()) {
      return;
    }
    switch (part) {
      case Part.Text text -> onPartialResponse(handler, text.text().text(), handle);
      case Part.Thinking thinking when thinking.kind() != Part.Thinking.Kind.ENCRYPTED ->
          onPartialThinking(handler, thinking.text().text(), handle);
      case Part.ToolCall complete -> {
        int index = openCall == null ? 0 : openCall.index + 1;
        completeCall();
        openCall = new OpenCall(index, complete.id(), complete.name());
        openCall.arguments.append(complete.arguments().text());
      }
      default -> {}
    }
  }

  private void deliver(Event.ToolCallDelta delta) {
    OpenCall current = openCall;
    if (current == null || current.index != delta.index()) {
      completeCall();
      current = new OpenCall(delta.index(), "", "");
      openCall = current;
    }
    current.id = delta.id() == null ? current.id : delta.id();
    current.name = delta.name() == null ? current.name : delta.name();
    String piece = delta.arguments().text();
    current.arguments.append(piece);
    if (!piece.isEmpty()) {
      PartialToolCall partial =
          PartialToolCall.builder()
              .index(current.index)
              .id(current.id)
              .name(current.name)
              .partialArguments(piece)
              .build();
      onPartialToolCall(handler, partial, handle);
    }
  }

  private void completeCall() {
    OpenCall current = openCall;
    openCall = null;
    if (current != null && !cancellation.isCancelled()) {
      ToolExecutionRequest toolRequest =
          ToolExecutionRequest.builder()
              .id(current.id)
              .name(current.name)
              .arguments(current.arguments.toString())
              .build();
      onCompleteToolCall(handler, new CompleteToolCall(current.index, toolRequest));
    }
  }
}
