/**
 * The whole HTTP gateway beside a relay without logic and beside nothing at all. All of them run as
 * processes of their own and are called in turn, so that they share whatever the machine does.
 */
@NullMarked
package io.strowger.benchmarks.http;

import org.jspecify.annotations.NullMarked;
