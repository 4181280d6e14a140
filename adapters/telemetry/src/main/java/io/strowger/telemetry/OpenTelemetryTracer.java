package io.strowger.telemetry;

import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapGetter;
import io.strowger.spi.observe.CallSpan;
import io.strowger.spi.observe.CallTracer;
import io.strowger.spi.observe.TraceContext;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Creates spans for calls with the OpenTelemetry API: one span for a call and one below it for each
 * of its attempts, by the <a
 * href="https://opentelemetry.io/docs/specs/semconv/gen-ai/gen-ai-spans/">GenAI semantic
 * conventions</a>. Decisions and holds are events of the call's span. No span contains data of a
 * prompt, an answer, a key or a credential.
 *
 * <pre>{@code
 * Gateway.builder(config).tracer(new OpenTelemetryTracer(openTelemetry))
 * }</pre>
 *
 * <p>The parent of a call's span is the current span of the calling thread, where there is one;
 * otherwise the span that the caller's {@code traceparent} names; otherwise none, and a new trace
 * begins. The kind of a call's span is {@code INTERNAL} below a current span of the thread, which
 * already represents the request, and for a request of a batch, for which no caller waits;
 * otherwise {@code SERVER}. An attempt sends its span's id to its upstream. Which spans are
 * recorded is up to the sampler of the {@link OpenTelemetry} that was given. Safe on any thread.
 */
public final class OpenTelemetryTracer implements CallTracer {
  /** The instrumentation scope of all spans. */
  public static final String SCOPE = "io.strowger.telemetry";

  private final Tracer tracer;
  private final boolean followsCallers;

  /**
   * Makes a tracer that follows the {@code traceparent} of callers.
   *
   * @param openTelemetry not closed by the tracer; close it after the gateway
   */
  public OpenTelemetryTracer(OpenTelemetry openTelemetry) {
    this(openTelemetry, true);
  }

  /**
   * Makes a tracer.
   *
   * @param openTelemetry not closed by the tracer; close it after the gateway
   * @param followsCallers whether the {@code traceparent} of a caller is the parent of its call.
   *     Pass false for callers you do not control: they would choose trace ids and, with a
   *     parent-based sampler, also what is recorded
   */
  public OpenTelemetryTracer(OpenTelemetry openTelemetry, boolean followsCallers) {
    this.tracer = openTelemetry.getTracer(SCOPE);
    this.followsCallers = followsCallers;
  }

  @Override
  public CallSpan begin(Start call) {
    return begin(call, Context.current());
  }

  @Override
  public CallTracer forCallingThread() {
    Context current = Context.current();
    return isInSpan(current) ? call -> begin(call, current) : this;
  }

  private CallSpan begin(Start call, Context current) {
    String operation = SpanNames.operation(call.kind());
    boolean isInside = isInSpan(current) || call.isBatch();
    SpanBuilder span =
        tracer
            .spanBuilder(
                call.requestedModel().isEmpty()
                    ? operation
                    : operation + " " + call.requestedModel())
            .setSpanKind(isInside ? SpanKind.INTERNAL : SpanKind.SERVER)
            .setParent(parent(current, call.parent()))
            .setStartTimestamp(call.arrivedAt())
            .setAttribute(SpanNames.OPERATION, operation);
    if (!call.requestedModel().isEmpty()) {
      span.setAttribute(SpanNames.REQUEST_MODEL, call.requestedModel());
    }
    return new OpenTelemetryCallSpan(tracer, span.startSpan(), operation, call.arrivedAt());
  }

  private static boolean isInSpan(Context context) {
    return Span.fromContext(context).getSpanContext().isValid();
  }

  private Context parent(Context current, @Nullable TraceContext callerContext) {
    return callerContext == null || !followsCallers || isInSpan(current)
        ? current
        : W3CTraceContextPropagator.getInstance().extract(current, callerContext, Headers.GETTER);
  }

  /** Returns the {@code traceparent} of a span; null for one that belongs to no trace. */
  static @Nullable String traceparent(SpanContext span) {
    return span.isValid()
        ? "00-" + span.getTraceId() + "-" + span.getSpanId() + "-" + span.getTraceFlags().asHex()
        : null;
  }

  /** Reads the headers {@code traceparent} and {@code tracestate}. */
  private enum Headers implements TextMapGetter<TraceContext> {
    GETTER;

    private static final String TRACESTATE = "tracestate";

    @Override
    @SuppressWarnings("deprecation") // the library still asks for it
    public Iterable<String> keys(TraceContext context) {
      return List.of("traceparent", TRACESTATE);
    }

    @Override
    public @Nullable String get(@Nullable TraceContext context, String name) {
      if (context == null) {
        return null;
      }
      return name.equals(TRACESTATE) ? context.tracestate() : context.traceparent();
    }
  }
}
