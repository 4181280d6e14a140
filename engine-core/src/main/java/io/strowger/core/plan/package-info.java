/**
 * Decides where a request goes. Pure: nothing here performs I/O, reads a clock or starts a thread,
 * so every decision can be repeated. Start reading at {@link io.strowger.core.plan.Planner}.
 */
@NullMarked
package io.strowger.core.plan;

import org.jspecify.annotations.NullMarked;
