package io.strowger.destinations;

import io.strowger.spi.json.Json;
import io.strowger.spi.observe.CallTrace;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;

/**
 * Writes a call as the row of a table. Resources fact sheet, section 5. Values without a fixed
 * structure are JSON in a text column.
 */
final class TraceColumns {
  /** All columns, in order. */
  static final List<String> NAMES =
      List.of(
          "TRACE_ID",
          "TIMESTAMP",
          "STATUS",
          "SPAN_TYPE",
          "MODEL",
          "PROVIDER_NAME",
          "USER_ID",
          "SESSION_ID",
          "API_KEY_NAME",
          "PROMPT_TOKENS",
          "COMPLETION_TOKENS",
          "TOTAL_TOKENS",
          "TOTAL_COST",
          "DURATION_MS",
          "FINISH_REASON",
          "INPUT",
          "OUTPUT",
          "METADATA",
          "ATTRIBUTES",
          "TAGS");

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss.SSS").withZone(ZoneOffset.UTC);

  private static final long NANOS_PER_MILLI = 1_000_000;

  private TraceColumns() {}

  static Json.Obj row(CallTrace call) {
    long prompt = call.usage().promptTokens();
    long completion = call.usage().completionTokens();
    CallTrace.Identity identity = call.details().identity();
    CallTrace.Content content = call.details().content();
    Json.Obj metadata = PortableJson.withoutHugeNumbers(call.span().metadata());
    return Json.object()
        .put("TRACE_ID", call.span().traceId())
        .put("TIMESTAMP", TIME.format(call.result().arrivedAt()))
        .put("STATUS", call.result().isFailed() ? "error" : "ok")
        .put("SPAN_TYPE", "GENERATION")
        .put("MODEL", call.model().id())
        .putOrNull("PROVIDER_NAME", call.model().provider())
        .putOrNull("USER_ID", call.sender().user())
        .putOrNull("SESSION_ID", call.sender().session())
        .putOrNull("API_KEY_NAME", identity == null ? null : identity.keyName())
        .put("PROMPT_TOKENS", prompt)
        .put("COMPLETION_TOKENS", completion)
        .put("TOTAL_TOKENS", prompt + completion)
        .put("TOTAL_COST", call.cost() == null ? Json.NULL : call.cost().json())
        .put("DURATION_MS", call.result().totalNanos() / NANOS_PER_MILLI)
        .putOrNull("FINISH_REASON", call.result().finishReason())
        .putOrNull("INPUT", content == null ? null : OtlpSpans.jsonText(content.input()))
        .putOrNull("OUTPUT", content == null ? null : OtlpSpans.jsonText(content.output()))
        .put("METADATA", OtlpSpans.jsonText(metadata))
        .put("ATTRIBUTES", OtlpSpans.jsonText(attributes(call)))
        .put(
            "TAGS", metadata.get("tags") instanceof Json.Arr tags ? OtlpSpans.jsonText(tags) : "[]")
        .build();
  }

  /**
   * Returns what {@link #attributes} returns, and the caller's own metadata with {@link
   * OtlpSpans#METADATA_PREFIX} before each name. Numbers that no double can hold become texts.
   */
  static Json.Obj attributesAndMetadata(CallTrace call) {
    Json.Obj.Builder attributes = Json.object().putAll(attributes(call));
    Json.Obj metadata = PortableJson.withoutHugeNumbers(call.span().metadata());
    for (int i = 0; i < metadata.size(); i++) {
      attributes.put(OtlpSpans.METADATA_PREFIX + metadata.name(i), metadata.value(i));
    }
    return attributes.build();
  }

  /** Returns further attributes of a call; only the name of its API key is also a column. */
  static Json.Obj attributes(CallTrace call) {
    Json.Obj.Builder attributes =
        Json.object()
            .put("generation_id", call.id())
            .put("span_id", call.span().spanId())
            .putOrNull("parent_span_id", call.span().parentSpanId())
            .put("name", call.span().name())
            .putOrNull("trace_name", call.span().traceName())
            .putOrNull("span_name", call.span().stepName())
            .put("requested_model", call.model().requestedModel())
            .put("operation", call.model().operation())
            .put("streamed", call.model().streamed())
            .put("cancelled", call.result().cancelled())
            .put("http_status", call.result().status())
            .putOrNull("error_type", call.result().errorType())
            .put("cached_tokens", call.usage().cacheRead())
            .put("reasoning_tokens", call.usage().reasoning());
    if (call.details().identity() instanceof CallTrace.Identity identity) {
      attributes
          .put("api_key_name", identity.keyName())
          .put("api_key_hash", identity.keyHash())
          .put("api_key_user", identity.keyUser())
          .put("workspace_id", identity.workspace());
    }
    if (call.details().context() instanceof CallTrace.RequestContext context) {
      attributes
          .putOrNull("referer", context.referer())
          .putOrNull("title", context.title())
          .putOrNull("user_agent", context.userAgent())
          .putOrNull("preset_id", context.preset());
    }
    return attributes.build();
  }
}
