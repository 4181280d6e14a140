/**
 * Adapters for endpoints of all kinds except chat, in the form the attempt loop expects of an
 * upstream. Start reading at {@link io.strowger.core.upstream.AdapterByKind}.
 */
@NullMarked
package io.strowger.core.upstream;

import org.jspecify.annotations.NullMarked;
