/** Breaks rules on purpose; see {@link planted.strowger}. */
@NullMarked
package planted.strowger.stores;

import org.jspecify.annotations.NullMarked;
