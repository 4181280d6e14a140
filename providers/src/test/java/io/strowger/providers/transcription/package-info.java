@NullMarked
package io.strowger.providers.transcription;

import org.jspecify.annotations.NullMarked;
