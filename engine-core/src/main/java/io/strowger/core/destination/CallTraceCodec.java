package io.strowger.core.destination;

import io.strowger.core.json.JacksonCodec;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.json.Json;
import io.strowger.spi.json.JsonLimits;
import io.strowger.spi.model.Usage;
import io.strowger.spi.observe.CallTrace;
import io.strowger.spi.provider.JsonCodec;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Writes a call as a JSON document that is kept on disk, and reads it back. Safe on any thread. */
final class CallTraceCodec {
  private static final String VERSION_MEMBER = "v";
  private static final int VERSION = 1;

  /** The codec of stored calls; its limits admit every call that any configuration has accepted. */
  private static final JacksonCodec CODEC =
      new JacksonCodec(
          new JsonLimits(
              1_000,
              Integer.MAX_VALUE,
              1_000_000,
              Integer.MAX_VALUE,
              Integer.MAX_VALUE,
              Integer.MAX_VALUE));

  private CallTraceCodec() {}

  @SuppressWarnings("JavaInstantGetSecondsGetNano") // both are stored
  static byte[] encode(CallTrace call) {
    CallTrace.Result result = call.result();
    CallTrace.Model model = call.model();
    Usd cost = call.cost();
    return Json.object()
        .put(VERSION_MEMBER, VERSION)
        .put("id", call.id())
        .put("span", span(call.span()))
        // at the top level, as in a request, which may nest it up to the reader's limit of 1,000:
        // one level deeper, it could not be read back
        .put("metadata", call.span().metadata())
        .put("started_s", result.arrivedAt().getEpochSecond())
        .put("started_ns", result.arrivedAt().getNano())
        .put("first_ns", result.firstContentNanos())
        .put("total_ns", result.totalNanos())
        .putOrNull("finish", result.finishReason())
        .putOrNull("error", result.errorType())
        .put("status", result.status())
        .put("cancelled", result.cancelled())
        .put("requested", model.requestedModel())
        .put("model", model.id())
        .putOrNull("provider", model.provider())
        .put("operation", model.operation())
        .put("streamed", model.streamed())
        .put("usage", usage(call.usage()))
        .put("cost_nanos", cost == null ? Json.NULL : Json.of(cost.nanos()))
        .putOrNull("user", call.sender().user())
        .putOrNull("session", call.sender().session())
        .put("identity", identity(call.details().identity()))
        .put("context", context(call.details().context()))
        .put("content", content(call.details().content()))
        .build()
        .toBytes();
  }

  /**
   * Reads a document that {@link #encode} wrote.
   *
   * @return the call; null when the document is not of this format
   */
  static @Nullable CallTrace decode(byte[] document) {
    try {
      return CODEC.parse(document) instanceof Json.Obj in
              && in.longValue(VERSION_MEMBER, 0) == VERSION
          ? call(in)
          : null;
    } catch (JsonCodec.MalformedJsonException
        | NullPointerException
        | ArithmeticException
        | DateTimeException other) {
      return null;
    }
  }

  private static CallTrace call(Json.Obj in) {
    return new CallTrace(
        text(in, "id"),
        span(object(in, "span"), object(in, "metadata")),
        new CallTrace.Result(
            Instant.ofEpochSecond(in.longValue("started_s", 0), in.longValue("started_ns", 0)),
            in.longValue("first_ns", -1),
            in.longValue("total_ns", 0),
            in.text("finish"),
            in.text("error"),
            Math.toIntExact(in.longValue("status", 0)),
            isSet(in, "cancelled")),
        new CallTrace.Model(
            text(in, "requested"),
            text(in, "model"),
            in.text("provider"),
            text(in, "operation"),
            isSet(in, "streamed")),
        usage(object(in, "usage")),
        in.get("cost_nanos") instanceof Json.Num ? new Usd(in.longValue("cost_nanos", 0)) : null,
        new CallTrace.Sender(in.text("user"), in.text("session")),
        new CallTrace.Details(
            identity(in.object("identity")),
            context(in.object("context")),
            content(in.object("content"))));
  }

  private static String text(Json.Obj in, String name) {
    return Objects.requireNonNull(in.text(name), name);
  }

  private static Json.Obj object(Json.Obj in, String name) {
    return Objects.requireNonNull(in.object(name), name);
  }

  private static boolean isSet(Json.Obj in, String name) {
    return Json.TRUE.equals(in.get(name));
  }

  private static Json.Obj span(CallTrace.Span span) {
    return Json.object()
        .put("trace_id", span.traceId())
        .put("span_id", span.spanId())
        .putOrNull("parent", span.parentSpanId())
        .put("name", span.name())
        .putOrNull("trace_name", span.traceName())
        .putOrNull("span_name", span.stepName())
        .build();
  }

  private static CallTrace.Span span(Json.Obj in, Json.Obj metadata) {
    return new CallTrace.Span(
        text(in, "trace_id"),
        text(in, "span_id"),
        in.text("parent"),
        text(in, "name"),
        in.text("trace_name"),
        in.text("span_name"),
        metadata);
  }

  private static Json.Obj usage(Usage usage) {
    Json.Obj.Builder out = Json.object();
    for (Usage.Quantity quantity : Usage.Quantity.values()) {
      out.put(quantity.wireName(), usage.count(quantity));
    }
    return out.put("estimated", usage.isEstimated()).build();
  }

  private static Usage usage(Json.Obj in) {
    Usage.Builder usage = Usage.builder().estimated(isSet(in, "estimated"));
    for (Usage.Quantity quantity : Usage.Quantity.values()) {
      usage.set(quantity, in.longValue(quantity.wireName(), 0));
    }
    return usage.build();
  }

  private static Json identity(CallTrace.@Nullable Identity identity) {
    return identity == null
        ? Json.NULL
        : Json.object()
            .put("key_name", identity.keyName())
            .put("key_hash", identity.keyHash())
            .put("workspace", identity.workspace())
            .put("key_user", identity.keyUser())
            .build();
  }

  private static CallTrace.@Nullable Identity identity(Json.@Nullable Obj in) {
    return in == null
        ? null
        : new CallTrace.Identity(
            text(in, "key_name"),
            text(in, "key_hash"),
            text(in, "workspace"),
            text(in, "key_user"));
  }

  private static Json context(CallTrace.@Nullable RequestContext context) {
    return context == null
        ? Json.NULL
        : Json.object()
            .putOrNull("referer", context.referer())
            .putOrNull("title", context.title())
            .putOrNull("user_agent", context.userAgent())
            .putOrNull("preset", context.preset())
            .build();
  }

  private static CallTrace.@Nullable RequestContext context(Json.@Nullable Obj in) {
    return in == null
        ? null
        : new CallTrace.RequestContext(
            in.text("referer"), in.text("title"), in.text("user_agent"), in.text("preset"));
  }

  private static Json content(CallTrace.@Nullable Content content) {
    return content == null
        ? Json.NULL
        : Json.object().put("input", content.input()).put("output", content.output()).build();
  }

  private static CallTrace.@Nullable Content content(Json.@Nullable Obj in) {
    return in == null
        ? null
        : new CallTrace.Content(
            Objects.requireNonNull(in.list("input"), "input"),
            Objects.requireNonNull(in.list("output"), "output"));
  }
}
