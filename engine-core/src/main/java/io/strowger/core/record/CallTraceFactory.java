package io.strowger.core.record;

import io.strowger.core.authentication.Caller;
import io.strowger.core.cache.CachedAnswer;
import io.strowger.core.destination.CallContent;
import io.strowger.core.destination.Digests;
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
import io.strowger.spi.model.StopReason;
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
  /** The most characters of a user. Resources fact sheet, section 5. */
  private static final int USER_CHARS = 128;

  /** The most characters of a name or an id that a caller gives. */
  private static final int NAME_CHARS = 256;

  /** The longest body that is kept whole until its call is delivered, in bytes. */
  private static final int MAX_KEPT = 16 << 10;

  /** The approximate memory of a body with the values read from it, in bytes per byte of body. */
  private static final int MEMORY_OF_A_BYTE = 4;

  private static final int OK = 200;

  /** Members of {@code trace} with a meaning; all others are the caller's own. */
  private static final Set<String> NAMED =
      Set.of("trace_id", "trace_name", "span_name", "generation_name", "parent_span_id");

  private CallTraceFactory() {}

  /** Returns the trace without its content. */
  public static CallTrace of(FinishedRequest exchange, FinishedRequest.Ending how) {
    Usage usage = Usage.NONE;
    Usd cost = Usd.ZERO;
    for (CallRecord.BillLine billLine : exchange.lines()) {
      usage = usage.plus(billLine.usage());
      cost = cost.plus(billLine.cost());
    }
    InferenceRequest request = exchange.received();
    CallTrace.Model model = model(exchange, how);
    return new CallTrace(
        exchange.id(),
        span(exchange, model),
        result(exchange, how),
        model,
        usage,
        cost,
        new CallTrace.Sender(cut(request.user(), USER_CHARS), request.sessionId()),
        new CallTrace.Details(identity(exchange.caller()), context(request.origin()), null));
  }

  private static CallTrace.Model model(FinishedRequest exchange, FinishedRequest.Ending how) {
    CachedAnswer replayed = how.replayed();
    PlannedAttempt by = exchange.answeringCandidate();
    Endpoint endpoint =
        replayed != null ? replayed.endpoint() : by == null || how.refused() ? null : by.endpoint();
    String requested = exchange.requested();
    InferenceRequest request = exchange.received();
    return new CallTrace.Model(
        requested,
        endpoint == null ? requested : endpoint.model(),
        endpoint == null ? null : endpoint.provider().name(),
        request.kind().name().toLowerCase(Locale.ROOT),
        request.streaming());
  }

  private static CallTrace.Span span(FinishedRequest exchange, CallTrace.Model model) {
    Json.Obj given =
        exchange.received().members().get("trace") instanceof Json.Obj trace
            ? trace
            : Json.Obj.EMPTY;
    String name = text(given, "generation_name");
    return new CallTrace.Span(
        Digests.traceId(text(given, "trace_id"), exchange.id()),
        Digests.spanId(exchange.id()),
        Digests.parentSpanId(text(given, "parent_span_id")),
        name == null ? model.id() : name,
        text(given, "trace_name"),
        text(given, "span_name"),
        own(given));
  }

  private static Json.Obj own(Json.Obj given) {
    if (given.size() == 0) {
      return Json.Obj.EMPTY;
    }
    Json.Obj.Builder own = Json.object();
    for (int i = 0; i < given.size(); i++) {
      if (!NAMED.contains(given.name(i))) {
        own.put(given.name(i), given.value(i));
      }
    }
    return own.build().detached();
  }

  private static @Nullable String text(Json.Obj given, String name) {
    String text = given.text(name);
    return text == null || text.isEmpty() ? null : cut(text, NAME_CHARS);
  }

  private static CallTrace.Result result(FinishedRequest exchange, FinishedRequest.Ending how) {
    boolean cancelled = how.outcome() == CallRecord.Outcome.CANCELLED;
    ErrorCode error = cancelled ? null : how.error();
    return new CallTrace.Result(
        exchange.arrivedAt(),
        how.refused() ? -1 : exchange.firstContentNanos(),
        how.nanos() - exchange.nanos(),
        finish(how),
        error == null ? null : error.type(),
        error == null ? OK : error.status(),
        cancelled);
  }

  private static @Nullable String finish(FinishedRequest.Ending how) {
    StopReason reason = how.stopReason();
    return switch (reason) {
      case null -> how.outcome() == CallRecord.Outcome.ERROR ? "error" : null;
      case END, STOP_SEQUENCE, PAUSE, COMPACTION -> "stop";
      case LENGTH, CONTEXT_WINDOW -> "length";
      case TOOL_CALLS -> "tool_calls";
      case CONTENT_FILTER, REFUSAL -> "content_filter";
      case ERROR -> "error";
    };
  }

  private static CallTrace.Identity identity(Caller caller) {
    return new CallTrace.Identity(
        caller.name(), caller.hash().hex(), caller.workspace(), caller.user());
  }

  private static CallTrace.RequestContext context(RequestOrigin origin) {
    return new CallTrace.RequestContext(
        cut(origin.referer(), NAME_CHARS),
        cut(origin.title(), NAME_CHARS),
        cut(origin.userAgent(), NAME_CHARS),
        origin.preset());
  }

  /**
   * Returns the content. For a conversation of usual size it is assembled on delivery; until then
   * the messages are kept, with the body they were read from. For any other request, which may be
   * mostly images or what a plugin read from a file, the content is assembled at once.
   */
  public static CallContent content(FinishedRequest exchange, FinishedRequest.Ending how) {
    // a request that was refused before any decision may hold words that a filter must remove
    boolean sent = how.replayed() != null || !exchange.turns().isEmpty();
    InferenceRequest asked = sent ? exchange.sent() : null;
    AnswerTranscript heard = how.refused() ? null : heard(exchange, how);
    String finish = finish(how);
    boolean showsReasoning = exchange.showsReasoning();
    Supplier<CallTrace.Content> maker =
        () ->
            new CallTrace.Content(
                asked == null ? Json.array() : input(asked),
                heard == null ? Json.array() : output(heard, finish, showsReasoning));
    if (asked != null && !isKept(asked, exchange.received())) {
      return CallContent.of(maker.get());
    }
    long prompt = asked == null ? 0 : (long) MEMORY_OF_A_BYTE * asked.members().sourceLength();
    return CallContent.of(prompt + (heard == null ? 0 : heard.seal()), maker);
  }

  private static boolean isKept(InferenceRequest asked, InferenceRequest received) {
    // 0 for a request that was built here, whose parts may have any size
    int read = asked.members().sourceLength();
    return asked.kind() == Endpoint.Kind.CHAT
        && read > 0
        && read <= MAX_KEPT
        && asked.members() == received.members()
        && asked.messages() == received.messages()
        && asked.instructions() == received.instructions();
  }

  /** Returns the transcript of what the caller got; null when the caller got nothing. */
  private static @Nullable AnswerTranscript heard(
      FinishedRequest exchange, FinishedRequest.Ending how) {
    CachedAnswer replayed = how.replayed();
    if (replayed == null) {
      return exchange.transcript();
    }
    var heard = new AnswerTranscript(true);
    replayed.events().forEach(heard::accept);
    return heard;
  }

  /** Returns the prompt as it was sent, without the words that filters removed. */
  private static Json.Arr input(InferenceRequest sent) {
    var messages = new ArrayList<Json>();
    Json prompt =
        switch (sent.kind()) {
          case CHAT -> null;
          case EMBEDDINGS, SPEECH -> sent.members().get("input");
          case RERANK -> sent.members().get("query");
          case IMAGES, TRANSCRIPTIONS -> sent.members().get("prompt");
        };
    if (prompt != null) {
      addPrompt(prompt, messages);
    }
    if (sent.instructions() instanceof Message instructions) {
      addMessages(instructions, messages);
    }
    sent.messages().forEach(message -> addMessages(message, messages));
    return Json.array(messages);
  }

  /** Adds one text or several; any other value, such as tokens, is left out. */
  private static void addPrompt(Json prompt, List<Json> messages) {
    if (prompt instanceof Json.Str text) {
      messages.add(message(Message.Role.USER.wireName(), text.detached()).build());
    } else if (prompt instanceof Json.Arr several) {
      for (int i = 0; i < several.size(); i++) {
        if (several.get(i) instanceof Json.Str text) {
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
    var said = new Said();
    var calls = new ArrayList<Json>();
    boolean results = false;
    for (Part part : message.parts()) {
      switch (part) {
        case Part.Text text -> said.add(text.text());
        case Part.Refusal refusal -> said.add(refusal.text());
        case Part.ToolCall call -> calls.add(call(call.id(), call.name(), call.arguments().text()));
        case Part.ToolResult result -> {
          results = true;
          messages.add(
              message(Message.Role.TOOL.wireName(), said(result.content()))
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
    if (!results || !said.isEmpty()) {
      Json.Obj.Builder one = message(message.role().wireName(), said.whole());
      if (!calls.isEmpty()) {
        one.put("tool_calls", Json.array(calls));
      }
      messages.add(one.build());
    }
  }

  private static Json.Str said(List<Part> parts) {
    var said = new Said();
    for (Part part : parts) {
      if (part instanceof Part.Text text) {
        said.add(text.text());
      }
    }
    return said.whole();
  }

  /** Joins texts with line breaks. A single one, which is usual, is copied once and not decoded. */
  private static final class Said {
    private Json.@Nullable Str single; // null when there is none, or several
    private @Nullable StringBuilder several;

    void add(Json.Str text) {
      StringBuilder all = several;
      Json.Str before = single;
      if (all != null) {
        all.append('\n').append(text.text());
      } else if (before == null || before.isEmpty()) {
        single = text;
      } else {
        several = new StringBuilder(before.text()).append('\n').append(text.text());
        single = null;
      }
    }

    boolean isEmpty() {
      return several == null && (single == null || single.isEmpty());
    }

    Json.Str whole() {
      if (several != null) {
        return Json.of(several.toString());
      }
      return single == null ? Json.of("") : single.detached();
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
      AnswerTranscript heard, @Nullable String finish, boolean showsReasoning) {
    Json.Obj.Builder message = message(Message.Role.ASSISTANT.wireName(), heard.textValue());
    String reasoning = heard.reasoning();
    if (!reasoning.isEmpty() && showsReasoning) {
      message.put("reasoning", reasoning);
    }
    var calls = new ArrayList<Json>();
    for (AnswerTranscript.RecordedToolCall call : heard.toolCalls()) {
      calls.add(call(call.id(), call.name(), call.arguments()));
    }
    if (!calls.isEmpty()) {
      message.put("tool_calls", Json.array(calls));
    }
    return Json.array(
        Json.object()
            .put("index", 0)
            .putOrNull("finish_reason", finish)
            .put("message", message.build())
            .build());
  }

  private static @Nullable String cut(@Nullable String said, int most) {
    return said == null ? null : ShortText.beginning(said, most);
  }
}
