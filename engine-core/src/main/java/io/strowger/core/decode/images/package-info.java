/**
 * The body of a request for pictures as tables of rules. Start reading at {@link
 * io.strowger.core.decode.images.ImagesDecoder}.
 */
@NullMarked
package io.strowger.core.decode.images;

import org.jspecify.annotations.NullMarked;
