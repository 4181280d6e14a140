/**
 * What is known of a finished request, as a row of bytes while it is kept and as JSON when somebody
 * asks for it. Start reading at {@link io.strowger.core.generation.GenerationRow}.
 */
@NullMarked
package io.strowger.core.generation;

import org.jspecify.annotations.NullMarked;
