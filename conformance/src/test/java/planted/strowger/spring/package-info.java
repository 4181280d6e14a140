/** Breaks rules on purpose; see {@link planted.strowger}. */
@NullMarked
package planted.strowger.spring;

import org.jspecify.annotations.NullMarked;
