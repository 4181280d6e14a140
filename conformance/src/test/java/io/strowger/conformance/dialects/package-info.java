/**
 * What holds between dialects, for all of them alike: the adapters of upstreams and the formats of
 * callers put back to back, over bytes that lie in memory. Start reading at {@link
 * io.strowger.conformance.dialects.Upstream} and {@link io.strowger.conformance.dialects.Caller}.
 */
@NullMarked
package io.strowger.conformance.dialects;

import org.jspecify.annotations.NullMarked;
