/**
 * Compares the whole HTTP gateway with a relay without logic and with direct calls. All servers run
 * in processes of their own and are called in turn, so that disturbances of the machine affect all
 * alike.
 */
@NullMarked
package io.strowger.benchmarks.http;

import org.jspecify.annotations.NullMarked;
