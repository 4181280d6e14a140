/** Tests of the page about what the engine costs. */
@NullMarked
package io.strowger.benchmarks.report;

import org.jspecify.annotations.NullMarked;
