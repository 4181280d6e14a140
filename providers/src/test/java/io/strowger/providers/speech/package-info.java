/** Contract tests of the adapters for speech. */
@NullMarked
package io.strowger.providers.speech;

import org.jspecify.annotations.NullMarked;
