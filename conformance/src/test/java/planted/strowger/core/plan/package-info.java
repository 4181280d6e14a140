/** Breaks rules on purpose; see {@link planted.strowger}. */
@NullMarked
package planted.strowger.core.plan;

import org.jspecify.annotations.NullMarked;
