/**
 * Batches: decoding the body that creates one, its states until the end of its retention, and the
 * processing of its requests. Start reading at {@link io.strowger.core.batch.Batches}; decision 59.
 */
@NullMarked
package io.strowger.core.batch;

import org.jspecify.annotations.NullMarked;
