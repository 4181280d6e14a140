package io.strowger.destinations;

import io.strowger.spi.json.Json;
import io.strowger.spi.observe.CallTrace;
import io.strowger.spi.observe.DestinationExporter;
import io.strowger.spi.observe.ExportRequest;
import io.strowger.spi.provider.Transport;
import java.math.BigDecimal;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

/**
 * Exports calls as events of PostHog, in one batch: {@code $ai_embedding} for embeddings, {@code
 * $ai_generation} for all others. Immutable.
 */
final class PostHogExporter implements DestinationExporter {
  private static final int NANO_DIGITS = 9;

  private final URI uri;
  private final Map<String, String> headers;
  private final String key;

  PostHogExporter(ConfigValues config) {
    uri = ConfigValues.appendPath(config.uri("endpoint"), "/batch/");
    headers = config.headers(Map.of());
    key = config.text("apiKey");
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
    var events = new ArrayList<Json>();
    calls.forEach(call -> events.add(event(call)));
    Json.Obj body = Json.object().put("api_key", key).put("batch", Json.array(events)).build();
    return new ExportRequest(
        Transport.Method.POST,
        uri,
        requestHeaders,
        Transport.Request.JSON,
        PortableJson.bytes(body),
        calls.size());
  }

  private static Json event(CallTrace call) {
    return Json.object()
        .put("event", isEmbedding(call) ? "$ai_embedding" : "$ai_generation")
        .put("uuid", uuid(call).toString())
        .put("timestamp", call.result().arrivedAt().toString())
        .put("properties", properties(call))
        .build();
  }

  /**
   * Returns the id of an event, a version 3 UUID of the generation id. An event that is sent again
   * has the same id, so that PostHog counts it once.
   */
  private static UUID uuid(CallTrace call) {
    return UUID.nameUUIDFromBytes(call.id().getBytes(StandardCharsets.UTF_8));
  }

  private static boolean isEmbedding(CallTrace call) {
    return call.model().operation().equals("embeddings");
  }

  private static Json properties(CallTrace call) {
    CallTrace.Result result = call.result();
    String user = call.sender().user();
    Json.Obj properties =
        Json.object()
            .put("distinct_id", Objects.requireNonNullElse(user, call.span().traceId()))
            .put("$process_person_profile", user != null)
            .put("$ai_trace_id", call.span().traceId())
            .put("$ai_span_id", call.span().spanId())
            .put("$ai_span_name", call.span().name())
            .putOrNull("$ai_parent_id", call.span().parentSpanId())
            .putOrNull("$ai_session_id", call.sender().session())
            .put("$ai_model", call.model().id())
            .putOrNull("$ai_provider", call.model().provider())
            .put("$ai_input_tokens", call.usage().promptTokens())
            .put("$ai_output_tokens", call.usage().completionTokens())
            .put("$ai_cache_read_input_tokens", call.usage().cacheRead())
            .put("$ai_reasoning_tokens", call.usage().reasoning())
            .put("$ai_latency", seconds(result.totalNanos()))
            .put("$ai_stream", call.model().streamed())
            .put("$ai_http_status", result.status())
            .put("$ai_is_error", result.isFailed())
            .build();
    if (result.errorType() instanceof String error) {
      properties = properties.with("$ai_error", Json.of(error));
    }
    if (result.firstContentNanos() >= 0) {
      properties = properties.with("$ai_time_to_first_token", seconds(result.firstContentNanos()));
    }
    if (call.cost() != null) {
      properties = properties.with("$ai_total_cost_usd", call.cost().json());
    }
    if (call.details().content() instanceof CallTrace.Content content) {
      properties =
          isEmbedding(call)
              ? withEmbeddingContent(properties, content)
              : withConversation(properties, content);
    }
    return Json.object()
        .putAll(TraceColumns.attributesAndMetadata(call))
        .putAll(properties)
        .build();
  }

  private static Json.Obj withConversation(Json.Obj properties, CallTrace.Content content) {
    return properties
        .with("$ai_input", content.input())
        .with("$ai_output_choices", ChatMessages.ofChoices(content.output()));
  }

  /** Adds the text that was embedded, or the list of texts; vectors are not part of a trace. */
  private static Json.Obj withEmbeddingContent(Json.Obj properties, CallTrace.Content content) {
    List<Json.Str> texts = ChatMessages.texts(content.input()).stream().map(Json::of).toList();
    return properties.with("$ai_input", texts.size() == 1 ? texts.getFirst() : Json.array(texts));
  }

  private static Json seconds(long nanos) {
    return Json.of(BigDecimal.valueOf(nanos, NANO_DIGITS));
  }
}
