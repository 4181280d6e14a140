package io.strowger.plugins.contextcompression;

import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.Modality;
import io.strowger.spi.error.Failure;
import io.strowger.spi.error.FailureKind;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.Event;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.Message;
import io.strowger.spi.plugin.Interceptor;
import io.strowger.spi.provider.EventStream;
import io.strowger.spi.routing.TraceEntry;
import java.util.List;

/**
 * Shortens a conversation to what the endpoint accepts by leaving out its middle. A request that
 * cannot be made to fit is not sent; it fails as it would have failed at the endpoint.
 *
 * @param engine the method, as named in the trace; only {@code middle-out} exists
 */
record ContextCompression(String engine) implements Interceptor {
  /**
   * For a request without an output limit, the context length divided by this is reserved for the
   * answer.
   */
  private static final int OUTPUT_DIVISOR = 8;

  @Override
  public Scope scope() {
    return Scope.ATTEMPT;
  }

  @Override
  public EventStream intercept(InferenceRequest request, Chain chain) {
    Endpoint endpoint = chain.endpoint().orElseThrow();
    if (endpoint.outputModalities() == Modality.IMAGE.bit() || fits(request, endpoint, chain)) {
      return chain.proceed(request);
    }
    long maxTokens = maxPromptTokens(request, endpoint);
    int maxMessages = endpoint.maxMessages() > 0 ? endpoint.maxMessages() : Integer.MAX_VALUE;
    InferenceRequest shortened =
        new MiddleOut(chain::promptTokens, maxTokens, maxMessages).shorten(request);
    if (shortened == null) {
      return EventStream.of(
          List.of(Event.Failed.upstream(tooLongFailure(request, endpoint, chain))));
    }
    chain.recordStage(stage(request, shortened));
    return chain.proceed(shortened);
  }

  private static boolean fits(InferenceRequest request, Endpoint endpoint, Chain chain) {
    int maxMessages = endpoint.maxMessages();
    int context = endpoint.contextLength();
    return (maxMessages == 0 || request.messages().size() <= maxMessages)
        && (context == 0 || chain.promptTokens(request) + request.maxOutputTokens() <= context);
  }

  /** Returns the tokens a shortened prompt may have. */
  private static long maxPromptTokens(InferenceRequest request, Endpoint endpoint) {
    long context = endpoint.contextLength();
    if (context == 0) {
      return Long.MAX_VALUE;
    }
    int output = request.maxOutputTokens();
    return context - (output > 0 ? output : context / OUTPUT_DIVISOR);
  }

  private static Failure tooLongFailure(InferenceRequest request, Endpoint endpoint, Chain chain) {
    return Failure.of(
        FailureKind.CONTEXT_LENGTH,
        "The prompt has about "
            + chain.promptTokens(request)
            + " tokens in "
            + request.messages().size()
            + " messages. context-compression cannot make it fit "
            + limits(request, endpoint)
            + ": it never leaves out instructions, tools, the last user message or the last"
            + " message");
  }

  private static String limits(InferenceRequest request, Endpoint endpoint) {
    String messages = "a limit of " + endpoint.maxMessages() + " messages";
    if (endpoint.contextLength() == 0) {
      return messages;
    }
    int output = request.maxOutputTokens();
    String context =
        "a context of "
            + endpoint.contextLength()
            + " tokens"
            + (output == 0 ? "" : " with " + output + " of output");
    return endpoint.maxMessages() == 0 ? context : context + " and " + messages;
  }

  private TraceEntry.Stage stage(InferenceRequest before, InferenceRequest after) {
    int original = before.messages().size();
    int compressed = after.messages().size();
    Json.Obj data =
        Json.object()
            .put("engine", engine)
            .put("input_type", isPrompt(before) ? "prompt" : "messages")
            .put("original_count", original)
            .put("compressed_count", compressed)
            .build();
    String summary =
        compressed < original
            ? "left out " + (original - compressed) + " of " + original + " messages"
            : "left out the middle of a text";
    return new TraceEntry.Stage("context_compression", "context-compression", summary, data);
  }

  /** Returns whether the caller sent the whole conversation as one string. */
  private static boolean isPrompt(InferenceRequest request) {
    List<Message> messages = request.messages();
    return request.dialect() == Dialect.RESPONSES
        && messages.size() == 1
        && messages.getFirst().contentForm() == Message.ContentForm.STRING;
  }
}
