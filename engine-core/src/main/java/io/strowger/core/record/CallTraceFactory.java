package io.strowger.core.record;

import io.strowger.core.authentication.Caller;
import io.strowger.core.cache.CachedAnswer;
import io.strowger.core.destination.CallContent;
import io.strowger.core.destination.Digests;
import io.strowger.core.record.GenerationRow.Finish;
import io.strowger.core.routing.PlannedAttempt;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.ShortText;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.Message;
import io.strowger.spi.model.Part;
import io.strowger.spi.model.RequestOrigin;
import io.strowger.spi.model.Usage;
import io.strowger.spi.observe.CallRecord;
import io.strowger.spi.observe.CallTrace;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Creates the complete call trace of a finished request; each destination is sent the part it may
 * see. Resources fact sheet, section 5.
 */
public final class CallTraceFactory {
  /** The most characters of the caller's name for its user. Resources fact sheet, section 5. */
  private static final int USER_CHARS = 128;

  /** The most characters of a name or an id that a caller gives. */
  private static final int NAME_CHARS = 256;

  /** The longest body that is kept whole until its call is delivered, in bytes. */
  private static final int MAX_KEPT_BYTES = 16 << 10;

  /** The approximate memory of a body with the values read from it, in bytes per byte of body. */
  private static final int MEMORY_PER_BYTE = 4;

  private static final int STATUS_OK = 200;

  /** Members of {@code trace} with a meaning; all others are the caller's own. */
  private static final Set<String> RESERVED_MEMBERS =
      Set.of("trace_id", "trace_name", "span_name", "generation_name", "parent_span_id");

  private CallTraceFactory() {}

  /** Returns the trace without its content. */
  public static CallTrace of(FinishedRequest finishedRequest, FinishedRequest.Ending ending) {
    Usage usage = Usage.NONE;
    Usd cost = Usd.ZERO;
    for (CallRecord.BillLine billLine : finishedRequest.billLines()) {
      usage = usage.plus(billLine.usage());
      cost = cost.plus(billLine.cost());
    }
    InferenceRequest request = finishedRequest.receivedRequest();
    CallTrace.Model model = model(finishedRequest, ending);
    return new CallTrace(
        finishedRequest.id(),
        span(finishedRequest, model),
        result(finishedRequest, ending),
        model,
        usage,
        cost,
        new CallTrace.Sender(truncate(request.user(), USER_CHARS), request.sessionId()),
        new CallTrace.Details(identity(finishedRequest.caller()), context(request.origin()), null));
  }

  private static CallTrace.Model model(
      FinishedRequest finishedRequest, FinishedRequest.Ending ending) {
    CachedAnswer cachedAnswer = ending.cachedAnswer();
    PlannedAttempt candidate = finishedRequest.answeringCandidate();
    Endpoint endpoint =
        cachedAnswer != null
            ? cachedAnswer.endpoint()
            : candidate == null || ending.refused() ? null : candidate.endpoint();
    String requested = finishedRequest.requestedModel();
    InferenceRequest request = finishedRequest.receivedRequest();
    return new CallTrace.Model(
        requested,
        endpoint == null ? requested : endpoint.model(),
        endpoint == null ? null : endpoint.provider().name(),
        request.kind().name().toLowerCase(Locale.ROOT),
        request.streaming());
  }

  private static CallTrace.Span span(FinishedRequest finishedRequest, CallTrace.Model model) {
    Json.Obj traceMembers =
        finishedRequest.receivedRequest().members().get("trace") instanceof Json.Obj trace
            ? trace
            : Json.Obj.EMPTY;
    String name = text(traceMembers, "generation_name");
    return new CallTrace.Span(
        Digests.traceId(text(traceMembers, "trace_id"), finishedRequest.id()),
        Digests.spanId(finishedRequest.id()),
        Digests.parentSpanId(text(traceMembers, "parent_span_id")),
        name == null ? model.id() : name,
        text(traceMembers, "trace_name"),
        text(traceMembers, "span_name"),
        customMembers(traceMembers));
  }

  private static Json.Obj customMembers(Json.Obj traceMembers) {
    if (traceMembers.size() == 0) {
      return Json.Obj.EMPTY;
    }
    Json.Obj.Builder custom = Json.object();
    for (int i = 0; i < traceMembers.size(); i++) {
      if (!RESERVED_MEMBERS.contains(traceMembers.name(i))) {
        custom.put(traceMembers.name(i), traceMembers.value(i));
      }
    }
    return custom.build().detached();
  }

