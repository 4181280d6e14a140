/** Holds that what is compared over HTTP does the same work. All of it in one process. */
@NullMarked
package io.strowger.benchmarks.http;

import org.jspecify.annotations.NullMarked;
