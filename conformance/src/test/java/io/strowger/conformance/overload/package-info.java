/**
 * Tests of a host that gets more load than it can serve, in a process of its own with a small heap.
 * Start reading at OverloadedHostTest.
 */
@NullMarked
package io.strowger.conformance.overload;

import org.jspecify.annotations.NullMarked;
