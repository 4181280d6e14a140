/**
 * A report of the engine's cost: measured in one run, each figure beside a floor or a peer, written
 * as one self-contained HTML page.
 */
@NullMarked
package io.strowger.benchmarks.report;

import org.jspecify.annotations.NullMarked;
