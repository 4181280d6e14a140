/** Breaks rules on purpose; see {@link planted.strowger}. */
@NullMarked
package planted.strowger.plugins;

import org.jspecify.annotations.NullMarked;
