package planted.strowger.core.pipeline;

import io.opentelemetry.api.trace.Span;

/** A part of the engine that knows OpenTelemetry. */
public record TracedFlow(Span span) {}
