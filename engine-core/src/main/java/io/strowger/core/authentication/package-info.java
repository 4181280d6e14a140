/**
 * Turns a bearer credential into a {@link io.strowger.core.authentication.Caller}, or refuses it.
 * Start reading at {@link io.strowger.core.authentication.Authenticator}.
 */
@NullMarked
package io.strowger.core.authentication;

import org.jspecify.annotations.NullMarked;
