/**
 * Takes one request through all steps of the pipeline. Start reading at {@link
 * io.strowger.core.flow.Inference}.
 */
@NullMarked
package io.strowger.core.flow;

import org.jspecify.annotations.NullMarked;
