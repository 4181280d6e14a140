/**
 * Secrets that have to be kept and used again, such as customers' provider keys: encrypted at rest.
 * Start reading at {@link io.strowger.core.secret.SecretCipher}.
 */
@NullMarked
package io.strowger.core.secret;

import org.jspecify.annotations.NullMarked;
