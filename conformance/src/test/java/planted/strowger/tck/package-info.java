/** Breaks rules on purpose; see {@link planted.strowger}. */
@NullMarked
package planted.strowger.tck;

import org.jspecify.annotations.NullMarked;
