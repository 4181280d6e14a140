/** Breaks rules on purpose; see {@link planted.strowger}. */
@NullMarked
package planted.strowger.servlet;

import org.jspecify.annotations.NullMarked;
