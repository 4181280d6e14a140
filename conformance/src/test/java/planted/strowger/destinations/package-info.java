/** Breaks rules on purpose; see {@link planted.strowger}. */
@NullMarked
package planted.strowger.destinations;

import org.jspecify.annotations.NullMarked;
