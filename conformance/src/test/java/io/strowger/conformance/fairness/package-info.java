/** Tests that no request can stop others. */
@NullMarked
package io.strowger.conformance.fairness;

import org.jspecify.annotations.NullMarked;
