/** Upstreams that speak texts in the OpenAI form. */
@NullMarked
package io.strowger.providers.speech;

import org.jspecify.annotations.NullMarked;
