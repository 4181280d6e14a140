/**
 * {@code bench quality}: quality per dollar of the built-in routers, by real outcomes of models on
 * questions. Start reading at {@link io.strowger.benchmarks.quality.QualityBench}.
 */
@NullMarked
package io.strowger.benchmarks.quality;

import org.jspecify.annotations.NullMarked;
