/** Breaks rules on purpose; see {@link planted.strowger}. */
@NullMarked
package planted.strowger.simulated;

import org.jspecify.annotations.NullMarked;
