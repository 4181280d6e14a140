/** Turns usage into money. Start reading at {@link io.strowger.core.meter.Meter}. */
@NullMarked
package io.strowger.core.meter;

import org.jspecify.annotations.NullMarked;
