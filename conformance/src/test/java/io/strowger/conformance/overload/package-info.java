/**
 * The host under more load than it has room for, in a process of its own with a small heap. Start
 * reading at OverloadedHostTest.
 */
@NullMarked
package io.strowger.conformance.overload;

import org.jspecify.annotations.NullMarked;
