@NullMarked
package io.strowger.core.decode.transcription;

import org.jspecify.annotations.NullMarked;
