package io.strowger.destinations;

import io.strowger.spi.json.Json;
import io.strowger.spi.observe.CallTrace;
import io.strowger.spi.observe.DestinationExporter;
import io.strowger.spi.observe.ExportRequest;
import io.strowger.spi.provider.Transport;
import java.net.URI;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Exports calls as spans of Datadog's LLM observability. Immutable. */
final class DatadogExporter implements DestinationExporter {
  private static final String PATH = "/api/intake/llm-obs/v1/trace/spans";

  private final URI uri;
  private final Map<String, String> headers;
  private final String app;

  DatadogExporter(ConfigValues config) {
    uri = ConfigValues.appendPath(config.uri("url"), PATH);
    headers = config.headers(Map.of("DD-API-KEY", config.text("apiKey")));
    app = config.text("mlApp");
  }

  @Override
  public List<ExportRequest> export(List<CallTrace> calls, Instant now) {
    return List.of(request(headers, calls));
  }

  @Override
  public ConnectionTest test(Instant now) {
    return new ConnectionTest(request(ConfigValues.testHeaders(headers), List.of()), true);
  }

  private ExportRequest request(Map<String, String> requestHeaders, List<CallTrace> calls) {
    var spans = new ArrayList<Json>();
    calls.forEach(call -> spans.add(span(call)));
    Json.Obj attributes =
        Json.object()
            .put("ml_app", app)
            .put("tags", Json.array(Json.of("service:" + app)))
            .put("spans", Json.array(spans))
            .build();
    Json.Obj body =
        Json.object()
            .put("data", Json.object().put("type", "span").put("attributes", attributes).build())
            .build();
    return new ExportRequest(
        Transport.Method.POST,
        uri,
        requestHeaders,
        Transport.Request.JSON,
        PortableJson.bytes(body),
        calls.size());
  }

  @SuppressWarnings("JavaInstantGetSecondsGetNano") // seconds and nanoseconds are added
  private Json span(CallTrace call) {
    String parent = call.span().parentSpanId();
    long started =
        call.result().arrivedAt().getEpochSecond() * 1_000_000_000L
            + call.result().arrivedAt().getNano();
    Json.Obj.Builder span =
        Json.object()
            .put("trace_id", call.span().traceId())
            .put("span_id", call.span().spanId())
            .put("parent_id", parent == null ? "undefined" : parent)
            .put("name", call.span().name())
            .put("start_ns", started)
            .put("duration", call.result().totalNanos())
            .put("status", call.result().isFailed() ? "error" : "ok")
            .put("meta", meta(call))
            .put("metrics", metrics(call))
            .put("tags", tags(call));
    if (call.sender().session() instanceof String session) {
      span.put("session_id", session);
    }
    return span.build();
  }

  private static Json meta(CallTrace call) {
    Json.Obj.Builder meta =
        Json.object()
            .put("kind", isEmbedding(call) ? "embedding" : "llm")
            .put("model_name", call.model().id())
            .put("metadata", TraceColumns.attributesAndMetadata(call));
    if (call.model().provider() instanceof String provider) {
      meta.put("model_provider", provider);
    }
    CallTrace.Content content = call.details().content();
    if (content != null) {
      if (isEmbedding(call)) {
        putEmbeddingContent(content, meta);
      } else {
        Json.Arr outputMessages = ChatMessages.ofChoices(content.output());
        meta.put("input", Json.object().put("messages", messages(content.input())).build());
        meta.put("output", Json.object().put("messages", messages(outputMessages)).build());
      }
    }
    if (call.result().errorType() instanceof String error) {
      meta.put("error", Json.object().put("type", error).put("message", error).build());
    }
    return meta.build();
  }

  private static boolean isEmbedding(CallTrace call) {
    return call.model().operation().equals("embeddings");
  }

  /** Adds documents, which spans of embeddings have instead of messages. */
  private static void putEmbeddingContent(CallTrace.Content content, Json.Obj.Builder meta) {
    var documents = new ArrayList<Json>();
    for (String text : ChatMessages.texts(content.input())) {
      documents.add(Json.object().put("text", text).build());
    }
    meta.put("input", Json.object().put("documents", Json.array(documents)).build());
    List<String> outputTexts = ChatMessages.texts(ChatMessages.ofChoices(content.output()));
    if (!outputTexts.isEmpty()) { // vectors are not part of a trace
      meta.put("output", Json.object().put("value", String.join("\n", outputTexts)).build());
    }
  }

  /** Returns messages of the chat dialect in Datadog's form, which differs in tool calls. */
  private static Json messages(Json.Arr messages) {
    var converted = new ArrayList<Json>();
    for (Json message : messages) {
      converted.add(
          message instanceof Json.Obj object && object.list("tool_calls") instanceof Json.Arr calls
              ? object.with("tool_calls", toolCalls(calls))
              : message);
    }
    return Json.array(converted);
  }

  private static Json toolCalls(Json.Arr calls) {
    var converted = new ArrayList<Json>();
    for (Json call : calls) {
      if (call instanceof Json.Obj object
          && object.object("function") instanceof Json.Obj function) {
        converted.add(
            Json.object()
                .putOrNull("name", function.text("name"))
                .put("arguments", arguments(function.text("arguments")))
                .putOrNull("tool_id", object.text("id"))
                .put("type", "function")
                .build());
      }
    }
    return Json.array(converted);
  }

  /**
   * Returns arguments as an object; text that is no JSON object becomes the member {@code value}.
   */
  private static Json arguments(@Nullable String text) {
    if (text == null || text.isBlank()) {
      return Json.Obj.EMPTY;
    }
    return Json.parseOrNull(text) instanceof Json.Obj arguments
        ? PortableJson.withoutHugeNumbers(arguments.detached()) // and without white space
        : Json.object().put("value", text).build();
  }

  private static Json metrics(CallTrace call) {
    long prompt = call.usage().promptTokens();
    long completion = call.usage().completionTokens();
    Json.Obj.Builder metrics =
        Json.object()
            .put("input_tokens", prompt)
            .put("output_tokens", completion)
            .put("total_tokens", prompt + completion);
    if (call.cost() != null) {
      metrics.put("total_cost", call.cost().json());
    }
    return metrics.build();
  }

  private Json tags(CallTrace call) {
    var tags = new ArrayList<Json>();
    tags.add(Json.of("service:" + app));
    if (call.sender().user() instanceof String user) {
      tags.add(Json.of("user_id:" + user));
    }
    return Json.array(tags);
  }
}
