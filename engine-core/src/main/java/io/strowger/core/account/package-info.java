/**
 * Who calls, and what a request may spend: a bearer credential becomes a caller, a request gets a
 * tab. Start reading at {@link io.strowger.core.account.Caller}.
 */
@NullMarked
package io.strowger.core.account;

import org.jspecify.annotations.NullMarked;
