package io.strowger.destinations;

import io.strowger.core.json.JacksonCodec;
import io.strowger.core.resource.DestinationType;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Usage;
import io.strowger.spi.observe.CallTrace;
import io.strowger.spi.observe.DestinationExporter;
import io.strowger.spi.observe.ExportRequest;
import io.strowger.spi.provider.JsonCodec.MalformedJsonException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Objects;

/** Calls and exporters for the tests. All JSON here has single quotes instead of double ones. */
final class ExportFixtures {
  static final Instant NOW = Instant.parse("2026-11-21T12:00:05Z");
  static final String TRACE_ID = "0af7651916cd43dd8448eb211c80319c";

  private ExportFixtures() {}

  static Json.Obj json(String text) {
    return json(text.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
  }

  static Json.Obj json(byte[] bytes) {
    try {
      return (Json.Obj) new JacksonCodec().parse(bytes);
    } catch (MalformedJsonException malformed) {
      throw new AssertionError(new String(bytes, StandardCharsets.UTF_8), malformed);
    }
  }

  /** Returns an exporter for a config, in which absent members have their defaults. */
  static DestinationExporter exporter(String type, String config) {
    DestinationType known = Objects.requireNonNull(DestinationType.find(type), type);
    return new StandardDestinations().create(type, known.withDefaults(json(config)));
  }

  /** Returns the only request for the complete call. */
  static ExportRequest exportRequest(String type, String config) {
    List<ExportRequest> requests = exporter(type, config).export(List.of(completeCall()), NOW);
    if (requests.size() != 1 || requests.getFirst().calls() != 1) {
      throw new AssertionError(requests);
    }
    return requests.getFirst();
  }

  /** Returns a call with all members. */
  static CallTrace completeCall() {
    return new CallTrace(
        "gen-1",
        new CallTrace.Span(
            TRACE_ID,
            "b7ad6b7169203331",
            "00f067aa0ba902b7",
            "answer",
            "job",
            "step",
            json("{'team':'red','n':5,'ratio':0.5,'hot':true,'none':null,'deep':{'a':[1]}}")),
        new CallTrace.Result(
            Instant.parse("2026-11-21T12:00:00.123456789Z"),
            250_000_000,
            1_500_000_000,
            "stop",
            null,
            200,
            false),
        new CallTrace.Model("acme/large", "acme/large-2", "Alpha", "chat", true),
        Usage.builder().freshInput(8).cacheRead(2).outputText(4).reasoning(1).build(),
        Usd.ofDollars(new BigDecimal("0.0125")),
        new CallTrace.Sender("user-1", "session-1"),
        new CallTrace.Details(
            new CallTrace.Identity("my key/1", "a".repeat(64), "w", "u"),
            new CallTrace.RequestContext("https://app.test", "App", "curl", "preset-1"),
            new CallTrace.Content(
                Json.array(json("{'role':'user','content':'hi'}")),
                Json.array(
                    json(
                        "{'index':0,'finish_reason':'stop',"
                            + "'message':{'role':'assistant','content':'hello'}}")))));
  }

  /** Returns the complete call with another operation, other metadata and other content. */
  static CallTrace completeCall(
      String operation, Json.Obj metadata, Json.Arr input, Json.Arr output) {
    CallTrace complete = completeCall();
    CallTrace.Span span = complete.span();
    CallTrace.Model model = complete.model();
    CallTrace.Details details = complete.details();
    return new CallTrace(
        complete.id(),
        new CallTrace.Span(
            span.traceId(),
            span.spanId(),
            span.parentSpanId(),
            span.name(),
            span.traceName(),
            span.stepName(),
            metadata),
        complete.result(),
        new CallTrace.Model(
            model.requestedModel(), model.id(), model.provider(), operation, model.streamed()),
        complete.usage(),
        complete.cost(),
        complete.sender(),
        new CallTrace.Details(
            details.identity(), details.context(), new CallTrace.Content(input, output)));
  }

  /** Returns a failed call with as few members as possible. */
  static CallTrace minimalCall() {
    CallTrace complete = completeCall();
    return new CallTrace(
        "gen-2",
        new CallTrace.Span(
            TRACE_ID, "b7ad6b7169203332", null, "acme/large", null, null, Json.Obj.EMPTY),
        new CallTrace.Result(
            complete.result().arrivedAt(),
            -1,
            1_000_000,
            "error",
            "provider_unavailable",
            502,
            false),
        new CallTrace.Model("acme/large", "acme/large", null, "chat", false),
        Usage.NONE,
        null,
        new CallTrace.Sender(null, null),
        CallTrace.Details.NONE);
  }
}
