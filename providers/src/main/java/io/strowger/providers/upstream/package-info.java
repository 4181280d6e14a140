/**
 * What all upstream dialects have in common: HTTP exchanges, refusals classified by their meaning,
 * bodies read within a bound, and the life of a stream. A dialect supplies a {@link
 * io.strowger.providers.upstream.UpstreamCodec}; start reading at {@link
 * io.strowger.providers.upstream.HttpChatProvider}.
 */
@NullMarked
package io.strowger.providers.upstream;

import org.jspecify.annotations.NullMarked;
