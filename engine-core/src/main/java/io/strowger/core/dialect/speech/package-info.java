/**
 * Reads speech requests; their answer is sound and needs no writer. Start reading at {@link
 * io.strowger.core.dialect.speech.SpeechDecoder}.
 */
@NullMarked
package io.strowger.core.dialect.speech;

import org.jspecify.annotations.NullMarked;
