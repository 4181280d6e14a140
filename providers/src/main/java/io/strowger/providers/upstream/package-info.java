/**
 * What all dialects of upstreams have in common: one exchange over HTTP, refusals told apart by
 * what they mean, bodies that are read no further than a bound, and the life of a stream. A dialect
 * supplies a {@link io.strowger.providers.upstream.UpstreamCodec}; start reading at {@link
 * io.strowger.providers.upstream.HttpChatProvider}.
 */
@NullMarked
package io.strowger.providers.upstream;

import org.jspecify.annotations.NullMarked;
