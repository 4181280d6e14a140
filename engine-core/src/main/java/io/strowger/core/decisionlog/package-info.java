/**
 * A record of decisions that proves itself: everything each was made from, so that it can be made
 * again later and compared. Start reading at {@link io.strowger.core.decisionlog.DecisionLog} for
 * writing, at {@link io.strowger.core.decisionlog.DecisionReplay} for reading.
 */
@NullMarked
package io.strowger.core.decisionlog;

import org.jspecify.annotations.NullMarked;
