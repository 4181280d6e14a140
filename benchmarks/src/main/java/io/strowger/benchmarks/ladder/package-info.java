/**
 * Measures what each layer of the gateway adds to the one below it, how soon a gateway starts, and
 * where its time goes.
 */
@NullMarked
package io.strowger.benchmarks.ladder;

import org.jspecify.annotations.NullMarked;
