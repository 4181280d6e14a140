/**
 * What the gateway's own tests say of the contract. Not exported: authors of plugins, providers and
 * stores have no rows of their own. Start reading at {@link io.strowger.tck.conformance.Proves}.
 */
@NullMarked
package io.strowger.tck.conformance;

import org.jspecify.annotations.NullMarked;
