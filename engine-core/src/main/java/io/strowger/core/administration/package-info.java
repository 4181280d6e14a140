/**
 * What an account consists of, as documents: keys, workspaces, guardrails, assignments and
 * customers' own provider keys, and the copies that requests look them up in. Start reading at
 * {@link io.strowger.core.administration.AccountState}.
 */
@NullMarked
package io.strowger.core.administration;

import org.jspecify.annotations.NullMarked;
