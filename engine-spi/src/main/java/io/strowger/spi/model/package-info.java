/**
 * The engine's dialect-independent model of requests, messages, answer events and usage; every wire
 * dialect is read into this model and written from it. Start reading at {@link
 * io.strowger.spi.model.InferenceRequest}.
 */
@NullMarked
package io.strowger.spi.model;

import org.jspecify.annotations.NullMarked;
