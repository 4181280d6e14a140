/** Breaks rules on purpose; see {@link planted.strowger}. */
@NullMarked
package planted.strowger.providers;

import org.jspecify.annotations.NullMarked;
