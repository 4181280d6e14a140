/**
 * What each layer of the gateway costs over the one below it, how soon it starts, and where its
 * time goes.
 */
@NullMarked
package io.strowger.benchmarks.ladder;

import org.jspecify.annotations.NullMarked;
