/** The contract end to end: who may see and do what, over stores that outlive the process. */
@NullMarked
package io.strowger.conformance.access;

import org.jspecify.annotations.NullMarked;
