/**
 * A report of the engine's cost: measured in one run, each figure beside a floor (the least the
 * work can cost) or a peer (another implementation), written as one self-contained HTML page.
 */
@NullMarked
package io.strowger.benchmarks.report;

import org.jspecify.annotations.NullMarked;
