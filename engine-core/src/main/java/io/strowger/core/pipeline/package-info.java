/**
 * Takes one request through all steps. Start reading at {@link
 * io.strowger.core.pipeline.EngineInference}.
 */
@NullMarked
package io.strowger.core.pipeline;

import org.jspecify.annotations.NullMarked;
