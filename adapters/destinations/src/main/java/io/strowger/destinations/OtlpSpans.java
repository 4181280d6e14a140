package io.strowger.destinations;

import com.google.protobuf.ByteString;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.ArrayValue;
import io.opentelemetry.proto.common.v1.InstrumentationScope;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.resource.v1.Resource;
import io.opentelemetry.proto.trace.v1.ResourceSpans;
import io.opentelemetry.proto.trace.v1.ScopeSpans;
import io.opentelemetry.proto.trace.v1.Span;
import io.opentelemetry.proto.trace.v1.Status;
import io.strowger.destinations.OtlpTarget.Conventions;
import io.strowger.spi.json.Json;
import io.strowger.spi.observe.CallTrace;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Writes calls as spans of OpenTelemetry, by its conventions for generative AI. Resources fact
 * sheet, section 5. Times are nanoseconds since 1970.
 */
final class OtlpSpans {
  static final String SERVICE = "strowger";

  /** The prefix of the names of the caller's own metadata, so that none replaces an attribute. */
  static final String METADATA_PREFIX = "trace.metadata.";

  private OtlpSpans() {}

  static ExportTraceServiceRequest request(
      List<CallTrace> calls, Map<String, String> resource, Conventions conventions) {
    var attributes = Resource.newBuilder();
    attributes.addAttributes(attribute("service.name", text(SERVICE)));
    new TreeMap<>(resource)
        .forEach((name, value) -> attributes.addAttributes(attribute(name, text(value))));
    var spans =
        ScopeSpans.newBuilder().setScope(InstrumentationScope.newBuilder().setName(SERVICE));
    for (CallTrace call : calls) {
      spans.addSpans(span(call, conventions));
    }
    return ExportTraceServiceRequest.newBuilder()
        .addResourceSpans(ResourceSpans.newBuilder().setResource(attributes).addScopeSpans(spans))
        .build();
  }

  static Span span(CallTrace call, Conventions conventions) {
    CallTrace.Result result = call.result();
    Span.Builder span =
        Span.newBuilder()
            .setTraceId(id(call.span().traceId()))
            .setSpanId(id(call.span().spanId()))
            .setName(PortableJson.text(call.span().name()))
            .setKind(Span.SpanKind.SPAN_KIND_CLIENT)
            .setStartTimeUnixNano(epochNanos(result.arrivedAt()))
            .setEndTimeUnixNano(epochNanos(result.endedAt()))
            .setStatus(status(result));
    String parent = call.span().parentSpanId();
    if (parent != null) {
      span.setParentSpanId(id(parent));
    }
    new Attributes(span).addAll(call, conventions);
    return span.build();
  }

  private static Status status(CallTrace.Result result) {
    String error = result.errorType();
    return error == null
        ? Status.newBuilder().setCode(Status.StatusCode.STATUS_CODE_OK).build()
        : Status.newBuilder()
            .setCode(Status.StatusCode.STATUS_CODE_ERROR)
            .setMessage(error)
            .build();
  }

  private static ByteString id(String hex) {
    return ByteString.copyFrom(HexFormat.of().parseHex(hex));
  }

  private static long epochNanos(Instant instant) {
    return instant.getEpochSecond() * 1_000_000_000L + instant.getNano();
  }

  private static KeyValue attribute(String name, AnyValue value) {
    return KeyValue.newBuilder().setKey(name).setValue(value).build();
  }

  private static AnyValue text(String value) {
    return AnyValue.newBuilder().setStringValue(PortableJson.text(value)).build();
  }

  /** Adds attributes to one span. */
  private record Attributes(Span.Builder span) {
    void addAll(CallTrace call, Conventions conventions) {
      addModel(call);
      addUsage(call);
      addResult(call.result());
      put("user.id", call.sender().user());
      put("session.id", call.sender().session());
      put("trace.name", call.span().traceName());
      put("span.name", call.span().stepName());
      addMetadata(PortableJson.withoutHugeNumbers(call.span().metadata()));
      addDetails(call.details());
      if (conventions == Conventions.OPEN_INFERENCE) {
        addOpenInference(call);
      } else if (conventions == Conventions.LANGSMITH) {
        put("langsmith.span.kind", "llm");
      }
      if (call.details().content() instanceof CallTrace.Content content) {
        addContent(content, conventions);
      }
    }

    private void addModel(CallTrace call) {
      put("gen_ai.operation.name", call.model().operation());
      put("gen_ai.request.model", call.model().requestedModel());
      put("gen_ai.response.model", call.model().id());
      put("gen_ai.response.id", call.id());
      put("gen_ai.provider.name", call.model().provider());
      put("gen_ai.request.stream", call.model().streamed());
    }

