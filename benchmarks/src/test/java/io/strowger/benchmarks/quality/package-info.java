/** Tests of the comparison of routers by real outcomes. */
@NullMarked
package io.strowger.benchmarks.quality;

import org.jspecify.annotations.NullMarked;
