/** Tests that no request can keep others from running. */
@NullMarked
package io.strowger.conformance.fairness;

import org.jspecify.annotations.NullMarked;