    private void addUsage(CallTrace call) {
      long prompt = call.usage().promptTokens();
      long completion = call.usage().completionTokens();
      put("gen_ai.usage.prompt_tokens", prompt);
      put("gen_ai.usage.completion_tokens", completion);
      put("gen_ai.usage.input_tokens", prompt);
      put("gen_ai.usage.output_tokens", completion);
      put("gen_ai.usage.total_tokens", prompt + completion);
      put("gen_ai.usage.cache_read.input_tokens", call.usage().cacheRead());
      put("gen_ai.usage.reasoning_tokens", call.usage().reasoning());
      if (call.cost() != null) {
        put("gen_ai.usage.cost", call.cost().dollars().doubleValue());
      }
    }

    private void addResult(CallTrace.Result result) {
      String reason = result.finishReason();
      if (reason != null) {
        span.addAttributes(
            attribute(
                "gen_ai.response.finish_reasons",
                AnyValue.newBuilder()
                    .setArrayValue(ArrayValue.newBuilder().addValues(text(reason)))
                    .build()));
      }
      if (result.firstContentNanos() >= 0) {
        put("gen_ai.response.time_to_first_chunk", result.firstContentNanos() / 1e9);
      }
      put("error.type", result.errorType());
      put("http.response.status_code", result.status());
      if (result.cancelled()) {
        put("strowger.cancelled", true);
      }
    }

    private void addMetadata(Json.Obj metadata) {
      for (int i = 0; i < metadata.size(); i++) {
        String name = METADATA_PREFIX + metadata.name(i);
        switch (metadata.value(i)) {
          case Json.Str text -> put(name, text.text());
          case Json.Bool flag -> put(name, flag.equals(Json.TRUE));
          case Json.Num number -> {
            if (number.asLong().isPresent()) {
              put(name, number.asLong().getAsLong());
            } else {
              // unlike decimal(), reads every exponent that a caller may write
              put(name, Double.parseDouble(number.spelling()));
            }
          }
          case Json.Null none -> {}
          case Json.Obj object -> put(name, jsonText(object));
          case Json.Arr array -> put(name, jsonText(array));
        }
      }
    }

    private void addDetails(CallTrace.Details details) {
      CallTrace.Identity identity = details.identity();
      if (identity != null) {
        put("strowger.api_key.name", identity.keyName());
        put("strowger.api_key.hash", identity.keyHash());
        put("strowger.api_key.user", identity.keyUser());
        put("strowger.workspace.id", identity.workspace());
      }
      CallTrace.RequestContext context = details.context();
      if (context != null) {
        put("http.request.header.referer", context.referer());
        put("strowger.app.title", context.title());
        put("user_agent.original", context.userAgent());
        put("strowger.preset.id", context.preset());
      }
    }

    /**
     * Adds the content; for OpenInference a second time, under the names of its conventions. A
     * request with the content twice is up to twice as large as the counted size of its calls, and
     * up to 16 MiB for one call.
     */
    private void addContent(CallTrace.Content content, Conventions conventions) {
      String input = jsonText(content.input());
      String output = jsonText(content.output());
      put("gen_ai.prompt", input);
      put("gen_ai.completion", output);
      if (conventions == Conventions.OPEN_INFERENCE) {
        put("input.value", input);
        put("input.mime_type", "application/json");
        put("output.value", output);
        put("output.mime_type", "application/json");
      }
    }

    private void addOpenInference(CallTrace call) {
      put("openinference.span.kind", "LLM");
      put("llm.model_name", call.model().id());
      put("llm.token_count.prompt", call.usage().promptTokens());
      put("llm.token_count.completion", call.usage().completionTokens());
    }

    private void put(String name, @Nullable String value) {
      if (value != null && !value.isEmpty()) {
        span.addAttributes(attribute(name, text(value)));
      }
    }

    private void put(String name, long value) {
      span.addAttributes(attribute(name, AnyValue.newBuilder().setIntValue(value).build()));
    }

    private void put(String name, double value) {
      span.addAttributes(attribute(name, AnyValue.newBuilder().setDoubleValue(value).build()));
    }

    private void put(String name, boolean value) {
      span.addAttributes(attribute(name, AnyValue.newBuilder().setBoolValue(value).build()));
    }
  }

  static String jsonText(Json json) {
    return new String(PortableJson.bytes(json), StandardCharsets.UTF_8);
  }
}
