/**
 * Logs decisions with all their inputs, so that each can be repeated later and compared with the
 * record. Start reading at {@link io.strowger.core.decisionlog.DecisionLog} for writing, at {@link
 * io.strowger.core.decisionlog.DecisionReplay} for reading.
 */
@NullMarked
package io.strowger.core.decisionlog;

import org.jspecify.annotations.NullMarked;
