/** The adapter for images. Start at {@link io.strowger.providers.images.OpenAiImages}. */
@NullMarked
package io.strowger.providers.images;

import org.jspecify.annotations.NullMarked;
