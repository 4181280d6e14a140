/** Tests of the package of the same name. */
@NullMarked
package io.strowger.simulated;

import org.jspecify.annotations.NullMarked;
