/** Tests of the package of the same name. The engine's own decoders read their requests. */
@NullMarked
package io.strowger.providers.messages;

import org.jspecify.annotations.NullMarked;
