/** Breaks rules on purpose; see {@link planted.strowger}. */
@NullMarked
package planted.strowger.typed;

import org.jspecify.annotations.NullMarked;
