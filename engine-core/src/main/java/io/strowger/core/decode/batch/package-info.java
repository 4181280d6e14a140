/**
 * The body that creates a batch, and what the bodies in it have to be, as tables of rules. Start
 * reading at {@link io.strowger.core.decode.batch.BatchDecoder}.
 */
@NullMarked
package io.strowger.core.decode.batch;

import org.jspecify.annotations.NullMarked;
