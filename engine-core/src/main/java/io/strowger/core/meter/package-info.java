/** From what was used to what it costs. Start reading at {@link io.strowger.core.meter.Meter}. */
@NullMarked
package io.strowger.core.meter;

import org.jspecify.annotations.NullMarked;
