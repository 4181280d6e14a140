/**
 * What endpoints are said to fare after what was reported of them, with time in the hand of the
 * test. Start reading at UptimeTest.
 */
@NullMarked
package io.strowger.core.health;

import org.jspecify.annotations.NullMarked;
