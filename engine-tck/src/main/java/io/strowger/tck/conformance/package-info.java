/**
 * Annotations that link the gateway's own tests to the contract. Not exported: authors of plugins,
 * providers and stores have no rows there. Start reading at {@link
 * io.strowger.tck.conformance.Proves}.
 */
@NullMarked
package io.strowger.tck.conformance;

import org.jspecify.annotations.NullMarked;
