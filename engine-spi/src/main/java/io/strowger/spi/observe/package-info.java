/**
 * The SPI for observing finished requests and exporting them to destinations. Start reading at
 * {@link io.strowger.spi.observe.TraceSink}.
 *
 * <p><b>A host</b> gives to the builder of its gateway:
 *
 * <ul>
 *   <li>an observer: {@link io.strowger.spi.observe.TraceSink}, {@link
 *       io.strowger.spi.observe.CallRecord}, {@link io.strowger.spi.routing.TraceEntry}.
 *   <li>a tracer, which connects calls with a distributed trace: {@link
 *       io.strowger.spi.observe.CallTracer}, {@link io.strowger.spi.observe.CallSpan}, {@link
 *       io.strowger.spi.observe.TraceContext}.
 *   <li>gauges: {@link io.strowger.spi.observe.LoadSnapshot}, which {@code Gateway.load()} returns,
 *       with {@link io.strowger.spi.observe.DestinationCounts} and {@link
 *       io.strowger.spi.observe.FailedCredentialCounts}.
 *   <li>limits of the documents it reads: {@link io.strowger.spi.json.JsonLimits}; and the ids of
 *       the keys in its configuration: {@link io.strowger.spi.store.KeyId}.
 *   <li>a limiter of requests: {@link io.strowger.spi.limit.RateLimiter}, {@link
 *       io.strowger.spi.limit.Quota}, {@link io.strowger.spi.limit.RateLimitSubject}.
 * </ul>
 *
 * <p><b>A destination</b> implements:
 *
 * <ul>
 *   <li>the factory {@link io.strowger.spi.observe.DestinationFactory} and what it makes, {@link
 *       io.strowger.spi.observe.DestinationExporter}, which turns each {@link
 *       io.strowger.spi.observe.CallTrace} into an {@link io.strowger.spi.observe.ExportRequest}.
 * </ul>
 */
@NullMarked
package io.strowger.spi.observe;

import org.jspecify.annotations.NullMarked;
