/**
 * The documents of an account: keys, workspaces, guardrails, assignments and BYOK keys, and the
 * caches in which requests look them up. Start reading at {@link
 * io.strowger.core.administration.AccountState}.
 */
@NullMarked
package io.strowger.core.administration;

import org.jspecify.annotations.NullMarked;
