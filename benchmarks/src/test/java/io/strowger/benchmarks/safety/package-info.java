/** Tests of what hostile clients cost. */
@NullMarked
package io.strowger.benchmarks.safety;

import org.jspecify.annotations.NullMarked;
