package io.strowger.destinations;

import io.strowger.spi.json.Json;
import io.strowger.spi.observe.CallTrace;
import io.strowger.spi.observe.DestinationExporter;
import io.strowger.spi.observe.ExportRequest;
import io.strowger.spi.provider.Transport;
import java.math.BigDecimal;
import java.net.URI;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Exports calls as {@code $ai_generation} events of PostHog, in one batch. Immutable. */
final class PostHogExporter implements DestinationExporter {
  private static final int NANO_DIGITS = 9;

  private final URI uri;
  private final Map<String, String> headers;
  private final String key;

  PostHogExporter(ConfigValues config) {
    uri = ConfigValues.below(config.uri("endpoint"), "/batch/");
    headers = config.headers(Map.of());
    key = config.text("apiKey");
  }

  @Override
  public List<ExportRequest> export(List<CallTrace> calls, Instant now) {
    return List.of(request(headers, calls));
  }

  @Override
  public ConnectionTest test(Instant now) {
    return new ConnectionTest(request(ConfigValues.ofTest(headers), List.of()), true);
  }

  private ExportRequest request(Map<String, String> with, List<CallTrace> calls) {
    var events = new ArrayList<Json>();
    calls.forEach(call -> events.add(event(call)));
    Json.Obj body = Json.object().put("api_key", key).put("batch", Json.array(events)).build();
    return new ExportRequest(
        Transport.Method.POST, uri, with, Transport.Request.JSON, body.toBytes(), calls.size());
  }

  private static Json event(CallTrace call) {
    return Json.object()
        .put("event", "$ai_generation")
        .put("timestamp", call.result().started().toString())
        .put("properties", properties(call))
        .build();
  }

  /** The caller's own metadata never replaces what the event has to have. */
  private static Json properties(CallTrace call) {
    CallTrace.Result result = call.result();
    String user = call.sender().user();
    Json.Obj all =
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
            .put("$ai_is_error", result.failed())
            .build();
    if (result.errorType() instanceof String error) {
      all = all.with("$ai_error", Json.of(error));
    }
    if (result.firstContentNanos() >= 0) {
      all = all.with("$ai_time_to_first_token", seconds(result.firstContentNanos()));
    }
    if (call.cost() != null) {
      all = all.with("$ai_total_cost_usd", call.cost().json());
    }
    if (call.details().content() instanceof CallTrace.Content content) {
      all = all.with("$ai_input", content.input()).with("$ai_output_choices", content.output());
    }
    return Json.object()
        .putAll(with(call.span().metadata(), TraceColumns.attributes(call)))
        .putAll(all)
        .build();
  }

  private static Json.Obj with(Json.Obj metadata, Json.Obj attributes) {
    Json.Obj all = attributes;
    for (int i = 0; i < metadata.size(); i++) {
      if (!metadata.name(i).startsWith("$") && !metadata.name(i).equals("distinct_id")) {
        all = all.with(metadata.name(i), metadata.value(i));
      }
    }
    return all;
  }

  private static Json seconds(long nanos) {
    return Json.of(BigDecimal.valueOf(nanos, NANO_DIGITS));
  }
}
