/**
 * Traces and metrics of a gateway, for observability tools: {@link
 * io.strowger.telemetry.OpenTelemetryTracer} makes spans of calls, {@link
 * io.strowger.telemetry.GatewayMetrics} counts calls. Both are given to the builder of a gateway;
 * without them a gateway observes nothing and needs neither library.
 */
@NullMarked
package io.strowger.telemetry;

import org.jspecify.annotations.NullMarked;
