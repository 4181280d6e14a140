/** Breaks rules on purpose; see {@link planted.strowger}. */
@NullMarked
package planted.strowger.core.flow;

import org.jspecify.annotations.NullMarked;
