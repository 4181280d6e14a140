/**
 * Reads speech requests; their answers are audio and need no writer. Start reading at {@link
 * io.strowger.core.dialect.speech.SpeechDecoder}.
 */
@NullMarked
package io.strowger.core.dialect.speech;

import org.jspecify.annotations.NullMarked;
