/** Breaks rules on purpose; see {@link planted.strowger}. */
@NullMarked
package planted.strowger.telemetry;

import org.jspecify.annotations.NullMarked;
