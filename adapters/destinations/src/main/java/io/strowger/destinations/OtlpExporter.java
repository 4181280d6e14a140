package io.strowger.destinations;

import com.google.protobuf.InvalidProtocolBufferException;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceResponse;
import io.strowger.spi.json.Json;
import io.strowger.spi.observe.CallTrace;
import io.strowger.spi.observe.DestinationExporter;
import io.strowger.spi.observe.ExportRequest;
import io.strowger.spi.provider.Transport;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** Exports calls by OTLP over HTTP: all calls in one request. Immutable. */
final class OtlpExporter implements DestinationExporter {
  private static final String BINARY = "application/x-protobuf";
  private static final Pattern DIGITS = Pattern.compile("[0-9]{1,18}");

  private final OtlpTarget target;

  OtlpExporter(OtlpTarget target) {
    this.target = target;
  }

  @Override
  public List<ExportRequest> export(List<CallTrace> calls, Instant now) {
    ExportTraceServiceRequest request =
        OtlpSpans.request(calls, target.resource(), target.conventions());
    byte[] body =
        target.usesJson() ? PortableJson.bytes(OtlpJson.of(request)) : request.toByteArray();
    return List.of(request(target.headers(), body, calls.size()));
  }

  /** Returns a test with an empty payload. Resources fact sheet, section 5. */
  @Override
  public ConnectionTest test(Instant now) {
    byte[] emptyPayload =
        target.usesJson()
            ? Json.object().put("resourceSpans", Json.array()).build().toBytes()
            : ExportTraceServiceRequest.getDefaultInstance().toByteArray();
    return new ConnectionTest(
        request(ConfigValues.testHeaders(target.headers()), emptyPayload, 0), true);
  }

  private ExportRequest request(Map<String, String> headers, byte[] body, int calls) {
    return new ExportRequest(
        target.method(),
        target.uri(),
        headers,
        target.usesJson() ? Transport.Request.JSON : BINARY,
        body,
        calls);
  }

  @Override
  public long rejectedCount(byte[] answer) {
    if (target.usesJson()) {
      return rejectedInJson(new String(answer, StandardCharsets.UTF_8));
    }
    try {
      return Math.max(
          0, ExportTraceServiceResponse.parseFrom(answer).getPartialSuccess().getRejectedSpans());
    } catch (InvalidProtocolBufferException malformed) {
      return 0;
    }
  }

  /** Returns how many spans a collector rejected; 0 for any other answer, such as a webhook's. */
  private static long rejectedInJson(String answer) {
    Json.Obj partialSuccess =
        Json.parseOrNull(answer) instanceof Json.Obj response
            ? response.object("partialSuccess")
            : null;
    return switch (partialSuccess == null ? null : partialSuccess.get("rejectedSpans")) {
      case Json.Num number -> Math.max(0, number.asLong().orElse(0));
      case Json.Str digits when DIGITS.matcher(digits.text()).matches() ->
          Long.parseLong(digits.text()); // 64-bit integers are text in JSON
      case null, default -> 0;
    };
  }
}
