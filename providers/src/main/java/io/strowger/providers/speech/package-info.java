/** The adapter for upstreams with the OpenAI speech API. */
@NullMarked
package io.strowger.providers.speech;

import org.jspecify.annotations.NullMarked;
