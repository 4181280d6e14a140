package io.strowger.core.destination;

import io.strowger.core.resource.DestinationType;
import io.strowger.spi.json.Json;
import io.strowger.spi.observe.CallTrace;
import io.strowger.spi.observe.DestinationExporter;
import io.strowger.spi.observe.DestinationFactory;
import io.strowger.spi.observe.ExportRequest;
import io.strowger.spi.provider.Transport;
import java.net.URI;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Exporters of all types for tests. Each call is sent in a request of its own, as a JSON object
 * with all values of its trace.
 */
public final class PlainExporters implements DestinationFactory {
  /** A webhook with this host gets all calls of a batch in one request. */
  private static final String BATCH_HOST = "batch.test";

  @Override
  public Set<String> types() {
    return Set.copyOf(DestinationType.NAMES);
  }

  @Override
  public DestinationExporter create(String type, Json.Obj config) {
    if ("http://unusable.test".equals(config.text("url"))) {
      throw new IllegalArgumentException("url leads nowhere");
    }
    String key = String.valueOf(config.text("apiKey"));
    String url = config.text("url");
    URI uri = URI.create(url == null ? "http://" + type + ".test" : url);
    return new DestinationExporter() {
      @Override
      public List<ExportRequest> export(List<CallTrace> calls, Instant now) {
        if (BATCH_HOST.equals(uri.getHost())) {
          Json.Arr all = Json.array(calls.stream().map(call -> json(call)).toList());
          return List.of(request(uri, key, Json.object().put("calls", all).build(), calls.size()));
        }
        return calls.stream().map(call -> request(uri, key, json(call), 1)).toList();
      }

      @Override
      public ConnectionTest test(Instant now) {
        return new ConnectionTest(request(uri, key, Json.Obj.EMPTY, 0), type.equals("webhook"));
      }
    };
  }

  private static ExportRequest request(URI uri, String key, Json.Obj body, int calls) {
    return new ExportRequest(
        Transport.Method.POST,
        uri,
        calls == 0 ? Map.of("X-Test-Connection", "true") : Map.of("X-Key", key),
        "application/json",
        body.toBytes(),
        calls);
  }

  private static Json.Obj json(CallTrace call) {
    CallTrace.Identity identity = call.details().identity();
    CallTrace.RequestContext context = call.details().context();
    CallTrace.Content content = call.details().content();
    return Json.object()
        .put("id", call.id())
        .put("trace_id", call.span().traceId())
        .putOrNull("parent", call.span().parentSpanId())
        .put("name", call.span().name())
        .putOrNull("trace_name", call.span().traceName())
        .put("metadata", call.span().metadata())
        .put("model", call.model().id())
        .putOrNull("provider", call.model().provider())
        .putOrNull("finish_reason", call.result().finishReason())
        .putOrNull("error", call.result().errorType())
        .put("prompt_tokens", call.usage().promptTokens())
        .put("completion_tokens", call.usage().completionTokens())
        .put("cost", call.cost() == null ? Json.NULL : call.cost().json())
        .putOrNull("user", call.sender().user())
        .putOrNull("session", call.sender().session())
        .putOrNull("key_name", identity == null ? null : identity.keyName())
        .putOrNull("title", context == null ? null : context.title())
        .put("input", content == null ? Json.NULL : content.input())
        .put("output", content == null ? Json.NULL : content.output())
        .build();
  }
}
