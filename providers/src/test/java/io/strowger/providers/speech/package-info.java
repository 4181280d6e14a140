/** The adapters for speech, held to their contract. */
@NullMarked
package io.strowger.providers.speech;

import org.jspecify.annotations.NullMarked;
