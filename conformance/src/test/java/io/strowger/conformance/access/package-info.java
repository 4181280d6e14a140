/** Tests of access control from end to end, over stores that outlive the gateway's process. */
@NullMarked
package io.strowger.conformance.access;

import org.jspecify.annotations.NullMarked;
