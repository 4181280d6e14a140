/**
 * Adapters of endpoints that serve something else than chat, as the attempt machine sees every
 * upstream. Start reading at {@link io.strowger.core.upstream.AdapterByKind}.
 */
@NullMarked
package io.strowger.core.upstream;

import org.jspecify.annotations.NullMarked;
