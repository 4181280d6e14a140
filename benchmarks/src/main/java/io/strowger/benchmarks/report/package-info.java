/**
 * One page about what the engine costs: measured in one run, each figure beside its floor or a
 * peer, written as HTML that needs nothing else.
 */
@NullMarked
package io.strowger.benchmarks.report;

import org.jspecify.annotations.NullMarked;
