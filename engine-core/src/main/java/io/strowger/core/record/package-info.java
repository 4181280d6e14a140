/**
 * What is recorded of a request: its generation record, its call trace for destinations, and the
 * observation of its steps. Start reading at {@link io.strowger.core.record.Generations}.
 */
@NullMarked
package io.strowger.core.record;

import org.jspecify.annotations.NullMarked;
