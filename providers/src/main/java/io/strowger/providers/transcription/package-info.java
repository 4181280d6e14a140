/**
 * The adapter for transcriptions. Start reading at {@link
 * io.strowger.providers.transcription.OpenAiTranscriptions}.
 */
@NullMarked
package io.strowger.providers.transcription;

import org.jspecify.annotations.NullMarked;
