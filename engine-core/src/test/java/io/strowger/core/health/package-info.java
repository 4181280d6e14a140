/**
 * Tests of the endpoints' health: the statistics after reported results, at times that the tests
 * control. Start reading at UptimeTest.
 */
@NullMarked
package io.strowger.core.health;

import org.jspecify.annotations.NullMarked;
