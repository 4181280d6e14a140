/** Breaks rules on purpose; see {@link planted.strowger}. */
@NullMarked
package planted.strowger.host;

import org.jspecify.annotations.NullMarked;
