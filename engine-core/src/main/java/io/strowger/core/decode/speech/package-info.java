/**
 * The body of a speech request as tables of rules. Start reading at {@link
 * io.strowger.core.decode.speech.SpeechDecoder}.
 */
@NullMarked
package io.strowger.core.decode.speech;

import org.jspecify.annotations.NullMarked;
