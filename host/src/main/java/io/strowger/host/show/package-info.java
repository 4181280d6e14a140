/**
 * Shows decisions and money to people, as plain text, and decisions to programs, as JSON. Start
 * reading at {@link io.strowger.host.show.DecisionTable}.
 */
@NullMarked
package io.strowger.host.show;

import org.jspecify.annotations.NullMarked;
