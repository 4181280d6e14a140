/**
 * The engine's own shapes of a request, its messages, the events of an answer and what it used;
 * every wire dialect is read into them and written from them. Start reading at {@link
 * io.strowger.spi.model.InferenceRequest}.
 */
@NullMarked
package io.strowger.spi.model;

import org.jspecify.annotations.NullMarked;
