/**
 * Batches: the body that creates one, what becomes of it until the end of its retention, and the
 * work on its requests. Start reading at {@link io.strowger.core.batch.Batches}; decision 59.
 */
@NullMarked
package io.strowger.core.batch;

import org.jspecify.annotations.NullMarked;
