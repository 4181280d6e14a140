/**
 * The interface of the pipeline: its requests and replies. Start reading at {@link
 * io.strowger.core.inference.Inference}.
 */
@NullMarked
package io.strowger.core.inference;

import org.jspecify.annotations.NullMarked;
