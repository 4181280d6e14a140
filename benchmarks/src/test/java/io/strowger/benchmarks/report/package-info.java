/** Tests of the report on the cost of the engine. */
@NullMarked
package io.strowger.benchmarks.report;

import org.jspecify.annotations.NullMarked;
