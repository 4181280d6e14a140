/** Tests, in one process, that the contenders of the comparison over HTTP do the same work. */
@NullMarked
package io.strowger.benchmarks.http;

import org.jspecify.annotations.NullMarked;
