/**
 * Encryption at rest for secrets that are used again, such as customers' provider keys. Start
 * reading at {@link io.strowger.core.secret.SecretCipher}.
 */
@NullMarked
package io.strowger.core.secret;

import org.jspecify.annotations.NullMarked;