  private static @Nullable String text(Json.Obj traceMembers, String name) {
    String text = traceMembers.text(name);
    return text == null || text.isEmpty() ? null : truncate(text, NAME_CHARS);
  }

  private static CallTrace.Result result(
      FinishedRequest finishedRequest, FinishedRequest.Ending ending) {
    boolean cancelled = ending.outcome() == CallRecord.Outcome.CANCELLED;
    ErrorCode error = cancelled ? null : ending.error();
    Finish finish = Finish.of(ending);
    return new CallTrace.Result(
        finishedRequest.arrivedAt(),
        ending.refused() ? -1 : finishedRequest.firstContentNanos(),
        ending.endedNanos() - finishedRequest.arrivedNanos(),
        finish == null ? null : finish.wireName(),
        error == null ? null : error.type(),
        error == null ? STATUS_OK : error.status(),
        cancelled);
  }

  private static CallTrace.Identity identity(Caller caller) {
    return new CallTrace.Identity(
        caller.name(), caller.hash().hex(), caller.workspace(), caller.user());
  }

  private static CallTrace.RequestContext context(RequestOrigin origin) {
    return new CallTrace.RequestContext(
        truncate(origin.referer(), NAME_CHARS),
        truncate(origin.title(), NAME_CHARS),
        truncate(origin.userAgent(), NAME_CHARS),
        origin.preset());
  }

  /**
   * Returns the content. For a conversation of usual size it is assembled on delivery; until then
   * the messages are kept, with the body they were read from. For any other request, which may be
   * mostly images or what a plugin read from a file, the content is assembled at once.
   */
  public static CallContent content(
      FinishedRequest finishedRequest, FinishedRequest.Ending ending) {
    // a request that was refused before any decision may hold words that a filter must remove
    boolean sent = ending.cachedAnswer() != null || !finishedRequest.turns().isEmpty();
    InferenceRequest sentRequest = sent ? finishedRequest.sentRequest() : null;
    AnswerTranscript transcript = ending.refused() ? null : transcript(finishedRequest, ending);
    Finish finish = Finish.of(ending);
    boolean showsReasoning = finishedRequest.showsReasoning();
    Supplier<CallTrace.Content> contentSupplier =
        () ->
            new CallTrace.Content(
                sentRequest == null ? Json.array() : input(sentRequest),
                transcript == null ? Json.array() : output(transcript, finish, showsReasoning));
    if (sentRequest != null && !isAssembledLater(sentRequest, finishedRequest.receivedRequest())) {
      return CallContent.of(contentSupplier.get());
    }
    long promptBytes =
        sentRequest == null ? 0 : (long) MEMORY_PER_BYTE * sentRequest.members().sourceLength();
    return CallContent.of(
        promptBytes + (transcript == null ? 0 : transcript.seal()), contentSupplier);
  }

  private static boolean isAssembledLater(InferenceRequest sentRequest, InferenceRequest received) {
    // 0 for a request that was built here, whose parts may have any size
    int sourceBytes = sentRequest.members().sourceLength();
    return sentRequest.kind() == Endpoint.Kind.CHAT
        && sourceBytes > 0
        && sourceBytes <= MAX_KEPT_BYTES
        && sentRequest.members() == received.members()
        && sentRequest.messages() == received.messages()
        && sentRequest.instructions() == received.instructions();
  }

  /** Returns the transcript of what the caller got; null when the caller got nothing. */
  private static @Nullable AnswerTranscript transcript(
      FinishedRequest finishedRequest, FinishedRequest.Ending ending) {
    CachedAnswer cachedAnswer = ending.cachedAnswer();
    if (cachedAnswer == null) {
      return finishedRequest.transcript();
    }
    var transcript = new AnswerTranscript(true);
    cachedAnswer.events().forEach(transcript::accept);
    return transcript;
  }

  /** Returns the prompt as it was sent, without the words that filters removed. */
  private static Json.Arr input(InferenceRequest sentRequest) {
    var messages = new ArrayList<Json>();
    Json prompt = GenerationContent.prompt(sentRequest);
    if (prompt != null) {
      addPrompt(prompt, messages);
    }
    if (sentRequest.instructions() instanceof Message instructions) {
      addMessages(instructions, messages);
    }
    sentRequest.messages().forEach(message -> addMessages(message, messages));
    return Json.array(messages);
  }

