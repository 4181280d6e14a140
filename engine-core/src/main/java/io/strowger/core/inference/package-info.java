/**
 * The pipeline as others see it: what is asked of it and what it gives back. Start reading at
 * {@link io.strowger.core.inference.Inference}.
 */
@NullMarked
package io.strowger.core.inference;

import org.jspecify.annotations.NullMarked;
