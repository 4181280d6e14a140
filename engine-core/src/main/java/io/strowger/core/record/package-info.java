/**
 * Records a request: in its generation record, in its call trace for destinations, and step by step
 * for observers. Start reading at {@link io.strowger.core.record.Generations}.
 */
@NullMarked
package io.strowger.core.record;

import org.jspecify.annotations.NullMarked;
