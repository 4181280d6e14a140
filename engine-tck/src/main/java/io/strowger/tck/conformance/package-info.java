/**
 * Annotations that link the gateway's own tests to the rows of {@code docs/conformance.md}. Not
 * exported: the file has no rows for plugins, providers and stores of other authors. Start reading
 * at {@link io.strowger.tck.conformance.Proves}.
 */
@NullMarked
package io.strowger.tck.conformance;

import org.jspecify.annotations.NullMarked;
