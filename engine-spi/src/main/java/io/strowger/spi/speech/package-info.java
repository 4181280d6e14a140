/**
 * A request to speak a text, in the engine's own form. Start reading at {@link
 * io.strowger.spi.speech.SpeechRequest}.
 */
@NullMarked
package io.strowger.spi.speech;

import org.jspecify.annotations.NullMarked;
