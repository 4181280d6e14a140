/**
 * Fakes and contract tests for authors of providers, plugins and stores; the engine's own extend
 * the same classes, so they cannot rot. Start reading at {@link
 * io.strowger.tck.ChatProviderContract}; {@link io.strowger.tck.Given} has the small words tests
 * are written with.
 */
@NullMarked
package io.strowger.tck;

import org.jspecify.annotations.NullMarked;
