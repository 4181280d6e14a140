/**
 * Executes a plan: makes one attempt after the other, under deadlines, until content comes. Start
 * reading at {@link io.strowger.core.attempt.AttemptLoop}.
 */
@NullMarked
package io.strowger.core.attempt;

import org.jspecify.annotations.NullMarked;
