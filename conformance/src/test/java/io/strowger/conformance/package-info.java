/**
 * The rules of the architecture as tests, each with its reason, and each tried on a class that
 * breaks it. Start reading at {@link io.strowger.conformance.Rules}.
 */
@NullMarked
package io.strowger.conformance;

import org.jspecify.annotations.NullMarked;
