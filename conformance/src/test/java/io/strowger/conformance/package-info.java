/**
 * Tests of the whole gateway, of the rows of the contract, of the documents and of the
 * architecture. Start reading at {@link io.strowger.conformance.ConformanceMatrix} for the
 * contract, and at {@link io.strowger.conformance.Rules} for the architecture.
 */
@NullMarked
package io.strowger.conformance;

import org.jspecify.annotations.NullMarked;
