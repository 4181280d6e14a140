/** Breaks rules on purpose; see {@link planted.strowger}. */
@NullMarked
package planted.strowger.springai;

import org.jspecify.annotations.NullMarked;
