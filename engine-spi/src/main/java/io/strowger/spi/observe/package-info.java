/**
 * What a host implements to see finished requests and to limit requests. Start reading at {@link
 * io.strowger.spi.observe.TraceSink}.
 *
 * <p><b>A host</b> gives to the builder of its gateway:
 *
 * <ul>
 *   <li>an observer: {@link io.strowger.spi.observe.TraceSink}, {@link
 *       io.strowger.spi.observe.CallRecord}, {@link io.strowger.spi.routing.TraceEntry}.
 *   <li>a tracer, which connects calls with a distributed trace: {@link
 *       io.strowger.spi.observe.CallTracer}, {@link io.strowger.spi.observe.CallSpan}, {@link
 *       io.strowger.spi.observe.TraceContext}.
 *   <li>a limiter of requests: {@link io.strowger.spi.limit.RateLimiter}, {@link
 *       io.strowger.spi.limit.Quota}, {@link io.strowger.spi.limit.Subject}.
 * </ul>
 *
 * <p>What its gateway is doing at a moment it reads as a {@link
 * io.strowger.spi.observe.LoadSnapshot}.
 */
@NullMarked
package io.strowger.spi.observe;

import org.jspecify.annotations.NullMarked;
