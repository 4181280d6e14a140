/**
 * The reference host: the engine as a program. The host contains no business rule, so any other
 * host can offer the same with the engine. Start reading at {@link io.strowger.host.Main}.
 */
@NullMarked
package io.strowger.host;

import org.jspecify.annotations.NullMarked;
