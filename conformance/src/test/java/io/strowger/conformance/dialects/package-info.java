/**
 * Helpers for tests of what must hold in every dialect: they connect the upstream adapters and the
 * formats of callers directly, over bytes in memory. Start reading at {@link
 * io.strowger.conformance.dialects.Upstream} and {@link
 * io.strowger.conformance.dialects.CallerDialect}.
 */
@NullMarked
package io.strowger.conformance.dialects;

import org.jspecify.annotations.NullMarked;
