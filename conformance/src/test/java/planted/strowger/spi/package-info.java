/** Breaks rules on purpose; see {@link planted.strowger}. */
@NullMarked
package planted.strowger.spi;

import org.jspecify.annotations.NullMarked;
