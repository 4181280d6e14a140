/** Breaks rules on purpose; see {@link planted.strowger}. */
@NullMarked
package planted.strowger.core.pipeline;

import org.jspecify.annotations.NullMarked;
