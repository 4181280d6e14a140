package io.strowger.destinations;

import com.google.protobuf.InvalidProtocolBufferException;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceResponse;
import io.strowger.spi.json.Json;
import io.strowger.spi.observe.CallTrace;
import io.strowger.spi.observe.DestinationExporter;
import io.strowger.spi.observe.ExportRequest;
import io.strowger.spi.provider.Transport;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** Exports calls by OTLP over HTTP: all calls in one request. Immutable. */
final class OtlpExporter implements DestinationExporter {
  private static final String BINARY = "application/x-protobuf";

  private final OtlpTarget target;

  OtlpExporter(OtlpTarget target) {
    this.target = target;
  }

  @Override
  public List<ExportRequest> export(List<CallTrace> calls, Instant now) {
    ExportTraceServiceRequest request =
        OtlpSpans.request(calls, target.resource(), target.dialect());
    byte[] body = target.json() ? OtlpJson.of(request).toBytes() : request.toByteArray();
    return List.of(request(target.headers(), body, calls.size()));
  }

  /** An empty payload. Resources fact sheet, section 5. */
  @Override
  public ConnectionTest test(Instant now) {
    byte[] nothing =
        target.json()
            ? Json.object().put("resourceSpans", Json.array()).build().toBytes()
            : ExportTraceServiceRequest.getDefaultInstance().toByteArray();
    return new ConnectionTest(request(ConfigValues.ofTest(target.headers()), nothing, 0), true);
  }

  private ExportRequest request(Map<String, String> headers, byte[] body, int calls) {
    return new ExportRequest(
        target.method(),
        target.uri(),
        headers,
        target.json() ? Transport.Request.JSON : BINARY,
        body,
        calls);
  }

  @Override
  public long rejected(byte[] answer) {
    if (target.json()) {
      return 0; // a webhook may answer whatever it likes
    }
    try {
      return Math.max(
          0, ExportTraceServiceResponse.parseFrom(answer).getPartialSuccess().getRejectedSpans());
    } catch (InvalidProtocolBufferException other) {
      return 0;
    }
  }
}
