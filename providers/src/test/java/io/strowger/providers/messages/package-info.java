/** Tests of the package of the same name. Requests are read by the engine's own decoder. */
@NullMarked
package io.strowger.providers.messages;

import org.jspecify.annotations.NullMarked;