  /** Adds one text or several; any other value, such as tokens, is left out. */
  private static void addPrompt(Json prompt, List<Json> messages) {
    if (prompt instanceof Json.Str text) {
      messages.add(message(Message.Role.USER.wireName(), text.detached()).build());
    } else if (prompt instanceof Json.Arr texts) {
      for (int i = 0; i < texts.size(); i++) {
        if (texts.get(i) instanceof Json.Str text) {
          messages.add(message(Message.Role.USER.wireName(), text.detached()).build());
        }
      }
    }
  }

  private static Json.Obj.Builder message(String role, Json.Str content) {
    return Json.object().put("role", role).put("content", content);
  }

  /** Adds a message. Each tool result becomes a message of its own, as in the chat dialect. */
  private static void addMessages(Message message, List<Json> messages) {
    var texts = new TextJoiner();
    var calls = new ArrayList<Json>();
    boolean hasResults = false;
    for (Part part : message.parts()) {
      switch (part) {
        case Part.Text text -> texts.add(text.text());
        case Part.Refusal refusal -> texts.add(refusal.text());
        case Part.ToolCall call -> calls.add(call(call.id(), call.name(), call.arguments().text()));
        case Part.ToolResult result -> {
          hasResults = true;
          messages.add(
              message(Message.Role.TOOL.wireName(), joinText(result.content()))
                  .put("tool_call_id", result.callId())
                  .build());
        }
        case Part.Thinking p -> {}
        case Part.Image p -> {}
        case Part.Audio p -> {}
        case Part.Video p -> {}
        case Part.File p -> {}
        case Part.Citation p -> {}
        case Part.Logprobs p -> {}
        case Part.ServerToolRun p -> {}
        case Part.Unknown p -> {}
      }
    }
    if (!hasResults || !texts.isEmpty()) {
      Json.Obj.Builder builder = message(message.role().wireName(), texts.toJson());
      if (!calls.isEmpty()) {
        builder.put("tool_calls", Json.array(calls));
      }
      messages.add(builder.build());
    }
  }

  private static Json.Str joinText(List<Part> parts) {
    var texts = new TextJoiner();
    for (Part part : parts) {
      if (part instanceof Part.Text text) {
        texts.add(text.text());
      }
    }
    return texts.toJson();
  }

  /** Joins texts with line breaks. A single one, which is usual, is copied once and not decoded. */
  private static final class TextJoiner {
    private Json.@Nullable Str singleText; // null when there is none, or several
    private @Nullable StringBuilder joined;

    void add(Json.Str text) {
      StringBuilder buffer = joined;
      Json.Str previous = singleText;
      if (buffer != null) {
        buffer.append('\n').append(text.text());
      } else if (previous == null || previous.isEmpty()) {
        singleText = text;
      } else {
        joined = new StringBuilder(previous.text()).append('\n').append(text.text());
        singleText = null;
      }
    }

    boolean isEmpty() {
      return joined == null && (singleText == null || singleText.isEmpty());
    }

    Json.Str toJson() {
      if (joined != null) {
        return Json.of(joined.toString());
      }
      return singleText == null ? Json.of("") : singleText.detached();
    }
  }

  private static Json call(String id, String name, String arguments) {
    return Json.object()
        .put("id", id)
        .put("type", "function")
        .put("function", Json.object().put("name", name).put("arguments", arguments).build())
        .build();
  }

  /** Returns the answer that the caller received. */
  private static Json.Arr output(
      AnswerTranscript transcript, @Nullable Finish finish, boolean showsReasoning) {
    Json.Obj.Builder message = message(Message.Role.ASSISTANT.wireName(), transcript.textValue());
    String reasoning = transcript.reasoning();
    if (!reasoning.isEmpty() && showsReasoning) {
      message.put("reasoning", reasoning);
    }
    var calls = new ArrayList<Json>();
    for (AnswerTranscript.RecordedToolCall call : transcript.toolCalls()) {
      calls.add(call(call.id(), call.name(), call.arguments()));
    }
    if (!calls.isEmpty()) {
      message.put("tool_calls", Json.array(calls));
    }
    return Json.array(
        Json.object()
            .put("index", 0)
            .putOrNull("finish_reason", finish == null ? null : finish.wireName())
            .put("message", message.build())
            .build());
  }

  private static @Nullable String truncate(@Nullable String text, int maxChars) {
    return text == null ? null : ShortText.beginning(text, maxChars);
  }
}
