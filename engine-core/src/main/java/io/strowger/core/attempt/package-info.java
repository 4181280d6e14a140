/**
 * Doing what a plan says: one attempt after the other until content comes, under deadlines. Start
 * reading at {@link io.strowger.core.attempt.AttemptLoop}.
 */
@NullMarked
package io.strowger.core.attempt;

import org.jspecify.annotations.NullMarked;
