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
  private static final double NANOS_PER_DOLLAR = 1e9;

  private final Tracer tracer;
  private final Span callSpan;
  private final String operation;
  private final Instant startTime;
  private final Map<Integer, Span> attemptSpans = new ConcurrentHashMap<>();

  OpenTelemetryCallSpan(Tracer tracer, Span callSpan, String operation, Instant startTime) {
    this.tracer = tracer;
    this.callSpan = callSpan;
    this.operation = operation;
    this.startTime = startTime;
  }

  @Override
  public @Nullable String beginAttempt(int number, Endpoint endpoint, long atNanos) {
    Span span =
        tracer
            .spanBuilder(operation + " " + endpoint.upstreamModel())
            .setSpanKind(SpanKind.CLIENT)
            .setParent(Context.root().with(callSpan))
            .setStartTimestamp(startTime.plusNanos(atNanos))
            .setAttribute(SpanNames.OPERATION, operation)
            .setAttribute(SpanNames.PROVIDER, endpoint.provider().slug())
            .setAttribute(SpanNames.REQUEST_MODEL, endpoint.upstreamModel())
            .setAttribute(SpanNames.ENDPOINT, endpoint.id())
            .setAttribute(SpanNames.ATTEMPT, (long) number)
            .startSpan();
    attemptSpans.put(number, span);
    return OpenTelemetryTracer.traceparent(span.getSpanContext());
  }

  @Override
  public void end(CallRecord record) {
    for (CallRecord.Attempt attempt : record.attempts()) {
      Span span = attemptSpans.get(attempt.number());
      if (span != null) {
        end(span, attempt);
      }
    }
    record.steps().forEach(this::addEvent);
    callSpan.setAttribute(SpanNames.RESPONSE_ID, record.id());
    setIfPresent(SpanNames.RESPONSE_MODEL, model(record.endpoint()));
    setIfPresent(SpanNames.ENDPOINT, record.endpoint());
    setIfPresent(SpanNames.CACHE_SOURCE, record.cachedGeneration());
    callSpan.setAttribute(SpanNames.COST, dollars(record.cost()));
    setFinishReason(callSpan, record.stopReason());
    if (record.firstContentNanos() >= 0) {
      callSpan.addEvent(SpanNames.FIRST_CONTENT, startTime.plusNanos(record.firstContentNanos()));
    }
    ErrorCode error = record.error();
    setErrorType(callSpan, record.outcome(), error == null ? null : error.name());
    boolean callerError = error != null && error.blame() == ErrorCode.Blame.CALLER;
    if (record.outcome() == CallRecord.Outcome.ERROR && !callerError) {
      callSpan.setStatus(StatusCode.ERROR); // a caller's mistake is no server error
    }
    callSpan.end(startTime.plusNanos(record.totalNanos()));
  }

  private void setIfPresent(AttributeKey<String> name, @Nullable String value) {
    if (value != null) {
      callSpan.setAttribute(name, value);
    }
  }

  private static @Nullable String model(@Nullable String endpoint) {
    return endpoint == null ? null : EndpointIds.model(endpoint);
  }

  private void addEvent(CallRecord.Step step) {
    AttributesBuilder attributes = Attributes.builder();
    if (step.innerCall() != null) {
      attributes.put(SpanNames.INNER_CALL, step.innerCall());
    }
    Instant at = startTime.plusNanos(step.atNanos());
    switch (step) {
      case CallRecord.Step.Planned planned -> {
        attributes.put(SpanNames.CANDIDATES, (long) planned.candidates());
        if (planned.refusal() != null) {
          attributes.put(SpanNames.ERROR_TYPE, lowerCase(planned.refusal().name()));
        }
        callSpan.addEvent(SpanNames.PLAN, attributes.build(), at);
      }
      case CallRecord.Step.Held held -> {
        attributes
            .put(SpanNames.HOLD_PURPOSE, held.purpose())
            .put(SpanNames.HOLD_AMOUNT, dollars(held.amount()));
        callSpan.addEvent(SpanNames.HOLD, attributes.build(), at);
      }
    }
  }

  private void end(Span span, CallRecord.Attempt attempt) {
    CallRecord.Ending ending = attempt.ending();
    if (attempt.innerCall() != null) {
      span.setAttribute(SpanNames.INNER_CALL, attempt.innerCall());
    }
    if (ending.status() > 0) {
      span.setAttribute(SpanNames.STATUS_CODE, (long) ending.status());
    }
    if (attempt.times().firstContentNanos() >= 0) {
      span.addEvent(
          SpanNames.FIRST_CONTENT, startTime.plusNanos(attempt.times().firstContentNanos()));
      span.setAttribute(SpanNames.RESPONSE_MODEL, attempt.endpoint().upstreamModel());
      setUsage(span, attempt.billLine().usage());
    }
    span.setAttribute(SpanNames.COST, dollars(attempt.billLine().cost()));
    setFinishReason(span, ending.stopReason());
    setErrorType(span, ending.outcome(), errorName(ending));
    if (ending.outcome() == CallRecord.Outcome.ERROR) {
      span.setStatus(StatusCode.ERROR);
    }
    span.end(startTime.plusNanos(attempt.times().endedNanos()));
  }

  private static @Nullable String errorName(CallRecord.Ending ending) {
    if (ending.failure() != null) {
      return ending.failure().name();
    }
    return ending.error() == null ? null : ending.error().name();
  }

  private static void setUsage(Span span, Usage usage) {
    span.setAttribute(SpanNames.INPUT_TOKENS, usage.promptTokens());
    span.setAttribute(SpanNames.OUTPUT_TOKENS, usage.completionTokens());
    if (usage.cacheRead() > 0) {
      span.setAttribute(SpanNames.CACHE_READ, usage.cacheRead());
    }
    if (usage.cacheWrite5m() + usage.cacheWrite1h() > 0) {
      span.setAttribute(SpanNames.CACHE_CREATION, usage.cacheWrite5m() + usage.cacheWrite1h());
    }
    if (usage.isEstimated()) {
      span.setAttribute(SpanNames.ESTIMATED, true);
    }
  }

  private static void setFinishReason(Span span, @Nullable StopReason reason) {
    if (reason != null) {
      span.setAttribute(SpanNames.FINISH_REASONS, List.of(SpanNames.finishReason(reason)));
    }
  }

  /** Sets the error type, also of a cancelled call, which is no error of the service. */
  private static void setErrorType(
      Span span, CallRecord.Outcome outcome, @Nullable String errorName) {
    switch (outcome) {
      case COMPLETE -> {
        // nothing went wrong
      }
      case CANCELLED ->
          span.setAttribute(
              SpanNames.ERROR_TYPE, errorName == null ? SpanNames.CANCELLED : lowerCase(errorName));
      case ERROR ->
          span.setAttribute(
              SpanNames.ERROR_TYPE, errorName == null ? "_OTHER" : lowerCase(errorName));
    }
  }

  private static String lowerCase(String constant) {
    return constant.toLowerCase(Locale.ROOT);
  }

  private static double dollars(Usd amount) {
    return amount.nanos() / NANOS_PER_DOLLAR;
  }
}
