package io.strowger.telemetry;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.model.StopReason;
import io.strowger.spi.model.Usage;
import io.strowger.spi.observe.CallRecord;
import io.strowger.spi.observe.CallSpan;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The spans of one call. A span is started when its id is needed; its other attributes, its events
 * and its end come from the record of the call, with the record's times.
 */
final class OpenTelemetryCallSpan implements CallSpan {
  private static final double NANOS = 1e9;

  private final Tracer tracer;
  private final Span call;
  private final String operation;
  private final Instant came;
  private final Map<Integer, Span> attempts = new ConcurrentHashMap<>();

  OpenTelemetryCallSpan(Tracer tracer, Span call, String operation, Instant came) {
    this.tracer = tracer;
    this.call = call;
    this.operation = operation;
    this.came = came;
  }

  @Override
  public @Nullable String attempt(int number, Endpoint endpoint, long atNanos) {
    Span span =
        tracer
            .spanBuilder(operation + " " + endpoint.upstreamModel())
            .setSpanKind(SpanKind.CLIENT)
            .setParent(Context.root().with(call))
            .setStartTimestamp(came.plusNanos(atNanos))
            .setAttribute(SpanNames.OPERATION, operation)
            .setAttribute(SpanNames.PROVIDER, endpoint.provider().slug())
            .setAttribute(SpanNames.REQUEST_MODEL, endpoint.upstreamModel())
            .setAttribute(SpanNames.ENDPOINT, endpoint.id())
            .setAttribute(SpanNames.ATTEMPT, (long) number)
            .startSpan();
    attempts.put(number, span);
    return OpenTelemetryTracer.traceparent(span.getSpanContext());
  }

  @Override
  public void ended(CallRecord record) {
    for (CallRecord.Attempt attempt : record.attempts()) {
      Span span = attempts.get(attempt.number());
      if (span != null) {
        end(span, attempt);
      }
    }
    record.steps().forEach(this::event);
    call.setAttribute(SpanNames.RESPONSE_ID, record.id());
    setIf(SpanNames.RESPONSE_MODEL, model(record.endpoint()));
    setIf(SpanNames.ENDPOINT, record.endpoint());
    setIf(SpanNames.CACHE_SOURCE, record.cacheSource());
    call.setAttribute(SpanNames.COST, dollars(record.cost()));
    finish(call, record.stopReason());
    if (record.firstContentNanos() >= 0) {
      call.addEvent(SpanNames.FIRST_CONTENT, came.plusNanos(record.firstContentNanos()));
    }
    ErrorCode error = record.error();
    type(call, record.outcome(), error == null ? null : error.name());
    boolean callers = error != null && error.blame() == ErrorCode.Blame.CALLER;
    if (record.outcome() == CallRecord.Outcome.ERROR && !callers) {
      call.setStatus(StatusCode.ERROR); // a caller's mistake is no server error
    }
    call.end(came.plusNanos(record.totalNanos()));
  }

  private void setIf(AttributeKey<String> name, @Nullable String value) {
    if (value != null) {
      call.setAttribute(name, value);
    }
  }

  private static @Nullable String model(@Nullable String endpoint) {
    return endpoint == null ? null : EndpointIds.model(endpoint);
  }

  private void event(CallRecord.Step step) {
    AttributesBuilder said = Attributes.builder();
    if (step.innerCall() != null) {
      said.put(SpanNames.INNER_CALL, step.innerCall());
    }
    Instant at = came.plusNanos(step.atNanos());
    switch (step) {
      case CallRecord.Step.Planned planned -> {
        said.put(SpanNames.CANDIDATES, (long) planned.candidates());
        if (planned.refusal() != null) {
          said.put(SpanNames.ERROR_TYPE, lower(planned.refusal().name()));
        }
        call.addEvent(SpanNames.PLANNED, said.build(), at);
      }
      case CallRecord.Step.Held held -> {
        said.put(SpanNames.HELD_FOR, held.what()).put(SpanNames.HELD, dollars(held.atMost()));
        call.addEvent(SpanNames.HOLD, said.build(), at);
      }
    }
  }

  private void end(Span span, CallRecord.Attempt attempt) {
    CallRecord.Ending how = attempt.ending();
    if (attempt.innerCall() != null) {
      span.setAttribute(SpanNames.INNER_CALL, attempt.innerCall());
    }
    if (how.status() > 0) {
      span.setAttribute(SpanNames.STATUS_CODE, (long) how.status());
    }
    if (attempt.times().firstContent() >= 0) {
      span.addEvent(SpanNames.FIRST_CONTENT, came.plusNanos(attempt.times().firstContent()));
      span.setAttribute(SpanNames.RESPONSE_MODEL, attempt.endpoint().upstreamModel());
      count(span, attempt.line().usage());
    }
    span.setAttribute(SpanNames.COST, dollars(attempt.line().cost()));
    finish(span, how.stopReason());
    type(span, how.outcome(), why(how));
    if (how.outcome() == CallRecord.Outcome.ERROR) {
      span.setStatus(StatusCode.ERROR);
    }
    span.end(came.plusNanos(attempt.times().ended()));
  }

  private static @Nullable String why(CallRecord.Ending how) {
    if (how.failure() != null) {
      return how.failure().name();
    }
    return how.error() == null ? null : how.error().name();
  }

  private static void count(Span span, Usage usage) {
    span.setAttribute(SpanNames.INPUT_TOKENS, usage.promptTokens());
    span.setAttribute(SpanNames.OUTPUT_TOKENS, usage.completionTokens());
    if (usage.cacheRead() > 0) {
      span.setAttribute(SpanNames.CACHE_READ, usage.cacheRead());
    }
    if (usage.cacheWrite5m() + usage.cacheWrite1h() > 0) {
      span.setAttribute(SpanNames.CACHE_CREATION, usage.cacheWrite5m() + usage.cacheWrite1h());
    }
    if (usage.estimated()) {
      span.setAttribute(SpanNames.ESTIMATED, true);
    }
  }

  private static void finish(Span span, @Nullable StopReason reason) {
    if (reason != null) {
      span.setAttribute(SpanNames.FINISH_REASONS, List.of(SpanNames.finishReason(reason)));
    }
  }

  /** Sets the error type, also of a cancelled call, which is no error of the service. */
  private static void type(Span span, CallRecord.Outcome outcome, @Nullable String why) {
    switch (outcome) {
      case COMPLETE -> {
        // nothing went wrong
      }
      case CANCELLED ->
          span.setAttribute(SpanNames.ERROR_TYPE, why == null ? SpanNames.CANCELLED : lower(why));
      case ERROR -> span.setAttribute(SpanNames.ERROR_TYPE, why == null ? "_OTHER" : lower(why));
    }
  }

  private static String lower(String constant) {
    return constant.toLowerCase(Locale.ROOT);
  }

  private static double dollars(Usd amount) {
    return amount.nanos() / NANOS;
  }
}
