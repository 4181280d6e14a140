/**
 * The body of a request for a transcription as tables of rules. Start reading at {@link
 * io.strowger.core.decode.transcription.TranscriptionDecoder}.
 */
@NullMarked
package io.strowger.core.decode.transcription;

import org.jspecify.annotations.NullMarked;
