/**
 * From a JSON document to a typed request, collecting everything that is wrong with it on the way.
 * Start reading at {@link io.strowger.core.decode.Members}.
 */
@NullMarked
package io.strowger.core.decode;

import org.jspecify.annotations.NullMarked;
